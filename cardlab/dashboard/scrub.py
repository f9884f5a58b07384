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
    """A slider from 0 to ``end`` with named ``ticks``; where it is moved is told to ``heard``.

    Only one message is under way at a time: while it is dragged, the last place is told once the one before is drawn. ``mark`` names
    the game: what was moved on the slider of another is not told. A tick is a step, a name, and how much that name matters; names that
    would stand closer than 56 px merge into the one that matters most.
    """

    value = param.Integer(default=0)
    end = param.Integer(default=0)
    ticks = param.List(default=[])
    mark = param.String(default="")
    label = param.String(default="")
    said = param.String(default="")
    moved = param.Dict(default={})
    answered = param.Integer(default=0)

    _esm = """
    const NEAR = 56; // px
    function render({ model, el }) {
      const box = document.createElement("div");
      const input = document.createElement("input");
      const ticks = document.createElement("div");
      let held = false;
      let sent = 0; // the number of the last message
      let waiting = false; // for its answer
      let asked = null; // the last place it was moved to meanwhile
      input.type = "range";
      input.min = 0;
      input.step = 1;
      ticks.className = "ticks";
      ticks.ariaHidden = "true";
      box.className = "line";
      box.append(input, ticks);
      el.append(box);
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
      const make = (name, at) => {
        const element = document.createElement("span");
        element.className = name;
        element.style.left = `${100 * at / last()}%`;
        return element;
      };
      const mark = () => {
        const room = ticks.clientWidth;
        const marks = model.get("ticks");
        const here = marks.findLastIndex(([at]) => at <= model.get("value"));
        const bars = marks.length * 8 < room ? marks.map(([at]) => make("tick", at)) : []; // else a grey bar
        ticks.replaceChildren(...bars);
        const taken = [];
        const order = marks.map((tick, k) => [...tick, k])
          .sort((one, other) => (other[3] === here) - (one[3] === here) || other[2] - one[2] || one[0] - other[0]);
        for (const [at, label, , k] of order) {
          const place = at * room / last();
          const name = make(at === 0 ? "name first" : at === last() ? "name last" : "name", at);
          name.textContent = label;
          name.classList.toggle("on", k === here);
          ticks.append(name);
          const wide = name.offsetWidth;
          const left = place - (at === 0 ? 9 : at === last() ? wide - 9 : wide / 2);
          const close = ([start, end, other]) => (left < end + 10 && left + wide > start - 10) || Math.abs(other - place) < NEAR;
          if (taken.some(close) || left + wide > room + 18) name.remove();
          else taken.push([left, left + wide, place]);
        }
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
      for (const name of ["label", "said"]) model.on(`change:${name}`, draw);
      for (const name of ["value", "end", "ticks"]) model.on(`change:${name}`, () => { draw(); mark(); });
      model.on("change:answered", answer);
      const size = new ResizeObserver(mark);
      size.observe(ticks);
      draw();
      mark();
      return () => size.disconnect();
    }
    export default { render };
    """

    def __init__(self, heard: Callable[[int], Any], **params: Any) -> None:
        self._heard = heard
        super().__init__(stylesheets=[style("scrub")], sizing_mode="stretch_width", css_classes=["scrub"], **params)
        self.param.watch(lambda event: self._answer(**event.new), "moved")

    def _answer(self, go: Any = None, mark: Any = None, n: Any = None) -> None:
        try:
            if mark == self.mark and type(go) is int:
                self._heard(go)
        finally:
            if type(n) is int:
                self.answered = n
