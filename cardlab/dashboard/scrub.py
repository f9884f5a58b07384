"""The slider over the whole game so far.

A plain one, for the stock widgets of React write a value back that the server has changed meanwhile: two quick steps, and the page
would go back by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import param

from cardlab.dashboard.looks import style
from cardlab.dashboard.pane import Module


class Scrub(Module):
    """A slider from 0 to ``end``; where it is moved is told to ``heard``.

    Only one message is under way at a time: while it is dragged, the last place is told once the one before is drawn. ``mark`` names
    the game: what was moved on the slider of another is not told.
    """

    value = param.Integer(default=0)
    end = param.Integer(default=0)
    mark = param.String(default="")
    label = param.String(default="")
    said = param.String(default="")
    moved = param.Dict(default={})
    answered = param.Integer(default=0)

    _esm = """
    function render({ model, el }) {
      const input = document.createElement("input");
      let held = false;
      let sent = 0; // the number of the last message
      let waiting = false; // for its answer
      let asked = null; // the last place it was moved to meanwhile
      input.type = "range";
      input.min = 0;
      input.step = 1;
      el.append(input);
      const last = () => Math.max(model.get("end"), 1);
      const fill = () => input.style.setProperty("--done", `${100 * input.valueAsNumber / last()}% 100%`);
      const draw = () => {
        input.max = last();
        input.disabled = model.get("end") === 0;
        input.setAttribute("aria-label", model.get("label"));
        input.setAttribute("aria-valuetext", model.get("said"));
        if (!held && !waiting) input.value = model.get("value");
        fill();
      };
      const tell = () => {
        sent += 1;
        waiting = true;
        model.set("moved", { go: asked, mark: model.get("mark"), n: sent });
        model.save_changes();
        asked = null;
      };
      const answer = () => {
        if (model.get("answered") !== sent) return;
        waiting = false;
        if (asked !== null) tell();
        else draw();
      };
      input.addEventListener("pointerdown", () => { held = true; });
      for (const name of ["pointerup", "pointercancel"]) input.addEventListener(name, () => { held = false; });
      input.addEventListener("input", () => {
        asked = input.valueAsNumber;
        fill();
        if (!waiting) tell();
      });
      for (const name of ["label", "said", "value", "end"]) model.on(`change:${name}`, draw);
      model.on("change:answered", answer);
      draw();
      return () => {}; // Panel calls it when the view goes
    }
    export default { render };
    """

    def __init__(self, heard: Callable[[int], Any], **params: Any) -> None:
        self._heard = heard
        super().__init__(stylesheets=[style("slider")], sizing_mode="stretch_width", margin=0, **params)
        self.param.watch(lambda event: self._answer(**event.new), "moved")

    def _answer(self, go: Any = None, mark: Any = None, n: Any = None) -> None:
        try:
            if mark == self.mark and type(go) is int:
                self._heard(go)
        finally:
            if type(n) is int:
                self.answered = n
