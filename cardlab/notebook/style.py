"""The stepper's style sheet: the colours of a light page and of a dark one, and the pieces."""

from __future__ import annotations

from typing import Final

# In the rules below & is the stepper's own box, so that nothing else in the notebook is touched.
_RULES: Final = """
& {
  --ink: #1E2430; --ink2: #465061; --surface: #FFFFFF; --sunk: #F8F7F3; --line: #DEDAD0; --line2: #8B8F97; --pri: #24508F; --onpri: #FFFFFF;
  --prit: #E6EDF8; --felt: #DDE8E2; --markt: #FFF1D6; --mark: #B45F00; --bad: #C1272D;
  --s0: #00755E; --s1: #1257B8; --s2: #C1272D; --s3: #1E2430;
  color: var(--ink); background: var(--surface); border: 1px solid var(--line); border-radius: 12px; max-width: 1180px;
  font-variant-numeric: tabular-nums;
}
[data-jp-theme-light="false"] &, .vscode-dark & {
  --ink: #E9EDF3; --ink2: #BAC3CF; --surface: #171E28; --sunk: #1D2632; --line: #2D3847; --line2: #6C7A8D; --pri: #8FB6F2; --onpri: #0E1A2C;
  --prit: #22344F; --felt: #17302A; --markt: #3B2D13; --mark: #FFB84D; --bad: #FF8F89;
  --s0: #62D2B4; --s1: #8FBAFF; --s2: #FF8F89; --s3: #E9EDF3;
}
& > .widget-box, & > .widget-html { margin: 0 0 8px; }
& .widget-html-content, & .jupyter-widget-html-content { font-size: 14px; line-height: 20px; color: var(--ink); overflow: visible; }
& .widget-label { color: var(--ink2); overflow: visible; }
& .widget-text input[type="number"] { width: 76px; }
& .cl-row { gap: 6px 14px; }
& .cl-row > * { margin: 0; }

& .jupyter-button {
  width: auto; height: 34px; padding: 0 14px; font-size: 14px; line-height: 32px; overflow: visible;
  color: var(--ink); background: var(--surface); border: 1px solid var(--line2); border-radius: 8px;
}
& .jupyter-button:enabled:hover { background: var(--prit); }
& .jupyter-button:focus-visible { outline: 3px solid var(--pri); outline-offset: 2px; }
& .jupyter-button:disabled { opacity: .45; }
& .jupyter-button.mod-primary { color: var(--onpri); background: var(--pri); border-color: var(--pri); font-weight: 700; }
& .jupyter-button.mod-primary:enabled:hover { background: var(--pri); filter: brightness(1.12); }

& h3 { margin: 0 0 4px; font-size: 14px; line-height: 20px; font-weight: 700; color: var(--ink); }
& .cl-quiet, & .cl-odds p { margin: 0; color: var(--ink2); }
& .cl-odds { margin: 4px 0 0; }
& .cl-error { border: 2px solid var(--bad); border-radius: 8px; padding: 6px 12px; }
& .cl-text {
  margin: 0; padding: 14px; border-radius: 14px; white-space: pre; overflow-x: auto; color: var(--ink); background: var(--felt);
  font: 13px/20px "DejaVu Sans Mono", Consolas, Menlo, monospace;
}
& .cl-s0, & .cl-s1, & .cl-s2, & .cl-s3 { font-weight: 700; white-space: nowrap; }
& .cl-s0 { color: var(--s0); }
& .cl-s1 { color: var(--s1); }
& .cl-s2 { color: var(--s2); }
& .cl-s3 { color: var(--s3); }
& .cl-rule, & .cl-tag { font-size: 12px; font-weight: 700; white-space: nowrap; color: var(--pri); background: var(--prit); }
& .cl-rule { align-self: start; justify-self: start; padding: 0 8px; border-radius: 10px; line-height: 20px; text-decoration: none; }
& abbr.cl-rule { cursor: help; }
& .cl-tag { padding: 0 5px; border: 1px solid var(--pri); border-radius: 4px; line-height: 16px; }

/* turned round, a box keeps its last line in sight when its content is replaced */
& .cl-log {
  display: flex; flex-direction: column-reverse; max-height: 470px; overflow-y: auto;
  background: var(--sunk); border: 1px solid var(--line); border-radius: 8px;
}
& .cl-log ol, & .cl-rules { list-style: none; margin: 0; padding: 4px 0; }
& .cl-log li { display: grid; grid-template-columns: 34px 1fr auto; gap: 8px; margin: 0; padding: 3px 8px; }
& .cl-log li { border-left: 3px solid transparent; }
& .cl-log li.cl-new { background: var(--markt); border-left-color: var(--mark); }
& .cl-log li.cl-head { display: block; padding-top: 8px; color: var(--ink2); font-weight: 700; }
& .cl-n { color: var(--ink2); text-align: right; }
& .cl-rules { max-height: 320px; overflow-y: auto; }
& .cl-rules li { display: grid; grid-template-columns: 112px 1fr; gap: 8px; margin: 0 0 6px; }
"""
STYLE: Final = f"<style>{_RULES.replace('&', '.cardlab-stepper')}</style>"
