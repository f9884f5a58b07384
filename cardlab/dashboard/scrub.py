"""The slider over the whole game so far.

A plain one, for the stock widgets of React write a value back that the server has changed meanwhile: two quick steps, and the page
would go back by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import param
from panel.custom import JSComponent

STYLE: Final = """
:host { display: block; color: var(--ink2); font: 12px/18px Roboto, "Segoe UI", Helvetica, Arial, "DejaVu Sans", sans-serif; }
input { width: 100%; margin: 0; height: 24px; accent-color: var(--pri); cursor: pointer; display: block; }
input:focus-visible { outline: 3px solid var(--pri); outline-offset: 2px; border-radius: 6px; }
.ticks { position: relative; height: 26px; margin: 0 8px; }
.tick { position: absolute; white-space: nowrap; transform: translateX(-50%); padding-top: 8px; }
.tick::before { content: ""; position: absolute; left: 50%; top: 0; height: 6px; border-left: 1px solid var(--line2); }
.tick.first { transform: none; } .tick.first::before { left: 0; }
@media (max-width: 599px) { .ticks { height: 8px; } .tick { font-size: 0; } }
"""


class Scrub(JSComponent):
    """A slider from 0 to ``end`` with named ``ticks``; where it is moved is told to ``heard``.

    ``mark`` names the game: what was moved on the slider of another is not told.
    """

    value = param.Integer(default=0)
    end = param.Integer(default=0)
    ticks = param.List(default=[])
    mark = param.String(default="")
    label = param.String(default="")
    said = param.String(default="")

    _esm = """
    export function render({ model }) {
      const box = document.createElement("div");
      const input = document.createElement("input");
      const ticks = document.createElement("div");
      let held = false;
      input.type = "range";
      input.min = 0;
      input.step = 1;
      ticks.className = "ticks";
      ticks.ariaHidden = "true";
      box.append(input, ticks);
      const draw = () => {
        input.max = Math.max(model.end, 1);
        input.disabled = model.end === 0;
        input.setAttribute("aria-label", model.label);
        input.setAttribute("aria-valuetext", model.said);
        if (!held) input.value = model.value;
      };
      const mark = () => {
        ticks.replaceChildren(...model.ticks.map(({ value, label }) => {
          const tick = document.createElement("span");
          tick.className = value ? "tick" : "tick first";
          tick.style.left = `${100 * value / Math.max(model.end, 1)}%`;
          tick.textContent = label || "\\u00a0";
          return tick;
        }));
      };
      input.addEventListener("pointerdown", () => { held = true; });
      for (const name of ["pointerup", "pointercancel", "change"]) input.addEventListener(name, () => { held = false; });
      input.addEventListener("input", () => model.send_msg({ go: input.valueAsNumber, mark: model.mark }));
      for (const name of ["value", "label", "said"]) model.on(name, draw);
      for (const name of ["end", "ticks"]) model.on(name, () => { draw(); mark(); });
      draw();
      mark();
      return box;
    }
    """

    def __init__(self, heard: Callable[[int], Any], **params: Any) -> None:
        self._heard = heard
        super().__init__(stylesheets=[STYLE], sizing_mode="stretch_width", **params)

    def _handle_msg(self, data: Any) -> None:
        if isinstance(data, dict) and data.get("mark") == self.mark and type(data.get("go")) is int:
            self._heard(data["go"])
