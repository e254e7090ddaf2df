// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// One point, or two beside each other: which, in words, and how its packets' latencies are spread.
const SLOTS_PER_DOUBLING = 8;

/** [{from, to, share}], the recorded slots put together to SLOTS_PER_DOUBLING a doubling. */
function spread(histogram) {
  const total = histogram.packets.reduce((sum, n) => sum + n, 0), slots = new Map();
  histogram.packets.forEach((n, i) => {
    const middle = Math.max((histogram.from_ns[i] + histogram.to_ns[i]) / 2, 1e-3);
    const slot = Math.floor(Math.log2(middle) * SLOTS_PER_DOUBLING);
    slots.set(slot, (slots.get(slot) || 0) + n / total);
  });
  const used = [...slots.keys()];
  const all = [];
  for (let slot = Math.min(...used); slot <= Math.max(...used); slot++)
    all.push({ from: 2 ** (slot / SLOTS_PER_DOUBLING), to: 2 ** ((slot + 1) / SLOTS_PER_DOUBLING),
      share: slots.get(slot) || 0 });
  return used.length ? all : [];
}
/** [[least, share of what is counted that has at least so much]…], of slots that begin there. */
function tailOf(least, counts) {
  const total = counts.reduce((sum, n) => sum + n, 0);
  let left = total;
  return least.map((from, i) => {
    const step = [from, left / total];
    left -= counts[i];
    return step;
  });
}
const shown = () => [state.point, state.beside].filter(Boolean);

draws(() => {
  const drawn = shown().flatMap((point, i) => [
    [point, "latency_histogram", i === 0 ? "latency" : `latency, ${pointName(point)}`, i],
    ...(i === 0 ? [[point, "network_latency_histogram", "in the network", 2]] : [])]);
  const withData = drawn.filter(([point, key]) => point[key].packets.length > 0);
  const edges = withData.flatMap(([point, key]) =>
    [Math.max(point[key].from_ns[0], 1), point[key].to_ns.at(-1)]);
  const bounds = logBounds(edges);
  const graphic = withData.length ? [] : [{ type: "text", left: "center", top: "middle",
    style: { text: "no packets were measured", fill: color("soft"), fontSize: 14 } }];
  const xAxis = across("latency", { type: "log", logBase: 10, ...bounds, show: withData.length > 0,
    axisTick: { ...axisLook().axisTick, ...logTicks(bounds) },
    axisLabel: { ...axisLook().axisLabel, ...logTicks(bounds), formatter: plainDuration } });
  const hollow = (i) => i > 0;
  chart("histogram", {
    graphic, grid: { left: 62, right: 18, top: 56, bottom: 50 },
    legend: legendLook(),
    tooltip: { ...tooltipLook(), trigger: "item", formatter: (item) =>
      `${escaped(item.seriesName)}<br>${duration(item.value[0])} to ${duration(item.value[1])}: ` +
      `<b>${percent(item.value[2])}</b> of packets` },
    xAxis,
    yAxis: upright("share of packets", { show: withData.length > 0, axisLabel: { ...axisLook().axisLabel,
      formatter: (value) => `${digits(100 * value, 1)} %` } }),
    series: withData.map(([point, key, name, i]) => ({
      name, type: "custom", color: seriesColor(i), clip: true,
      encode: { x: [0, 1], y: 2 },
      data: spread(point[key]).map((slot) => [slot.from, slot.to, slot.share]),
      renderItem: (params, api) => {
        const [x1, y] = api.coord([api.value(0), api.value(2)]);
        const [x2, bottom] = api.coord([api.value(1), 0]);
        if (bottom - y < 0.2) return null;
        return { type: "rect", shape: { x: x1 + 0.5, y, width: Math.max(x2 - x1 - 1, 1),
          height: bottom - y },
        style: { fill: hollow(i) ? "transparent" : api.visual("color"), opacity: hollow(i) ? 1 : 0.85,
          stroke: hollow(i) ? api.visual("color") : "transparent", lineWidth: 1.5 } };
      } })),
  });
  const least = Math.min(1e-3, ...withData.map(([point, key]) =>
    1 / point[key].packets.reduce((sum, n) => sum + n, 0)));
  chart("tail", {
    graphic, grid: { left: 72, right: 18, top: 56, bottom: 50 },
    legend: { ...legendLook(), icon: "roundRect" },
    tooltip: { ...tooltipLook(), trigger: "axis", formatter: (items) =>
      `longer than ${duration(items[0].value[0])}<br>` + items.map((item) =>
        `${item.marker}${escaped(item.seriesName)}: <b>${percent(item.value[1])}</b>`).join("<br>") },
    xAxis,
    yAxis: upright("share that took longer", { show: withData.length > 0, type: "log", max: 1,
      min: 10 ** Math.floor(Math.log10(least)), axisLabel: { ...axisLook().axisLabel,
        formatter: (value) => `${+(100 * value).toPrecision(3)} %` } }),
    series: withData.map(([point, key, name, i]) => ({ name, type: "line", step: "end",
      symbol: "none", color: seriesColor(i), lineStyle: { width: 2.2, type: i === 2 ? "dashed" : "solid" },
      data: tailOf(point[key].from_ns, point[key].packets).map(([ns, share]) => [Math.max(ns, bounds.min), share]) })),
  });
});

draws(() => {
  const rows = [["latency, mean", (p) => duration(p.latency_mean_ns) +
      (p.latency_half_width_ns ? ` ± ${duration(p.latency_half_width_ns, 2)}` : "")],
    ["half of the packets took at most", (p) => duration(p.latency_p50_ns)],
    ["90 %", (p) => duration(p.latency_p90_ns)], ["99 %", (p) => duration(p.latency_p99_ns)],
    ["99.9 %", (p) => duration(p.latency_p999_ns)], ["the slowest", (p) => duration(p.latency_max_ns)],
    ["in the network, mean", (p) => duration(p.network_latency_mean_ns)],
    ["offered, accepted (bytes/ns/switch)", (p) =>
      `${digits(p.offered_bytes_per_ns_per_switch)}, ${digits(p.accepted_bytes_per_ns_per_switch)}`],
    ["accepted, as a share of the host links", (p) => percent(p.accepted_load)],
    ["switches passed through, mean", (p) => digits(p.switches_per_packet)],
    ["packets delivered while measured", (p) => count(p.packets_measured)],
    ["of these out of order", (p) => count(p.out_of_order_packets)],
    ["packets lost, since the start", (p) => count(p.packets_lost)]];
  const heads = shown().map((point) => html("th", { textContent: pointName(point) }));
  $("percentiles").replaceChildren(html("table", { className: "figures" },
    html("thead", {}, html("tr", {}, html("th"), ...heads)),
    html("tbody", {}, ...rows.map(([name, value]) => html("tr", {},
      html("th", { textContent: name }),
      ...shown().map((point) => html("td", { textContent: value(point) })))))));
});

draws(() => {
  const { point } = state;
  const words = [html("span", { className: `state ${point.state}`, textContent: point.state }), " "];
  const where = fabricOf(point).spec || "a fabric from a file";
  words.push(html("b", { textContent: where }), `, ${keyOf(point, "routing.engine") || "tables from a file"}, ` +
    `${keyOf(point, "traffic.pattern") || ""} traffic; ${count(point.packets_measured)} packets measured in ` +
    `${duration(1000 * point.measured_us)} after ${duration(1000 * point.warmup_us)} of warm-up, ` +
    `${count(point.batches)} batches. `);
  if (point.diagnosis) words.push(html("br"), `${point.diagnosis[0].toUpperCase()}${point.diagnosis.slice(1)}.`);
  $("point-words").replaceChildren(...words);
});

function pointChoosers() {
  const options = () => points.map((point) =>
    html("option", { value: point.number, textContent: `${pointName(point)} (${point.state})` }));
  $("point").replaceChildren(...options());
  $("beside").replaceChildren(html("option", { value: "", textContent: "none" }), ...options());
  $("point").onchange = () => choose(points[$("point").value]);
  $("beside").onchange = () => {
    state.beside = $("beside").value === "" ? null : points[$("beside").value];
    redraw();
  };
  const step = (by) => choose(points[(state.point.number + by + points.length) % points.length]);
  $("before").onclick = () => step(-1);
  $("after").onclick = () => step(1);
  draws(() => {
    $("point").value = state.point.number;
    $("beside").value = state.beside ? state.beside.number : "";
  });
}
pointChoosers();
