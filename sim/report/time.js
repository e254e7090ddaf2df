// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// A point from its start to its end: what was delivered, how long it took, what waited, what was lost.
const isFault = (what) => /^(cut|restored) /.test(what);
const isStep = (what) => /^change \d+: /.test(what); // of the subnet manager
const lostName = (reason) => reason.replaceAll("_", " ");
draws(() => {
  const { point } = state, { samples } = point, fabric = fabricOf(point);
  const us = samples.at_us, switches = fabric.switches.length || 1;
  const pairs = (values) => us.map((at, i) => [at, values[i]]);
  const rate = us.map((at, i) => {
    const ns = 1000 * (at - (i > 0 ? us[i - 1] : 0));
    return ns > 0 ? samples.delivered_bytes[i] / ns / switches : null;
  });
  const reasons = [...new Set(point.losses.map(([, reason]) => reason))];
  const rows = [
    { name: "delivered (bytes/ns/switch)", lines: [["delivered", rate, 0]] },
    { name: "mean latency of what was delivered", lines: [["latency", samples.latency_mean_ns, 3]],
      format: plainDuration },
    { name: "packets", lines: [["in the network", samples.in_flight, 0],
      ["waiting at their sources", samples.waiting_at_sources, 1]] },
    { name: "input buffers of the switches", lines: [["filled, on average", samples.occupied_share_mean, 0],
      ["fullest", samples.occupied_share_max, 4]], format: (v) => `${+(100 * v).toPrecision(3)} %`, max: 1 },
    { name: reasons.length ? "packets lost" : "packets lost (none)", bars: reasons },
  ];
  if (samples.rearrange_bytes_max.some((bytes) => bytes !== null))
    rows.splice(4, 0,
      { name: "rearrange memory of a host (bytes)", lines: [["mean host", samples.rearrange_bytes_mean, 0],
        ["fullest host", samples.rearrange_bytes_max, 4]] },
      { name: "of a connection (bytes)", lines: [["mean connection", samples.rearrange_connection_bytes_mean, 0],
        ["fullest connection", samples.rearrange_connection_bytes_max, 4]] });
  const TOP = 46, HEIGHT = 92, GAP = 50;
  $("time").style.height = `${TOP + rows.length * (HEIGHT + GAP) + 4}px`;
  const warm = us.filter((_, i) => !samples.measured[i]).at(-1);
  const marks = {
    markArea: warm === undefined ? undefined : { silent: true, itemStyle: { color: color("ink"), opacity: 0.05 },
      data: [[{ xAxis: 0 }, { xAxis: warm }]] },
    markLine: { silent: true, symbol: "none", label: { show: false },
      lineStyle: { color: color("bad"), type: "dashed", width: 1.3 },
      data: [...point.run_events.filter(([, what]) => isFault(what)).map(([at]) => ({ xAxis: at })),
        ...point.run_events.filter(([, what]) => isStep(what)).map(([at]) => ({ xAxis: at,
          lineStyle: { color: color("ink"), type: "dotted", width: 1.3 } }))] },
  };
  const seriesList = [];
  rows.forEach((row, i) => {
    const where = { xAxisIndex: i, yAxisIndex: i };
    (row.lines || []).forEach(([name, values, hue], k) => seriesList.push({ name, type: "line", ...where,
      data: pairs(values), symbol: us.length > 40 ? "none" : "circle", symbolSize: 4,
      color: seriesColor(hue), lineStyle: { width: 1.8, type: k === 0 ? "solid" : "dashed" },
      ...(k === 0 ? marks : {}) }));
    (row.bars || []).forEach((reason, k) => seriesList.push({ name: lostName(reason),
      type: "bar", stack: "lost", ...where, barMaxWidth: 10, color: seriesColor([4, 1, 3, 5, 6, 7, 0][k % 7]),
      data: point.losses.filter(([, why]) => why === reason).map(([at, , n]) => [at, n]),
      ...(k === 0 ? marks : {}) }));
    if (row.bars?.length === 0)
      seriesList.push({ name: "lost", type: "line", ...where, symbol: "none", data: pairs(us.map(() => 0)),
        color: color("faint"), ...marks });
  });
  const end = us.at(-1) ?? 1;
  const names = rows.map((row) => [...(row.lines || []).map(([name]) => name),
    ...(row.bars || []).map(lostName)]);
  chart("time", {
    axisPointer: { link: [{ xAxisIndex: "all" }], lineStyle: { color: color("faint") } },
    tooltip: { ...tooltipLook(), trigger: "axis", formatter: (items) =>
      `<b>${digits(items[0].value[0], 5)} µs</b><br>` + items.map((item) => {
        const row = rows[item.axisIndex] || {};
        const value = item.value[1];
        return `${item.marker}${escaped(item.seriesName)}: <b>${value === null || value === undefined ? "–"
          : row.format ? row.format(value) : digits(value, 4)}</b>`;
      }).join("<br>") },
    legend: rows.map((row, i) => ({ ...legendLook(), type: "plain", left: "auto", right: 22,
      top: TOP + i * (HEIGHT + GAP) - 26, selectedMode: false, itemWidth: 22, itemHeight: 3, icon: undefined,
      show: names[i].length > 1 || Boolean(row.bars?.length), data: names[i] })),
    grid: rows.map((_, i) => ({ left: 74, right: 22, top: TOP + i * (HEIGHT + GAP), height: HEIGHT })),
    xAxis: rows.map((_, i) => ({ ...across(i + 1 === rows.length ? "simulated time (µs)" : ""), gridIndex: i,
      min: 0, max: end, containShape: false, axisPointer: { show: true, label: { show: false } },
      axisLabel: { ...axisLook().axisLabel, show: i + 1 === rows.length } })),
    yAxis: rows.map((row, i) => ({ ...upright(row.name), gridIndex: i, min: 0, splitNumber: 3,
      ...(row.max && Math.max(...samples.occupied_share_max) > 0.4 ? { max: row.max, interval: 0.25 } : {}),
      ...(row.bars?.length === 0 ? { max: 1, interval: 1 } : {}),
      axisLabel: { ...axisLook().axisLabel, ...(row.format ? { formatter: row.format } : {}) } })),
    series: seriesList,
  });
  const words = [`Shaded: the warm-up, which the figures leave out.`];
  const faults = point.run_events.filter(([, what]) => isFault(what));
  if (faults.length)
    words.push(`Dashed: ${faults.slice(0, 8).map(([at, what]) =>
      `${what} at ${digits(at, 4)} µs`).join("; ")}${faults.length > 8 ? "; …" : ""}.`);
  const steps = point.run_events.filter(([, what]) => isStep(what));
  if (steps.length)
    words.push(`Dotted: ${steps.slice(0, 9).map(([at, what]) =>
      `${what} at ${digits(at, 5)} µs`).join("; ")}${steps.length > 9 ? "; …" : ""}.`);
  $("time-words").textContent = words.join(" ");
});
