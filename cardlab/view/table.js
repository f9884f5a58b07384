// One piece of the screen in every host: lines of HTML or SVG that Python made, enlivened. It knows no rule and no card.
const STILL = window.matchMedia("(prefers-reduced-motion: reduce)");
const TRAVEL = { duration: 220, easing: "ease-out" };
const NARROW = 600; // px
const NEAR = 56; // px
const OWN_KEYS = "input, select, textarea, [contenteditable], [role=slider], [role=combobox], [role=listbox], [role=option], [role=menu]";
const FIELD = "input, select";
const PRESSED = "button, a, [role=button], [role=tab], [role=radio], summary";
let panes = 0;

export default {
  render({ model, el }) {
    const ids = `$1cl${(panes += 1)}${Math.random().toString(36).slice(2, 7)}-`; // two tables on a page share no id
    const own = (markup) => markup.replace(/(id="|name="|#)cl-/g, ids);
    const root = make("div", "cl-pane");
    const sprite = make("div", "cl-sprite");
    const box = make("div", "cl-box");
    const bubble = make("div", "cl-bubble");
    bubble.role = "tooltip";
    bubble.hidden = true;
    const live = make("div", "cl-live"); // what a screen reader says by itself
    root.append(sprite, box, bubble);
    if (model.get("spoken").n) {
      live.role = "log";
      live.ariaLive = "polite";
      root.append(live);
    }
    el.append(root);
    let shown = [];
    let drawn = 0; // when
    let revealed = null; // the element that was last brought into sight
    let narrow = null; // whether it is, once that is known
    let heard = model.get("spoken").n; // the number of what was said last: who comes later hears what comes later
    let keyAt = ""; // the mark at which a held key was last told

    const tell = (name, value) => {
      model.set(name, value);
      model.save_changes();
    };
    // A file comes as its bytes; a drawing that is to be painted leaves as a picture of twice its size.
    const save = () => {
      const file = model.get("file");
      if (!file?.name) return;
      const blob = new Blob([Uint8Array.from(atob(file.data), (letter) => letter.charCodeAt(0))], { type: file.mime });
      if (file.paint) paint(blob, (painted) => hand(painted, file.name));
      else hand(blob, file.name);
    };
    const keys = () => model.get("hotkeys") || model.get("keys") || []; // ipywidgets has a use of its own for the second name

    // drawing

    const draw = () => {
      const lines = model.get("lines");
      let same = 0;
      while (same < shown.length && same < lines.length && shown[same] === lines[same]) same += 1;
      if (same === lines.length && same === shown.length) return;
      let end = 0; // so many lines at the end are the same, too
      const most = Math.min(shown.length, lines.length) - same;
      while (end < most && shown.at(-1 - end) === lines.at(-1 - end)) end += 1;
      const before = places();
      const active = box.getRootNode().activeElement;
      const focused = active && box.contains(active) ? active : null;
      for (const element of [...box.children].slice(same, box.children.length - end)) element.remove();
      const fresh = own(lines.slice(same, lines.length - end).join(""));
      if (end) box.children[same].insertAdjacentHTML("beforebegin", fresh);
      else box.insertAdjacentHTML("beforeend", fresh);
      shown = [...lines];
      mark();
      bottom();
      thin();
      reveal();
      hide();
      if (focused && !box.contains(focused)) refocus(focused);
      travel(before);
      requestAnimationFrame(reach);
      handle();
      drawn = performance.now();
    };
    const mark = () => {
      for (const element of box.querySelectorAll("[data-say].now")) element.classList.remove("now");
      for (const say of model.get("now").split(" ").filter(Boolean)) {
        for (const element of box.querySelectorAll(`[data-say="${say}"]`)) element.classList.add("now");
      }
    };
    const now = () => {
      mark();
      thin();
    };
    const bottom = () => {
      if (model.get("follow")) box.scrollTop = box.scrollHeight;
    };
    // Of names along a line that would touch or stand closer than NEAR the one of now stays, then the weightiest; none sticks out.
    const thin = () => {
      const names = [...box.querySelectorAll("[data-weight]")];
      for (const name of names) name.hidden = false;
      const room = box.querySelector(".ticks")?.offsetWidth || 0;
      const places = names.map((name) => [name, name.offsetWidth, room * parseFloat(name.style.left) / 100]);
      const taken = [];
      const weight = (name) => (name.matches(".now") ? Infinity : Number(name.dataset.weight));
      for (const [name, wide, at] of places.sort(([one], [other]) => weight(other) - weight(one) || 0)) {
        const left = Math.max(-8, Math.min(at - wide / 2, room + 8 - wide));
        name.style.marginLeft = `${left - at}px`;
        name.hidden = taken.some(([from, to, near]) => (left < to + 8 && left + wide > from - 8) || Math.abs(at - near) < NEAR);
        if (!name.hidden) taken.push([left, left + wide, at]);
      }
      const bars = box.querySelectorAll(".ticks i");
      for (const bar of bars) bar.hidden = bars.length * 8 >= room; // else a grey bar
    };
    // What is to be shown comes into sight, at the latest when the pane itself is to be seen.
    const reveal = () => {
      const element = box.querySelector("[data-show]");
      if (!element || element === revealed || !root.offsetHeight) return; // in this order: to measure lays the whole page out
      revealed = element;
      element.scrollIntoView({ block: "center", behavior: STILL.matches ? "auto" : "smooth" });
    };
    // The handle of a notebook's slider has no name of its own.
    const handle = () => {
      const named = box.querySelector("[data-handle]");
      if (named) root.closest(".cl-scrub")?.querySelector("[role=slider]")?.setAttribute("aria-label", named.dataset.handle);
    };
    // What scrolls, and holds nothing to tab to, is tabbed to itself.
    const reach = () => {
      if (box.querySelector("button, a, input, select, [tabindex]")) return;
      if (box.scrollHeight > box.clientHeight && getComputedStyle(box).overflowY !== "visible") box.tabIndex = 0;
    };
    const name = () => {
      box.setAttribute("aria-label", model.get("label"));
      if (model.get("label")) box.role = "region";
      if (model.get("follow")) box.tabIndex = 0;
    };
    const drawSprite = () => {
      sprite.innerHTML = own(model.get("sprite"));
    };
    // Whoever works by keyboard stays on the same card, or near what can be done next.
    const refocus = ({ dataset, type, value }) => {
      const same = `[data-say="${dataset.say}"]`;
      const radio = type === "radio" ? [`${same}[value="${value}"]`] : [];
      const names = [...radio, same, `[data-key="${dataset.key}"][data-say]`, `button[data-key="${dataset.key}"]`, "[data-say]"];
      const next = names.map((selector) => box.querySelector(selector)).find(Boolean);
      if (!next) box.tabIndex = -1;
      (next || box).focus({ preventScroll: true });
      if (type !== "range" || next?.type !== "range") return;
      next.value = value; // where it is being moved now, not where it was told to be
      readout(next);
    };

    // the card that moved travels

    const table = () => box.querySelector("svg[data-step]");
    const places = () => {
      const svg = table();
      if (!svg || STILL.matches || performance.now() - drawn < 300) return null;
      const found = new Map();
      for (const element of svg.querySelectorAll("[data-key], [data-zone]")) {
        found.set(element.dataset.key || element.dataset.zone, element.getBoundingClientRect());
      }
      return { found, step: Number(svg.dataset.step) };
    };
    const travel = (before) => {
      const svg = table();
      if (!before || !svg || svg.dataset.peek || Number(svg.dataset.step) <= before.step) return;
      const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width || 1;
      for (const card of svg.querySelectorAll("[data-from]")) {
        const from = before.found.get(card.dataset.key) || before.found.get(card.dataset.from);
        if (!from) continue;
        const to = card.getBoundingClientRect();
        const x = (from.x + from.width / 2 - to.x - to.width / 2) / scale;
        const y = (from.y + from.height / 2 - to.y - to.height / 2) / scale;
        card.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], TRAVEL);
      }
    };

    // saying why

    const said = (element) => element.dataset.why || model.get("titles")[element.dataset.title] || "";
    const say = (event) => {
      const element = event.target.closest?.("[data-why], [data-title]");
      if (!element || !said(element)) return hide();
      bubble.textContent = said(element);
      bubble.hidden = false;
      const [at, here] = [element.getBoundingClientRect(), root.getBoundingClientRect()];
      const zoom = root.currentCSSZoom || 1; // a projector enlarges some panes
      const left = (at.x - here.x + at.width / 2) / zoom - bubble.offsetWidth / 2;
      const above = (at.y - here.y) / zoom - bubble.offsetHeight - 8;
      bubble.style.left = `${Math.max(0, Math.min(left, root.offsetWidth - bubble.offsetWidth))}px`;
      bubble.style.top = `${above < 0 ? (at.bottom - here.y) / zoom + 8 : above}px`;
    };
    const hide = () => {
      bubble.hidden = true;
    };

    // saying what is new

    const speak = () => {
      const { n = 0, said = [], language, fresh } = model.get("spoken");
      if (!n || fresh) live.replaceChildren();
      if (n <= heard) return;
      heard = n;
      for (const sentence of said) {
        const line = make("p", "");
        line.lang = language;
        line.textContent = sentence;
        live.append(line);
        setTimeout(() => line.remove(), 10_000); // it is in the log, and to be found there alone
      }
    };

    // what is told to Python

    const click = (event) => {
      if (event.target.closest("[data-skip]")) skip();
      const element = event.target.closest("[data-say]");
      const line = element ? null : event.target.closest("[data-scrub]"); // a press on it leads to the step that stands there
      if (line) {
        const place = line.getBoundingClientRect();
        const step = Math.round(Number(line.dataset.scrub) * Math.min(Math.max((event.clientX - place.x) / place.width, 0), 1));
        tellSaid([`go-${step}`]);
      }
      if (element && !element.matches(FIELD)) tellSaid("form" in element.dataset ? [...fields(), element.dataset.say] : [element.dataset.say]);
    };
    const tellSaid = (says) => tell("said", { say: says.join("\n"), mark: model.get("mark"), n: performance.now() });
    // A field is told when it is let go of, an input with all others: of two messages that come together the host hears the last alone.
    const change = ({ target }) => {
      if (target.matches(FIELD) && target.dataset.say) tellSaid(target.matches("input") ? fields() : [standing(target)]);
    };
    const standing = (field) => `${field.dataset.say} ${field.value}`;
    const fields = () => [...box.querySelectorAll("[data-say]:is(select, [type=range], [type=text], :checked)")].map(standing);
    // On the way a slider says beside it where it stands.
    const readout = (slider) => {
      const said = slider.value + (slider.dataset.unit || "");
      slider.style.setProperty("--done", `${(100 * (slider.value - slider.min)) / (slider.max - slider.min)}%`);
      slider.setAttribute("aria-valuetext", said);
      const output = slider.parentElement.querySelector("output");
      if (output) output.value = said;
    };
    const move = ({ target }) => {
      if (target.type === "range") readout(target);
    };
    let peeking = 0;
    const peek = (event) => {
      const step = event.target.closest?.("[data-peek]")?.dataset.peek || "";
      clearTimeout(peeking);
      peeking = setTimeout(() => step !== model.get("peeked") && tell("peeked", step), step ? 120 : 60);
    };
    const unpeek = () => {
      clearTimeout(peeking);
      if (model.get("peeked")) tell("peeked", "");
    };
    const pressed = (event) => {
      if (event.key === "Escape") hide();
      if (event.target.role === "tab") along(event);
      const within = event.target.closest?.("[data-say]");
      if (within && within.role === "button" && ["Enter", " "].includes(event.key)) {
        event.preventDefault();
        event.stopPropagation();
        if (!event.repeat) click(event);
      }
    };
    const along = (event) => {
      const tabs = [...box.querySelectorAll("[role=tab]")].filter((tab) => tab.offsetWidth);
      const at = tabs.indexOf(event.target);
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1 - tabs.length, Home: 0, End: -1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      tabs.at(to).focus();
      tabs.at(to).click();
    };
    const key = (event) => {
      const target = event.composedPath()[0];
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (!keys().includes(event.key) || target.closest?.(OWN_KEYS)) return;
      if (event.key === " " && target.closest?.(PRESSED)) return;
      event.preventDefault();
      if (event.repeat && keyAt === model.get("mark")) return; // a held key waits until the last step is drawn
      keyAt = model.get("mark");
      tell("keyed", { key: event.key, n: performance.now() });
    };

    for (const [kind, then] of Object.entries({ click, change, input: move })) box.addEventListener(kind, then);
    box.addEventListener("keydown", pressed);
    for (const kind of ["pointerover", "focusin"]) root.addEventListener(kind, say);
    for (const kind of ["pointerleave", "focusout"]) root.addEventListener(kind, hide);
    for (const kind of ["pointerover", "focusin"]) box.addEventListener(kind, peek);
    for (const kind of ["pointerleave", "focusout"]) box.addEventListener(kind, unpeek);

    // In a notebook the keys are ours with the focus in the stepper, and the notebook's elsewhere; the page is all ours.
    // The notebook leaves alone only a focused element that says so itself.
    let home = null;
    let last = null; // the element with the focus
    const claim = ({ target }) => {
      last = target;
      target.setAttribute("data-lm-suppress-shortcuts", "true");
    };
    const release = () => {
      last = null;
    };
    const off = new MutationObserver(() => {
      if (last?.disabled) home.focus({ preventScroll: true }); // a button that is switched off takes the keys with it
    });
    const settle = () => {
      if (home || !keys().length || !root.isConnected) return;
      const outer = outermost(root);
      const guest = outer !== root && outer.closest(".jp-OutputArea") ? outer : null; // the page in a notebook
      const stepper = root.closest(".cardlab-stepper");
      home = stepper || guest || document;
      home.addEventListener("keydown", key);
      guest?.setAttribute("data-lm-suppress-shortcuts", "true");
      if (!stepper) return;
      stepper.tabIndex = -1; // so that a click beside the cards is a click into the stepper
      stepper.addEventListener("focusin", claim);
      stepper.addEventListener("focusout", release);
      off.observe(stepper, { attributeFilter: ["disabled"], subtree: true });
    };
    const size = new ResizeObserver(() => {
      settle();
      const wide = root.offsetWidth;
      if (model.get("sprite") && wide && wide < NARROW !== narrow) {
        narrow = wide < NARROW; // once: two views of one pane would not come to an end
        if (narrow !== model.get("narrow")) tell("narrow", narrow);
      }
      bottom();
      thin();
      reveal();
      reach();
      handle();
    });
    size.observe(root);

    for (const [trait, then] of [["lines", draw], ["now", now], ["label", name], ["sprite", drawSprite], ["keys", settle], ["file", save], ["spoken", speak]]) {
      model.on(`change:${trait}`, then);
    }
    drawSprite();
    draw();
    mark();
    name();
    settle();
    return () => {
      size.disconnect();
      home?.removeEventListener("keydown", key);
      home?.removeEventListener("focusin", claim);
      home?.removeEventListener("focusout", release);
      off.disconnect();
      clearTimeout(peeking);
    };
  },
};

// To the table, past all that stands before it.
function skip() {
  const find = (node) => (node.matches?.("svg.cl-table") ? node : [...(node.shadowRoot || node).children].map(find).find(Boolean));
  const box = find(document.body)?.closest(".cl-box");
  if (!box) return;
  box.tabIndex = -1;
  box.focus();
}

function outermost(node) {
  const host = node.getRootNode().host;
  return host ? outermost(host) : node;
}

function make(tag, className) {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}

function hand(blob, name) {
  const link = make("a", "");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function paint(blob, then) {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.onload = () => {
    const canvas = make("canvas", "");
    [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
    const pen = canvas.getContext("2d");
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(url);
    canvas.toBlob(then, "image/png");
  };
  image.src = url;
}
