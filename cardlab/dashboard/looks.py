"""How the page looks: the theme of its widgets, and the style sheets of its parts."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any, Final
from urllib.parse import quote

from cardlab.dashboard.icons import icon
from cardlab.view.tokens import DARK, DARK_MORE, FONT, LIGHT, LIGHT_MORE, MORE, variables

# the page's own root changes its class with the theme, so that the browser needs no word from here
THEMES: Final = (
    f".mui-light{{{variables(LIGHT)}}} .mui-dark{{{variables(DARK)}color-scheme:dark}} "
    f"{MORE}{{.mui-light{{{variables(LIGHT_MORE)}}} .mui-dark{{{variables(DARK_MORE)}}}}}"
)
EYE: Final = f':host{{--eye:url("data:image/svg+xml,{quote(icon("eye"))}")}}'
_SHEETS: Final = re.split(r"^/\* == (\w+).*\*/$", (files("cardlab.dashboard") / "style.css").read_text("utf-8"), flags=re.MULTILINE)


def style(*names: str) -> str:
    """The style sheets of a part, from ``style.css``; ``--k`` in them is how much larger a projector shows it.

    What the browser's own settings ask for, as no motion, is in each of them.

    >>> ".MuiToggleButton-root" in style("choices")
    True
    """
    sheets = dict(zip(_SHEETS[1::2], _SHEETS[2::2], strict=True))
    return "".join(sheets[name] for name in (*names, "preferences"))


def _theme(colours: dict[str, str]) -> dict[str, Any]:
    bar = {
        "backgroundColor": colours["surface"],
        "color": colours["ink"],
        "borderBottom": f"1px solid {colours['line']}",
        "boxShadow": "none",
        "backgroundImage": "none",
    }
    high = {
        "minHeight": "calc(38px + 18px * var(--k, 1)) !important",
        "padding": "0 20px !important",
        "@media (max-width: 899px)": {"padding": "0 2px 0 12px !important"},
    }
    ring = {"outline": f"3px solid {colours['pri']}"}
    return {
        "palette": {
            "primary": {"main": colours["pri"], "contrastText": colours["onpri"]},
            "background": {"default": colours["bg"], "paper": colours["surface"]},
            "text": {"primary": colours["ink"], "secondary": colours["ink2"]},
            "divider": colours["line"],
            "error": {"main": colours["bad"]},
        },
        "shape": {"borderRadius": 8},
        "typography": {
            "fontFamily": FONT,
            "fontSize": 14,
            "fontWeightMedium": 700,  # Roboto comes in 400 and 700
            "button": {"textTransform": "none", "fontWeight": 400, "fontSize": "14px", "lineHeight": "20px"},
            "body1": {"fontSize": "14px"},
            "body2": {"fontSize": "14px"},
            "subtitle2": {"fontSize": "14px", "fontWeight": 700},
            "h3": {"fontSize": "20px", "lineHeight": "28px", "fontWeight": 700},
        },
        "components": {
            "MuiAppBar": {"styleOverrides": {"root": bar}},
            "MuiToolbar": {"styleOverrides": {"root": high}},
            "MuiPaper": {"styleOverrides": {"root": {"backgroundImage": "none"}}},
            "MuiInputLabel": {"styleOverrides": {"shrink": {"transform": "translate(14px, -9px) scale(.86)"}}},  # 12 px
            "MuiOutlinedInput": {
                "styleOverrides": {"notchedOutline": {"& legend": {"fontSize": ".86em"}}, "root": {"&:has(:focus-visible)": ring}}
            },
            "MuiFormHelperText": {"styleOverrides": {"root": {"fontSize": "12px", "lineHeight": "16px"}}},
            "MuiButtonBase": {"defaultProps": {"disableRipple": True}, "styleOverrides": {"root": {"&:focus-visible": ring}}},
            "MuiButton": {"styleOverrides": {"root": {"minWidth": 0, "whiteSpace": "nowrap"}}},
        },
    }


THEME_CONFIG: Final = {"light": _theme(LIGHT), "dark": _theme(DARK)}
PAGE_SX: Final = {
    "& main": {"backgroundColor": "background.default"},
    "& .MuiLinearProgress-root": {"display": "none"},  # of the busy bar, which is there even where none is wanted
    "& .MuiToolbar-root": {"margin": 0},
    "& .MuiToolbar-root > .MuiBox-root": {"gap": "10px"},
}
