"""The dialog that shares the moment: what the link holds, the link to copy, the file in its place, and a file to open."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any, Final

import panel as pn
import panel_material_ui as pmui
import param

from cardlab.core.events import TEACHER, Seat
from cardlab.dashboard.boxes import dialog
from cardlab.dashboard.looks import style
from cardlab.dashboard.pane import Module, Pane
from cardlab.desk import Desk
from cardlab.desk.links import LARGEST, LONGEST, Shared, share
from cardlab.words.errors import CardlabError

WIDE: Final[dict[str, Any]] = {"sizing_mode": "stretch_width", "width": None, "margin": 0}


class LinkField(Module):
    """The whole address of a link, to read and to copy; where the clipboard is not allowed its text is selected.

    A guest of a notebook has no address of its own: there it is what comes after that of a page.
    """

    text = param.String(default="")
    guest = param.Boolean(default=False)
    label = param.String(default="")
    copy = param.String(default="")
    copied = param.String(default="")
    selected = param.String(default="")

    _esm = """
    function render({ model, el }) {
      const box = document.createElement("div");
      const input = document.createElement("input");
      const button = document.createElement("button");
      const said = document.createElement("span");
      box.className = "link";
      input.readOnly = true;
      said.setAttribute("role", "status");
      box.append(input, button, said);
      el.append(box);
      const draw = () => {
        const { origin, pathname } = window.location;
        input.value = model.get("text") && `${model.get("guest") ? "" : origin + pathname}?link=${model.get("text")}`;
        input.setAttribute("aria-label", model.get("label"));
        button.textContent = model.get("copy");
        said.textContent = "";
        box.hidden = !model.get("text");
      };
      const copy = async () => {
        input.focus();
        input.select();
        let done = false;
        try {
          await navigator.clipboard.writeText(input.value);
          done = true;
        } catch {
          try { done = document.execCommand("copy"); } catch { done = false; }
        }
        said.textContent = model.get(done ? "copied" : "selected");
      };
      input.addEventListener("focus", () => input.select());
      button.addEventListener("click", copy);
      for (const name of ["text", "label", "copy"]) model.on(`change:${name}`, draw);
      draw();
      return () => {}; // Panel calls it when the view goes
    }
    export default { render };
    """

    def __init__(self, **params: Any) -> None:
        super().__init__(stylesheets=[style("link")], **WIDE, **params)


class FileField(Module):
    """A file to open: its text is told to ``heard``, or, where it is too large to be one, nothing but a text as long as that."""

    label = param.String(default="")
    most = param.Integer(default=LARGEST)
    opened = param.Dict(default={})

    _esm = """
    function render({ model, el }) {
      const label = document.createElement("label");
      const input = document.createElement("input");
      const said = document.createElement("span");
      input.type = "file";
      input.accept = ".txt,.jsonl,.json,.cardlab";
      label.className = "file";
      label.append(said, input);
      el.append(label);
      const draw = () => { said.textContent = model.get("label"); };
      input.addEventListener("change", async () => {
        const file = input.files[0];
        if (!file) return;
        const most = model.get("most");
        const text = file.size > most ? "x".repeat(most + 1) : await file.text();
        model.set("opened", { text, n: performance.now() });
        model.save_changes();
        input.value = "";
      });
      model.on("change:label", draw);
      draw();
      return () => {}; // Panel calls it when the view goes
    }
    export default { render };
    """

    def __init__(self, heard: Callable[[str], Any], **params: Any) -> None:
        super().__init__(stylesheets=[style("file")], sizing_mode=None, width=None, margin=0, **params)
        self.param.watch(lambda event: event.new and heard(str(event.new.get("text", ""))), "opened")


class Sharing:
    """The dialog; ``press`` hears of its buttons, ``opened`` of the text of a file; ``guest`` says that it stands in a notebook."""

    def __init__(self, press: Callable[[str], Any], opened: Callable[[str], Any], guest: bool = False) -> None:
        self.shared: Shared | None = None
        self.about, self.strip = Pane(style=style("sharing")), Pane()
        self.link = LinkField(guest=guest)
        self.save = pmui.Button(variant="outlined", margin=0, stylesheets=[style("button")])
        self.close = pmui.Button(variant="outlined", margin=0, stylesheets=[style("button")])
        self.file = FileField(opened)
        for name, button in (("save_link", self.save), ("unshare", self.close)):
            button.on_click(lambda event, name=name: press(name))
        row = pn.Row(
            self.save, self.file, self.close, margin=(12, 0), sizing_mode="stretch_width", styles={"gap": "10px", "flex-wrap": "wrap"}
        )
        self.dialog = dialog("sm", pn.Column(self.about, self.link, self.strip, row, sizing_mode="stretch_width", margin=(0, 8)))

    def show(self, desk: Desk) -> None:
        """The link of the moment, as its viewpoint knows it; a refusal stands in its place."""
        self.label(desk)
        self.shared, said = None, []
        try:
            self.shared = share(desk)
        except CardlabError as refusal:
            said.append(refusal.say(desk.words))
        if self.shared is not None:
            said = held(desk, self.shared)
            said += [desk.words.text("page.share.guest")] if self.link.guest and self.shared.fits else []
        self.about.lines = [f"<p>{escape(line)}</p>" for line in said]
        self.link.text = self.shared.text if self.shared is not None and self.shared.fits else ""
        self.save.disabled = self.shared is None
        self.strip.lines = []
        self.dialog.open = True

    def label(self, desk: Desk) -> None:
        """All texts anew."""
        text = desk.words.text
        self.dialog.title = text("page.share")
        self.link.param.update(
            label=text("page.share.link"),
            copy=text("page.share.copy"),
            copied=text("page.share.copied"),
            selected=text("page.share.selected"),
        )
        self.save.label, self.close.label, self.file.label = text("page.share.save"), text("page.close"), text("page.share.open")

    def forget(self) -> None:
        """Nothing stays of what was shared or opened."""
        self.shared, self.link.text, self.about.lines, self.about.file, self.file.opened = None, "", [], {}, {}

    def hand_over(self) -> None:
        """Hands the file to the browser."""
        if self.shared is not None:
            self.about.save(self.shared.file)


def held(desk: Desk, shared: Shared) -> list[str]:
    """What a link holds, and whether it can be sent."""
    words, n = desk.words, len(shared.text)
    if desk.viewer == TEACHER:
        lines = [words.text("page.share.teacher")]
    else:
        who = words.seat(desk.viewer) if isinstance(desk.viewer, Seat) else words.text("page.share.spectator")
        lines = [words.text("page.share.seen", who=who, at=desk.at)]
    return [*lines, words.text("page.share.length", n=n) if shared.fits else words.text("page.share.long", n=n, most=LONGEST)]
