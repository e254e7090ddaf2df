// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// A self-routing tree: when its leaf switches moved flows, and what each receiver saw.
const MOVES_PERIOD_US = 10;
const MOST_LINES = 64;  // of more switches only the mean and the most are drawn
draws(() => {
  const { point } = state, all = point.self_routing;
  $("moves-section").hidden = !all;
  if (!all) return;
  const end = point.samples.at_us.at(-1) ?? MOVES_PERIOD_US;
  const periods = Math.max(1, Math.ceil(end / MOVES_PERIOD_US - 1e-6));
  const leaves = [...new Set(fabricOf(point).hosts.map(([, , at]) => at).filter((at) => at !== null))];
  const bySwitch = new Map(leaves.map((leaf) => [leaf, new Array(periods).fill(0)]));
  for (const [leaf, from, moves] of point.moves)
    if (bySwitch.has(leaf)) bySwitch.get(leaf)[Math.min(Math.round(from / MOVES_PERIOD_US), periods - 1)] += moves;
  const rows = [...bySwitch.values()];
  const over = (pick) => Array.from({ length: periods }, (_, i) => pick(rows.map((row) => row[i])));
  const mean = over((values) => values.reduce((sum, n) => sum + n, 0) / Math.max(values.length, 1));
  const name = new Map(fabricOf(point).switches.map(([id, text]) => [id, text]));
  const lines = leaves.length > MOST_LINES
    ? [["the most of a switch", over((values) => Math.max(...values)), false]]
    : leaves.map((leaf) => [name.get(leaf), bySwitch.get(leaf), true]);
  const data = (values) => values.map((n, i) => [(i + 0.5) * MOVES_PERIOD_US, n]);
  chart("moves", {
    grid: { left: 62, right: 18, top: 40, bottom: 50 },
    legend: { ...legendLook(), data: ["mean", ...(leaves.length > MOST_LINES ? [lines[0][0]] : [])] },
    tooltip: { ...tooltipLook(), trigger: "item", formatter: (item) =>
      `${escaped(item.seriesName)}, from ${digits(item.value[0] - MOVES_PERIOD_US / 2)} µs: ` +
      `<b>${digits(item.value[1])}</b> moves` },
    xAxis: across("simulated time (µs)", { min: 0, max: end }),
    yAxis: upright(`moves per ${MOVES_PERIOD_US} µs`, { min: 0 }),
    series: [...lines.map(([text, values, thin]) => ({ name: text, type: "line", symbol: "none",
      color: seriesColor(thin ? 0 : 1), lineStyle: { width: thin ? 0.8 : 1.8, opacity: thin ? 0.45 : 1 },
      data: data(values) })),
    { name: "mean", type: "line", symbol: periods > 40 ? "none" : "circle", symbolSize: 5, color: color("ink"),
      lineStyle: { width: 2.2 }, data: data(mean),
      markLine: { silent: true, symbol: "none", label: { show: false },
        lineStyle: { color: color("soft"), type: "dashed", width: 1.2 },
        data: point.permutations.map(([start]) => ({ xAxis: start })) } }],
  });
  const sorted = (values) => [...values].filter((v) => v !== null).sort((a, b) => a - b);
  const ranked = (id, values, axis) => chart(id, {
    grid: { left: 62, right: 18, top: 40, bottom: 50 },
    tooltip: { ...tooltipLook(), trigger: "axis", formatter: (items) =>
      `receiver ${items[0].value[0]}: <b>${digits(items[0].value[1], 4)}</b>` },
    xAxis: across("receivers", { min: 1, max: Math.max(values.length, 2) }), yAxis: upright(axis, { min: 0 }),
    series: [{ type: "line", symbol: "none", color: seriesColor(0), areaStyle: { opacity: 0.15 },
      lineStyle: { width: 2 }, data: sorted(values).map((v, i) => [i + 1, v]) }],
  });
  ranked("receivers-throughput", point.receivers.throughput_gbps, "Gb/s");
  ranked("receivers-order", point.receivers.early_ratio, "early : in order");
  const words = [`A line is a leaf switch, counted in periods of ${MOVES_PERIOD_US} µs since the start.`];
  if (leaves.length > MOST_LINES) words[0] = `Moves in periods of ${MOVES_PERIOD_US} µs since the start.`;
  if (point.permutations.length)
    words.push("Dashed: the first packet of each permutation.", all.permutations
      ? `Of ${count(all.permutations)} whole permutations ${percent(all.settled_share)} settled: in their last ` +
        `${MOVES_PERIOD_US} µs no flow was moved.` : "No permutation ended.");
  $("moves-words").textContent = words.join(" ");
  const gbps = (v) => (v === null ? "–" : `${digits(v)} Gb/s`);
  const figures = [["flows moved while measured", count(all.flow_moves)],
    ["a microsecond", digits(all.flow_moves_per_us)],
    ["Explicit Adaptation Requests since the start", count(all.ears_sent)],
    ["throughput of a receiver: mean, least, most", [all.receiver_throughput_mean_gbps,
      all.receiver_throughput_min_gbps, all.receiver_throughput_max_gbps].map(gbps).join(", ")],
    ["mean latency in the network of a receiver: mean, least, most", [all.receiver_latency_mean_ns,
      all.receiver_latency_min_ns, all.receiver_latency_max_ns].map((v) => duration(v)).join(", ")],
    ["the slowest packet", duration(all.receiver_latency_longest_ns)],
    ["early packets to packets in order: mean, most", `${digits(all.early_ratio_mean)}, ${digits(all.early_ratio_max)}`],
    ["places that an early packet came ahead: mean, most of a receiver",
      `${digits(all.window_mean_packets)}, ${digits(all.window_max_packets)}`],
    ["from a permutation's start to its last move: mean, most", [all.settle_mean_us, all.settle_max_us]
      .map((v) => (v === null ? "–" : duration(1000 * v))).join(", ")]];
  $("moves-figures").replaceChildren(html("tbody", {}, ...figures.map(([text, value]) =>
    html("tr", {}, html("th", { textContent: text }), html("td", { textContent: value })))));
});
