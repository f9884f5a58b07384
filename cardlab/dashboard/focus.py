"""Where the focus is while a dialog is open, and after it.

Material UI keeps the focus in a dialog and gives it back by ``document.activeElement``, which in a page of shadow roots is never the
element itself: one could tab out of a dialog into nothing, and after it stood nowhere.
"""

from __future__ import annotations

from cardlab.dashboard.pane import Module


class Focus(Module):
    """Draws nothing: Tab goes round in an open dialog, and what had the focus before has it again when the dialog is gone."""

    _esm = """
    const STOPS = "a[href], button, input, select, textarea, [tabindex]";
    const parent = (node) => node.assignedSlot || node.parentNode || node.host;
    function dialogOf(node) {
      for (let at = node; at; at = parent(at)) if (at.role === "dialog") return at;
      return null;
    }
    function stops(node) {
      const own = node.matches?.(STOPS) && node.tabIndex >= 0 && !node.disabled && node.checkVisibility?.({ visibilityProperty: true });
      const within = node.localName === "slot" ? node.assignedElements() : (node.shadowRoot || node).children || [];
      return [...(own ? [node] : []), ...[...within].flatMap(stops)];
    }
    function active() {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at;
    }
    function render() {
      let before = null; // the element to go back to
      let open = null; // the dialog
      const gone = new MutationObserver(() => {
        if (!open || open.isConnected) return;
        open = null;
        gone.disconnect();
        setTimeout(() => active() === document.body && before?.isConnected && before.focus({ preventScroll: true }));
      });
      // At a key or a click, for of the focus that moves within one shadow root nobody outside of it hears.
      const look = (event) => {
        const at = active();
        const dialog = dialogOf(at);
        if (dialog && dialog !== open) {
          open = dialog;
          gone.observe(dialog.getRootNode(), { childList: true, subtree: true });
        }
        if (!open) before = event.type === "keydown" ? at : event.composedPath().find((node) => node.matches?.(STOPS)) || null;
      };
      const tabbed = (event) => {
        look(event);
        if (event.key !== "Tab" || !open?.isConnected) return;
        const all = stops(open);
        const at = all.indexOf(active());
        const end = event.shiftKey ? at <= 0 : at === all.length - 1;
        if (!end) return;
        event.preventDefault();
        (event.shiftKey ? all.at(-1) : all[0])?.focus();
      };
      const listened = [["keydown", tabbed], ["pointerdown", look]];
      for (const [kind, then] of listened) document.addEventListener(kind, then, true);
      return () => {
        gone.disconnect();
        for (const [kind, then] of listened) document.removeEventListener(kind, then, true);
      };
    }
    export default { render };
    """

    def __init__(self, **params) -> None:
        super().__init__(margin=0, width=0, height=0, **params)
