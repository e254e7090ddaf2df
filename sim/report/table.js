// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// All points in a table, and all settings of the chosen one.
const sorting = { by: null, down: false };
const changes = points.some((p) => p.reconfiguration);
const ofChange = (name, column, format = fewUs) => [name, (p) => p.reconfiguration?.[column] ?? null, format];
const fewUs = (us) => (us === null ? "–" : duration(1000 * us));
const COLUMNS = [
  ...(manyRuns ? [["run", (p) => titleOf(p.run)]] : []),
  ...sweptKeys.map((key) => [shortKey(key), (p) => {
    const value = keyOf(p, key);
    return value === undefined ? null : Number.isFinite(+value) && value !== "" ? +value : value;
  }]),
  ["state", (p) => p.state],
  ["offered (B/ns/sw)", (p) => p.offered_bytes_per_ns_per_switch, digits],
  ["accepted (B/ns/sw)", (p) => p.accepted_bytes_per_ns_per_switch, digits],
  ["latency", (p) => p.latency_mean_ns, duration],
  ["±", (p) => p.latency_half_width_ns, (v) => duration(v, 2)],
  ["99 %", (p) => p.latency_p99_ns, duration],
  ["in the network", (p) => p.network_latency_mean_ns, duration],
  ["lost", (p) => p.packets_lost, count],
  ...(changes ? [ofChange("lost for", "outage_us"), ofChange("stall", "stall_us"),
    ofChange("change", "reconfiguration_us")] : []),
  ["out of order", (p) => p.out_of_order_packets, count],
  ["packets", (p) => p.packets_measured, count],
  ["CPU (s)", (p) => p.cpu_s, digits],
];
draws(() => {
  const order = [...points];
  const column = COLUMNS.find(([name]) => name === sorting.by);
  if (column) {
    const [, value] = column;
    const compare = (a, b) => (a === null ? 1 : b === null ? -1
      : typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
    order.sort((a, b) => (sorting.down ? -1 : 1) * compare(value(a) ?? null, value(b) ?? null));
  }
  const head = (name) => {
    const button = html("button", { type: "button",
      textContent: name + (sorting.by === name ? (sorting.down ? " ↓" : " ↑") : "") });
    button.onclick = () => {
      Object.assign(sorting, sorting.by === name ? { down: !sorting.down } : { by: name, down: false });
      redraw();
      [...$("all").querySelectorAll("thead button")].find((b) => b.textContent.startsWith(name))?.focus();
    };
    return html("th", { "aria-sort": sorting.by !== name ? "none" : sorting.down ? "descending" : "ascending" },
      button);
  };
  const row = (point) => {
    const cells = COLUMNS.map(([name, value, format], i) => {
      const text = format ? format(value(point)) : String(value(point) ?? "–");
      if (name === "state")
        return html("td", {}, html("span", { className: `state ${point.state}`, textContent: text }));
      if (i > 0) return html("td", { textContent: text });
      const button = html("button", { type: "button", textContent: text, "aria-label": pointName(point) });
      button.onclick = () => choose(point, true);
      return html("td", {}, button);
    });
    return html("tr", point === state.point ? { "aria-current": "true" } : {}, ...cells);
  };
  $("all").replaceChildren(html("thead", {}, html("tr", {}, ...COLUMNS.map(([name]) => head(name)))),
    html("tbody", {}, ...order.map(row)));
});
draws(() => {
  const keys = { ...state.point.run.keys, ...state.point.keys };
  $("settings").replaceChildren(html("table", {}, html("tbody", {}, ...Object.keys(keys).sort().map((key) =>
    html("tr", {}, html("th", { textContent: key }), html("td", { textContent: keys[key] }))))));
});
