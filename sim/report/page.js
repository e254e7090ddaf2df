// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Elements, light and dark, groups of buttons, and the choice that the page's parts share.
const $ = (id) => document.getElementById(id);
function html(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("aria-") || key === "role" || key === "colspan")
      element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// ---- light and dark --------------------------------------------------------------------------------
const root = document.documentElement;
const asked = new URLSearchParams(location.search);
root.dataset.theme = asked.get("theme") ||
  (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
const color = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();
const seriesColor = (i) => color(`s${1 + (i % 8)}`);

// ---- what everybody draws from ---------------------------------------------------------------------
const state = { point: points[0], beside: null };
const drawers = [];
/** `draw` is called now and whenever the choice, or what it was given, has changed. */
function draws(draw) { drawers.push(draw); }
function redraw() { for (const draw of drawers) draw(); }
function choose(point, scroll = false) {
  state.point = point;
  if (state.beside === point) state.beside = null;
  redraw();
  if (scroll) {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    $("closer").scrollIntoView({ behavior: calm ? "auto" : "smooth" });
  }
}
$("theme").onclick = () => {
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  redraw();
};

/** Buttons of which one is pressed. `choices`: [[value, text]…]; `chosen` holds the value as
 *  chosen[name]. */
function segmented(id, choices, chosen, name, changed) {
  const buttons = choices.map(([value, text]) => {
    const button = html("button", { type: "button", textContent: text });
    button.onclick = () => { chosen[name] = value; press(); changed(); };
    return [value, button];
  });
  const press = () => buttons.forEach(([value, button]) =>
    button.setAttribute("aria-pressed", String(value === chosen[name])));
  $(id).replaceChildren(...buttons.map(([, button]) => button));
  press();
}
