"""What the page asks of the browser itself: its width, the language of the document, its address, and how large the projector is."""

from __future__ import annotations

from typing import Final

import param

from cardlab.dashboard.pane import Module
from cardlab.words import Words

SAYINGS: Final = ("lost", "gone", "leaving", "go", "file")


class Browser(Module):
    """Draws nothing.

    ``columns`` follows the width of the window, of which a notebook leaves room for two, ``tall`` its height; ``address`` is shown in its
    bar, so that a reload leads back. In one column a change of ``sought`` brings what stands beside the table on wider screens into sight.

    A connection that is lost is said in ``sayings``, and that it is back. When the server no longer knows the page, ``back`` is what leads
    to where one was: a query for a new page, or a file to keep, named before the first line break; so it is when the server is ``leaving``.
    """

    columns = param.Integer(default=3)
    tall = param.Boolean(default=True)
    language = param.String(default="en")
    address = param.String(default="")
    projector = param.Boolean(default=False)
    sought = param.Integer(default=0)
    sayings = param.Dict(default={})
    back = param.String(default="")
    leaving = param.Boolean(default=False)

    _esm = """
    const WIDE = [window.matchMedia("(min-width: 900px)"), window.matchMedia("(min-width: 1280px)")];
    const TALL = window.matchMedia("(min-height: 1060px)");
    const DESIGNED = 1200; // the width for which the sizes of the page are meant
    function outermost(node) {
      const host = node.getRootNode().host;
      return host ? outermost(host) : node;
    }
    const AGAIN = 4000; // ms between two tries, once Bokeh has given up its own
    const strip = document.createElement("div");
    strip.className = "cl-connection";
    strip.style.cssText = "position:fixed;inset:66px 12px auto;z-index:2000;display:flex;flex-wrap:wrap;gap:6px 18px;align-items:center;" +
      "justify-content:space-between;max-width:760px;margin:auto;padding:12px 18px;border:1px solid #6C7A8D;border-radius:10px;" +
      "background:#1E2430;color:#fff;font:15px/22px Roboto,Segoe UI,Helvetica,Arial,sans-serif;box-shadow:0 6px 20px #0006";
    let current = null; // the model of the page, which a new connection replaces
    let heard = null; // the document whose connection is watched
    const say = (key) => {
      const sayings = current.get("sayings");
      strip.replaceChildren();
      if (!key) return strip.remove();
      strip.role = key === "lost" ? "status" : "alert";
      strip.lang = current.get("language");
      strip.append(Object.assign(document.createElement("span"), { textContent: sayings[key] }));
      const [back, file] = current.get("back").split("\\n");
      if (key !== "lost" && back) {
        const link = document.createElement("a");
        if (file) {
          link.href = URL.createObjectURL(new Blob([file + "\\n"], { type: "text/plain" }));
          link.download = back;
        } else link.href = back;
        link.textContent = sayings[file ? "file" : "go"];
        link.style.cssText = "color:#9CC0FF;font-weight:700;padding:4px 0";
        strip.append(link);
      }
      document.body.append(strip);
    };
    const lost = async (event) => {
      if (event.attempts === 0 && event.timeout !== null) return; // the first try comes at once
      const ticket = event.connection.deref()?.token || "";
      const answer = await fetch("here", { cache: "no-store", headers: { "Cardlab-Ticket": ticket } }).catch(() => null);
      if (answer?.status === 410) return say("gone");
      say("lost");
      if (event.timeout === null) setTimeout(() => event.reconnect(), AGAIN);
    };
    const watch = () => {
      const doc = window.Bokeh?.documents.at(-1);
      if (!doc || doc === heard) return;
      heard = doc;
      doc.on_event("connection_lost", (_, event) => lost(event));
      doc.on_event("client_reconnected", () => say(""));
    };
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
      if (!guest) {
        current = model;
        watch();
        model.on("change:leaving", () => say(model.get("leaving") ? "leaving" : ""));
      }
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

    def speak(self, words: Words) -> None:
        """What is said of the connection, in the language of ``words``."""
        self.put(language=words.language, sayings={name: words.text(f"connection.{name}") for name in SAYINGS})
