"""How the page looks: colours of the light and the dark theme, the type, the grid and its breakpoints."""

from __future__ import annotations

from typing import Any, Final

LIGHT: Final = {
    "bg": "#F4F3EF", "surface": "#FFFFFF", "sunk": "#F8F7F3", "ink": "#1E2430", "ink2": "#465061", "ink3": "#626C7C",
    "line": "#DEDAD0", "line2": "#8B8F97", "pri": "#24508F", "onpri": "#FFFFFF", "prit": "#E6EDF8",
    "markt": "#FFF1D6", "marki": "#7A4700", "mark": "#B45F00", "felt": "#DDE8E2", "bad": "#B3261E",
    "heat": "#1F4E8F", "onheat": "#FFFFFF",
    "spades": "#1E2430", "hearts": "#C1272D", "diamonds": "#1257B8", "clubs": "#00755E",
}  # fmt: skip
DARK: Final = {
    "bg": "#0F141B", "surface": "#171E28", "sunk": "#1D2632", "ink": "#E9EDF3", "ink2": "#BAC3CF", "ink3": "#96A3B4",
    "line": "#2D3847", "line2": "#6C7A8D", "pri": "#8FB6F2", "onpri": "#0E1A2C", "prit": "#22344F",
    "markt": "#3B2D13", "marki": "#FFD79B", "mark": "#FFB84D", "felt": "#17302A", "bad": "#FF9A92",
    "heat": "#8FB6F2", "onheat": "#0E1A2C",
    "spades": "#E9EDF3", "hearts": "#FF8F89", "diamonds": "#8FBAFF", "clubs": "#62D2B4",
}  # fmt: skip
FONT: Final = "Roboto, Segoe UI, Helvetica, Arial, DejaVu Sans, sans-serif"


def tokens(dark: bool) -> dict[str, str]:
    """The colours of a theme by name."""
    return DARK if dark else LIGHT


def _variables(colours: dict[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in colours.items())


# the page's own root changes its class with the theme, so that the browser needs no word from here
THEMES: Final = f".mui-light{{{_variables(LIGHT)}}} .mui-dark{{{_variables(DARK)}}}"


def _palette(colours: dict[str, str]) -> dict[str, Any]:
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
            "button": {"textTransform": "none", "fontWeight": 700},
            "body1": {"fontSize": "14px"},
            "body2": {"fontSize": "14px"},
            "subtitle1": {"fontSize": "16px", "fontWeight": 700},
            "subtitle2": {"fontSize": "14px", "fontWeight": 700},
            "h3": {"fontSize": "20px", "fontWeight": 700},
        },
        "components": {
            "MuiAppBar": {
                "styleOverrides": {
                    "root": {
                        "backgroundColor": colours["surface"],
                        "color": colours["ink"],
                        "borderBottom": f"1px solid {colours['line']}",
                        "boxShadow": "none",
                        "backgroundImage": "none",
                    }
                }
            },
            "MuiPaper": {"styleOverrides": {"root": {"backgroundImage": "none"}}},
        },
    }


THEME_CONFIG: Final = {"light": _palette(LIGHT), "dark": _palette(DARK)}
PAGE_SX: Final = {
    "& .MuiAppBar-root .MuiTypography-root": {"color": "text.primary"},
    "& main": {"backgroundColor": "background.default"},
}

HEADER: Final = """
.MuiButton-root, .MuiToggleButton-root { color: var(--ink) !important; }
.MuiToggleButton-root.Mui-selected { color: var(--pri) !important; background: var(--prit) !important; }
"""
WRAPPED: Final = {"flexWrap": "wrap", "& .MuiToggleButton-root": {"width": "auto", "flex": "1 1 auto"}}
SMALL_LABEL: Final = ".MuiFormLabel-root { font-size: 13px; line-height: 18px; margin-bottom: 4px; }"
# which part stands where: three columns, two, or one below the other
GRID: Final = """
:host { display: grid !important; max-height: none !important; gap: 16px; padding: 16px 20px; box-sizing: border-box;
  width: 100%; align-items: start;
  grid-template-columns: 320px minmax(0, 1fr) 360px; grid-template-rows: auto auto 1fr auto;
  grid-template-areas: "log table next" "log table more" "log chances more" "transport transport ways"; }
.log { grid-area: log; } .table { grid-area: table; } .chances { grid-area: chances; } .next { grid-area: next; }
.more { grid-area: more; } .transport { grid-area: transport; } .ways { grid-area: ways; align-self: stretch; }
.transport, .ways { position: sticky; bottom: 8px; z-index: 5; }
.log, .table, .chances, .next, .more, .transport, .ways { width: auto !important; max-height: none !important; margin: 0 !important;
  min-width: 0; }
@media (max-width: 1279px) {
  :host { grid-template-columns: minmax(0, 1fr) 340px; grid-template-rows: none;
    grid-template-areas: "table next" "table more" "chances more" "log more" "transport ways"; }
}
@media (max-width: 899px) {
  :host { grid-template-columns: minmax(0, 1fr); gap: 12px; padding: 12px 10px;
    grid-template-areas: "table" "next" "chances" "log" "ways" "more" "transport"; }
  .ways { position: static; z-index: auto; }
}
"""
