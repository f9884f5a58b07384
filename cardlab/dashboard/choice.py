"""A list of choices: the browser's own, which is worked by keyboard, read aloud and enlarged as people are used to.

That of Panel Material UI 0.16 cannot be opened by keyboard, and its options are no options for a screen reader.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import param

from cardlab.dashboard.looks import style
from cardlab.dashboard.pane import Module


class Choice(Module):
    """A choice among ``options``, values by their labels; the browser knows labels alone.

    A plain sequence of options has their own names as labels. ``sheets`` are those of ``style.css`` beside its own.
    """

    _rename: ClassVar[Mapping[str, str | None]] = {"options": None, "value": None}  # they stay here

    options = param.Dict(default={})
    value = param.Parameter()
    label = param.String(default="")
    helper_text = param.String(default="")
    disabled = param.Boolean(default=False)
    labels = param.List(default=[], item_type=str)
    chosen = param.String(default="")
    picked = param.Dict(default={})
    answered = param.Number(default=0)

    _esm = """
    function render({ model, el }) {
      const box = document.createElement("div");
      const label = document.createElement("label");
      const select = document.createElement("select");
      const help = document.createElement("small");
      box.className = "choice";
      label.htmlFor = select.id = "choice";
      help.id = "help";
      box.append(label, select, help);
      el.append(box);
      const draw = () => {
        const labels = model.get("labels");
        if (labels.join("\\n") !== [...select.options].map((option) => option.label).join("\\n")) {
          select.replaceChildren(...labels.map((name) => new Option(name)));
        }
        select.selectedIndex = labels.indexOf(model.get("chosen"));
        select.disabled = model.get("disabled");
        label.textContent = model.get("label");
        label.hidden = !model.get("label");
        help.textContent = model.get("helper_text");
        help.hidden = !model.get("helper_text");
        if (help.hidden) select.removeAttribute("aria-describedby");
        else select.setAttribute("aria-describedby", "help");
      };
      select.addEventListener("change", () => {
        model.set("picked", { label: select.value, n: performance.now() });
        model.save_changes();
      });
      const drawn = ["labels", "chosen", "label", "helper_text", "disabled", "answered"];
      for (const name of drawn) model.on(`change:${name}`, draw);
      draw();
      return () => { for (const name of drawn) model.off(`change:${name}`, draw); };
    }
    export default { render };
    """

    def __init__(self, options: Mapping[str, Any] | Sequence[Any], *sheets: str, sheet: str = "", **params: Any) -> None:
        given = dict(options) if isinstance(options, Mapping) else {str(value): value for value in options}
        value = params.pop("value", next(iter(given.values())))
        look = {"stylesheets": [style("choice", *sheets) + sheet], "sizing_mode": None}
        super().__init__(options=given, value=value, labels=[*given], chosen=_label(given, value), **look | params)
        self.param.watch(self._tell, ["options", "value"])
        self.param.watch(lambda event: self._hear(**event.new), "picked")

    def _tell(self, *_: Any) -> None:
        self.param.update(labels=[*self.options], chosen=_label(self.options, self.value))

    def _hear(self, label: Any = None, n: Any = None) -> None:
        """Another choice; the browser draws the one that stands, which a refusal leaves as it was."""
        try:
            if isinstance(label, str) and label in self.options and not self.disabled:
                self.value = self.options[label]
        finally:
            if isinstance(n, int | float):
                self.answered = n


def _label(options: Mapping[str, Any], value: Any) -> str:
    return next((label for label, each in options.items() if each == value), "")
