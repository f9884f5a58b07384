"""The field in which somebody types what happens at a real table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import param

from cardlab.dashboard.looks import style
from cardlab.dashboard.pane import Module


class Typed(Module):
    """A line of text, told to ``heard`` with Enter; it is emptied when the moment changes, so that a refused one stays to be mended."""

    label = param.String(default="")
    mark = param.String(default="")
    typed = param.Dict(default={})

    _esm = """
    function render({ model, el }) {
      const input = document.createElement("input");
      el.append(input);
      const draw = () => {
        input.placeholder = model.get("label");
        input.setAttribute("aria-label", model.get("label"));
      };
      input.maxLength = 80;
      input.autocomplete = "off";
      input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || !input.value.trim()) return;
        model.set("typed", { text: input.value, mark: model.get("mark"), n: performance.now() });
        model.save_changes();
      });
      model.on("change:label", draw);
      model.on("change:mark", () => { input.value = ""; });
      draw();
      return () => {}; // Panel calls it when the view goes
    }
    export default { render };
    """

    def __init__(self, heard: Callable[[str], Any], **params: Any) -> None:
        super().__init__(stylesheets=[style("typed")], sizing_mode="stretch_width", margin=0, **params)
        self.param.watch(lambda event: event.new.get("mark") == self.mark and heard(str(event.new.get("text", ""))), "typed")
