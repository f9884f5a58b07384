"""The picture of a figure, made by the browser that draws it."""

from __future__ import annotations

import param

from cardlab.dashboard.pane import Module


class Shot(Module):
    """Draws nothing; ``wanted`` has the kind and the name of a file, the colour of its ground, and a number that counts up."""

    wanted = param.Dict(default={})

    _esm = """
    const hand = (blob, name) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    };
    const figure = () => {
      for (const root of window.Bokeh.index) {
        const view = window.Bokeh.index.find_one ? [...window.Bokeh.index.query((each) => each.model.type === "Figure")][0] : root;
        if (view) return view;
      }
      return null;
    };
    const save = async ({ kind, name, ground }) => {
      const view = figure();
      if (!view) return;
      if (kind === "svg") {
        const text = await (await view.export("svg", false).to_blob()).text();
        const painted = text.replace(/(<svg[^>]*>)/, `$1<rect width="100%" height="100%" fill="${ground}"/>`);
        hand(new Blob([painted], { type: "image/svg+xml" }), name);
        return;
      }
      const drawn = view.export("png", true).canvas;
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [drawn.width, drawn.height];
      const pen = canvas.getContext("2d");
      pen.fillStyle = ground;
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(drawn, 0, 0);
      canvas.toBlob((blob) => hand(blob, name), "image/png");
    };
    function render({ model }) {
      const told = () => model.get("wanted").kind && save(model.get("wanted"));
      model.on("change:wanted", told);
      return () => {}; // Panel calls it when the view goes
    }
    export default { render };
    """

    def __init__(self, **params) -> None:
        super().__init__(margin=0, width=0, height=0, **params)

    def take(self, kind: str, name: str, ground: str) -> None:
        """Has the browser save the figure that it shows, as PNG or SVG."""
        self.wanted = {"kind": kind, "name": name, "ground": ground, "n": self.wanted.get("n", 0) + 1}
