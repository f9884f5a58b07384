"""What the page asks of the browser itself: its width, the language of the document, its address, and how large the projector is."""

from __future__ import annotations

import param

from cardlab.dashboard.pane import Module


class Browser(Module):
    """Draws nothing.

    ``columns`` follows the width of the window, of which a notebook leaves room for two, ``tall`` its height; ``address`` is shown in its
    bar, so that a reload leads back. In one column a change of ``sought`` brings what stands beside the table on wider screens into sight.
    """

    columns = param.Integer(default=3)
    tall = param.Boolean(default=True)
    language = param.String(default="en")
    address = param.String(default="")
    projector = param.Boolean(default=False)
    sought = param.Integer(default=0)

    _esm = """
    const WIDE = [window.matchMedia("(min-width: 900px)"), window.matchMedia("(min-width: 1280px)")];
    const TALL = window.matchMedia("(min-height: 1060px)");
    const DESIGNED = 1200; // the width for which the sizes of the page are meant
    function outermost(node) {
      const host = node.getRootNode().host;
      return host ? outermost(host) : node;
    }
    function render({ model, el }) {
      const root = document.documentElement;
      const guest = outermost(el).closest(".jp-OutputArea") !== null; // in a notebook the window belongs to somebody else
      const measure = () => {
        model.set("columns", Math.min(guest ? 2 : 3, 1 + WIDE.filter((query) => query.matches).length));
        model.set("tall", guest || TALL.matches);
        model.save_changes();
      };
      const language = () => { if (!guest) root.lang = model.get("language"); };
      const address = () => {
        const asked = model.get("address");
        if (asked && !guest && asked !== window.location.search) window.history.replaceState(null, "", asked);
      };
      const enlarge = () => {
        const times = model.get("projector") && !guest && WIDE[0].matches ? Math.max(1, window.innerWidth / DESIGNED) : 1;
        root.style.setProperty("--k", times);
      };
      const find = (node) => node.matches?.(".side") ? node : [...(node.shadowRoot || node).children].map(find).find(Boolean);
      const sought = () => { if (!WIDE[0].matches) find(document.body)?.scrollIntoView({ block: "start" }); };
      for (const query of [TALL, ...WIDE]) query.addEventListener("change", measure);
      window.addEventListener("resize", enlarge);
      for (const [name, then] of Object.entries({ language, address, sought, projector: enlarge })) model.on(`change:${name}`, then);
      for (const now of [measure, language, address, enlarge]) now();
      return () => {
        for (const query of [TALL, ...WIDE]) query.removeEventListener("change", measure);
        window.removeEventListener("resize", enlarge);
      };
    }
    export default { render };
    """

    def __init__(self, **params) -> None:
        super().__init__(margin=0, width=0, height=0, **params)
