"""Pages of a few words that need no session: where somebody has to wait, to go elsewhere, or to say the password."""

from __future__ import annotations

from html import escape
from typing import Final

from cardlab.dashboard.icons import LOGO, favicon
from cardlab.view.tokens import DARK, FONT, LIGHT, variables
from cardlab.words import Words

STYLE: Final = f"""
:root {{ {variables(LIGHT)} color-scheme: light; }}
@media (prefers-color-scheme: dark) {{ :root {{ {variables(DARK)} color-scheme: dark; }} }}
body {{ margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--bg); color: var(--ink);
  font: 16px/24px {FONT}; }}
main {{ box-sizing: border-box; width: min(520px, 100vw - 32px); margin: 16px; padding: 28px 32px; background: var(--surface);
  border: 1px solid var(--line); border-radius: 12px; }}
header {{ display: flex; align-items: center; gap: 10px; font-weight: 700; color: var(--ink2); }}
h1 {{ font-size: 24px; line-height: 32px; margin: 20px 0 8px; }}
p {{ margin: 0 0 12px; overflow-wrap: anywhere; }}
a {{ color: var(--pri); }}
label {{ display: block; font-weight: 700; margin: 16px 0 6px; }}
input {{ box-sizing: border-box; width: 100%; height: 44px; padding: 0 12px; font: inherit; color: inherit; background: var(--surface);
  border: 1px solid var(--line2); border-radius: 8px; }}
button {{ height: 44px; margin: 16px 0 4px; padding: 0 20px; font: inherit; font-weight: 700; color: var(--onpri); background: var(--pri);
  border: 0; border-radius: 8px; cursor: pointer; }}
:focus-visible {{ outline: 3px solid var(--pri); outline-offset: 2px; }}
.fault {{ margin: 10px 0 0; color: var(--bad); font-weight: 700; }}
"""


def page(words: Words, title: str, *sentences: str, form: str = "") -> str:
    """A page in the language of ``words``; ``sentences`` are keys or HTML of their own.

    >>> "<h1>The room is full</h1>" in page(Words("en"), "serve.full.title")
    True
    """
    text = words.text
    said = "".join(line if line.startswith("<") else f"<p>{escape(text(line))}</p>" for line in sentences)
    return (
        f'<!DOCTYPE html><html lang="{words.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<title>{escape(text(title))} · cardlab</title><link rel="icon" href="{escape(favicon())}"><style>{STYLE}</style></head><body>'
        f"<main><header>{LOGO}cardlab</header><h1>{escape(text(title))}</h1>{said}{form}</main></body></html>"
    )


def login(words: Words, hidden: str, wrong: str = "") -> str:
    """The page that asks for the password; ``hidden`` are fields that go along, ``wrong`` the key of what was wrong with the last one."""
    text = words.text
    fault = f'<p class="fault" role="alert" id="fault">{escape(text(wrong))}</p>' if wrong else ""
    described = ' aria-describedby="fault" aria-invalid="true"' if wrong else ""
    form = (
        f'<form method="post">{hidden}<label for="password">{escape(text("serve.login.password"))}</label>'
        f'<input id="password" name="password" type="password" required autofocus autocomplete="current-password"{described}>{fault}'
        f"<button>{escape(text('serve.login.enter'))}</button></form>"
    )
    return page(words, "serve.login.title", "serve.login.about", form=form)
