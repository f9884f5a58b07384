"""What the page asks of the browser itself: its width, the language of the document, and an address without a seed."""

from __future__ import annotations

import param
from panel.custom import JSComponent


class Browser(JSComponent):
    """Draws nothing. ``width`` follows the window, in steps of 100 px; with ``secret`` the address bar forgets what was asked for."""

    width_now = param.Integer(default=1400)
    language = param.String(default="en")
    secret = param.Boolean(default=False)

    _esm = """
    export function render({ model }) {
      const measure = () => {
        const width = Math.floor(window.innerWidth / 100) * 100;
        if (model.width_now !== width) model.width_now = width;
      };
      const language = () => { document.documentElement.lang = model.language; };
      const forget = () => {
        if (model.secret && window.location.search) window.history.replaceState(null, "", window.location.pathname);
      };
      window.addEventListener("resize", measure);
      model.on("language", language);
      model.on("secret", forget);
      model.on("remove", () => window.removeEventListener("resize", measure));
      measure();
      language();
      forget();
      return document.createElement("span");
    }
    """

    def __init__(self, **params) -> None:
        super().__init__(margin=0, width=0, height=0, **params)

    @property
    def narrow(self) -> bool:
        """Whether it is as wide as a phone."""
        return self.width_now < 600
