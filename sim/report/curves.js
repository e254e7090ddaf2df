// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Latency over throughput, and throughput over what was offered: a curve for each setting.
const curves = { y: "latency_mean_ns", x: "accepted", scale: "log" };
const CURVE_Y = [
  ["latency_mean_ns", "mean latency", "latency_half_width_ns"],
  ["latency_p99_ns", "99 % latency"],
  ["network_latency_mean_ns", "in the network", "network_latency_half_width_ns"],
  ["accepted_bytes_per_ns_per_switch", "throughput", "accepted_half_width"],
];
const CURVE_X = [
  ["accepted", "accepted", "accepted_bytes_per_ns_per_switch", "accepted_half_width"],
  ["offered", "offered", "offered_bytes_per_ns_per_switch"],
];
const isLatency = () => curves.y.includes("latency");

const SYMBOLS = ["circle", "rect", "triangle", "diamond", "roundRect", "pin"];
function markOf(point, i) {
  const own = seriesColor(i);
  const chosen = point === state.point;
  const shape = point.state === "deadlocked"
    ? { symbol: "path://M1 0L5 4L9 0L10 1L6 5L10 9L9 10L5 6L1 10L0 9L4 5L0 1Z", symbolSize: 13 }
    : { symbol: SYMBOLS[i % SYMBOLS.length], symbolSize: chosen ? 13 : 9 };
  return { ...shape, itemStyle: {
    color: point.state === "saturated" ? color("card") : own,
    borderColor: chosen ? color("ink") : own, borderWidth: chosen ? 2.5 : 2 } };
}

/** A bar with caps, up and down or to both sides. */
function whisker(vertical) {
  return (params, api) => {
    const at = [api.value(0), api.value(1)];
    const ends = vertical ? [[at[0], api.value(2)], [at[0], api.value(3)]]
      : [[api.value(2), at[1]], [api.value(3), at[1]]];
    const [[x1, y1], [x2, y2]] = ends.map((end) => api.coord(end));
    const cap = vertical ? [4, 0] : [0, 4];
    const line = (a, b, c, d) => ({ type: "line", shape: { x1: a, y1: b, x2: c, y2: d },
      style: { stroke: api.visual("color"), lineWidth: 1.4, opacity: 0.8 } });
    if (Math.hypot(x2 - x1, y2 - y1) < 3) return null;
    return { type: "group", silent: true, children: [line(x1, y1, x2, y2),
      line(x1 - cap[0], y1 - cap[1], x1 + cap[0], y1 + cap[1]),
      line(x2 - cap[0], y2 - cap[1], x2 + cap[0], y2 + cap[1])] };
  };
}

function curveTooltip(point) {
  const row = (name, value) => `<tr><td style="padding:1px 14px 1px 0;border:0">${name}</td>` +
    `<td style="padding:1px 0;border:0;text-align:right"><b>${value}</b></td></tr>`;
  const spread = (mean, half, format) => format(mean) + (half === null ? "" : ` ± ${format(half)}`);
  return `<b>${escaped(pointName(point))}</b> · ${escaped(point.state)}<table style="width:auto">` +
    row("latency, mean", spread(point.latency_mean_ns, point.latency_half_width_ns, duration)) +
    row("latency, 99 %", duration(point.latency_p99_ns)) +
    row("in the network, mean", duration(point.network_latency_mean_ns)) +
    row("offered", `${digits(point.offered_bytes_per_ns_per_switch)} B/ns/switch`) +
    row("accepted", `${digits(point.accepted_bytes_per_ns_per_switch)} B/ns/switch`) +
    row("share of the host links", percent(point.accepted_load)) +
    row("packets lost", count(point.packets_lost)) + "</table>";
}

draws(() => {
  if (!isLatency() && curves.x === "accepted") curves.x = "offered";
  const [, , xColumn, xHalf] = CURVE_X.find(([key]) => key === curves.x);
  const [, yName, yHalf] = CURVE_Y.find(([key]) => key === curves.y);
  const log = curves.scale === "log" && isLatency();
  const has = (point) => point[curves.y] !== null && (!log || point[curves.y] > 0);
  const values = points.filter(has).map((point) => point[curves.y]);
  const bounds = log ? logBounds(values) : { min: 0 };
  const ticks = log ? logTicks(bounds) : {};
  const every = series.flatMap((each) => {
    const members = each.points.filter(has);
    const common = { name: each.name, color: seriesColor(each.color) };
    const bar = (point, column, half, least) => [point[xColumn], point[curves.y],
      Math.max(point[column] - point[half], least), point[column] + point[half]];
    const drawn = [{ ...common, type: "line", z: 3, lineStyle: { width: 2.2,
      type: ["solid", "dashed", "dotted"][Math.floor(each.color / 8) % 3] },
      data: members.map((point) => ({ value: [point[xColumn], point[curves.y]],
        point: point.number, ...markOf(point, each.color) })) }];
    if (yHalf) drawn.push({ ...common, type: "custom", renderItem: whisker(true), silent: true, clip: true, z: 2,
      data: members.filter((point) => point[yHalf]).map((point) => bar(point, curves.y, yHalf, bounds.min)) });
    if (xHalf) drawn.push({ ...common, type: "custom", renderItem: whisker(false), silent: true, clip: true,
      z: 2, data: members.filter((point) => point[xHalf])
        .map((point) => bar(point, xColumn, xHalf, 0)) });
    return drawn;
  });
  if (!isLatency()) {
    const most = Math.max(...points.map((point) => point[xColumn] ?? 0));
    every.push({ name: "all that is offered", type: "line", symbol: "none", silent: true,
      color: color("faint"), lineStyle: { width: 1.2, type: "dashed" }, data: [[0, 0], [most, most]] });
  }
  const unit = "bytes/ns/switch";
  chart("curves", {
    grid: { left: 78, right: 26, top: 62, bottom: 52 },
    legend: { ...legendLook(), data: series.map((each) => each.name), show: series.length > 1 },
    tooltip: { ...tooltipLook(), trigger: "item",
      formatter: (item) => (item.data?.point === undefined ? ""
        : curveTooltip(points[item.data.point])) },
    xAxis: across(`${curves.x} traffic (${unit})`, { min: 0 }),
    yAxis: upright(isLatency() ? `${yName === "in the network" ? "mean latency in the network" : yName}`
      : `accepted traffic (${unit})`,
    { type: log ? "log" : "value", ...bounds, axisTick: { ...axisLook().axisTick, ...ticks },
      axisLabel: { ...axisLook().axisLabel, ...ticks,
        formatter: isLatency() ? plainDuration : (value) => String(value) } }),
    series: every,
  }, (item) => { if (item.data?.point !== undefined) choose(points[item.data.point], true); });
});

function curveControls() {
  const again = () => { curveControls(); redraw(); };
  segmented("curves-y", CURVE_Y, curves, "y", again);
  segmented("curves-x", isLatency() ? CURVE_X.map(([key, name]) => [key, `over ${name}`]) : [],
    curves, "x", again);
  segmented("curves-scale", isLatency() ? [["log", "logarithmic"], ["linear", "linear"]] : [],
    curves, "scale", again);
}
curveControls();
