// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Delivery in order: how many packets come early, the memory in which they wait, and what the protocol costs, over
// any number that the points differ in; and of the chosen point how that is distributed.
const ORDER_WHAT = [
  ["hca_early_share", "early", "data packets that came early", percent],
  ["hca_distance_mean", "distance", "packets by which early ones were ahead, mean", digits],
  ["hca_connection_memory_bytes_max", "memory of a connection", "rearrange memory of the fullest connection, bytes", count],
  ["hca_memory_bytes_max", "of a host", "rearrange memory of the fullest host, bytes", count],
  ["hca_memory_bytes_mean", "mean", "rearrange memory of a host, mean, bytes", digits],
  ["hca_resent_share", "sent again", "data packets that had been sent before", percent],
  ["hca_waste_share", "waste", "bytes sent again, reports and keep-alives", percent],
  ["hca_packets_rejected", "rejected", "packets rejected for lack of memory", count],
  ["hca_limited_share", "in LI", "time in which injection was limited", percent],
  ["finished_us", "execution time", "time until all was delivered", (us) => duration(1000 * us)],
].filter(([column]) => points.some((point) => point[column] !== null));
const hasOrder = points.some((point) => point.hca_early_share !== null);
const numberOf = (point, key) => { // a key that is not given, or a word: none
  const value = keyOf(point, key);
  return value === undefined || value === "" ? NaN : Number(value);
};
const ORDER_X = sweptKeys.filter((key) => key !== "run.seed" &&
  points.some((point) => Number.isFinite(numberOf(point, key))));
if (!ORDER_X.includes("traffic.load")) ORDER_X.push("traffic.load");
const orderView = { what: ORDER_WHAT[0]?.[0], x: ORDER_X.includes("traffic.load") && sweptKeys.includes("traffic.load")
  ? "traffic.load" : ORDER_X[0] };
for (const id of ["order", "order-distance"]) $(id).closest("section").hidden = !hasOrder;

draws(() => {
  if (!hasOrder) return;
  const [column, , name, words] = ORDER_WHAT.find(([key]) => key === orderView.what);
  const others = (point) => [...(manyRuns ? [titleOf(point.run)] : []),
    ...sweptKeys.filter((key) => key !== orderView.x).map((key) => [key, keyOf(point, key)])
      .filter(([, value]) => value !== undefined).map(([key, value]) => worded(key, value))].join(", ");
  const lines = [...grouped(points.filter((point) => point[column] !== null &&
    Number.isFinite(numberOf(point, orderView.x))), others)].map(([of, members]) => ({ name: of || name,
    data: members.map((point) => ({ value: [numberOf(point, orderView.x), point[column]], point: point.number }))
      .sort((a, b) => a.value[0] - b.value[0]) }));
  const at = lines.flatMap((line) => line.data.map(({ value }) => value[0]));
  const log = Math.min(...at) > 0 && Math.max(...at) > 20 * Math.min(...at); // memory, MTUs
  chart("order", {
    grid: { left: 78, right: 26, top: 62, bottom: 52 },
    legend: { ...legendLook(), data: lines.map((line) => line.name), show: lines.length > 1 },
    tooltip: { ...tooltipLook(), trigger: "item", formatter: (item) => `<b>${escaped(item.seriesName)}</b><br>` +
      `${escaped(shortKey(orderView.x))} ${digits(item.value[0])}: ${words(item.value[1])}` },
    xAxis: across(shortKey(orderView.x), log ? { type: "log", ...logBounds(at) } : { min: 0 }),
    yAxis: upright(name, { type: "value", min: 0, axisLabel: { ...axisLook().axisLabel,
      formatter: (value) => (value === 0 ? "0" : words(value)) } }),
    series: lines.map((line, i) => ({ name: line.name, type: "line", data: line.data, color: seriesColor(i),
      symbol: SYMBOLS[i % SYMBOLS.length], symbolSize: 9, lineStyle: { width: 2.2 } })),
  }, (item) => { if (item.data?.point !== undefined) choose(points[item.data.point], true); });
});

function orderTail(id, key, across_, upright_) {
  const lines = shown().map((point, i) => ({ name: pointName(point) || titleOf(point.run), i,
    data: tailOf(point[key].at_least, point[key].count).filter(([n]) => n > 0) }));
  const some = lines.some((line) => line.data.length > 0);
  const bounds = logBounds(lines.flatMap((line) => line.data.map(([n]) => n)));
  const least = Math.min(1e-2, ...lines.flatMap((line) => line.data.map(([, share]) => share)));
  chart(id, {
    graphic: some ? [] : [{ type: "text", left: "center", top: "middle",
      style: { text: "none", fill: color("soft"), fontSize: 14 } }],
    grid: { left: 72, right: 18, top: 56, bottom: 50 },
    legend: { ...legendLook(), show: lines.length > 1 },
    tooltip: { ...tooltipLook(), trigger: "item", formatter: (item) =>
      `${count(item.value[0])} or more: <b>${percent(item.value[1])}</b>` },
    xAxis: across(across_, { type: "log", ...bounds, show: some }),
    yAxis: upright(upright_, { show: some, type: "log", max: 1, min: 10 ** Math.floor(Math.log10(least)),
      axisLabel: { ...axisLook().axisLabel, formatter: (value) => `${+(100 * value).toPrecision(3)} %` } }),
    series: lines.map((line) => ({ name: line.name, type: "line", step: "end", color: seriesColor(line.i),
      symbol: "circle", symbolSize: 5, lineStyle: { width: 2.2, type: line.i === 0 ? "solid" : "dashed" },
      data: line.data })),
  });
}
draws(() => {
  if (!hasOrder) return;
  orderTail("order-distance", "rearranging_distance", "packets ahead", "share of the early packets");
  orderTail("order-memory", "rearranging_memory", "bytes in use", "share of hosts and time");
  orderTail("order-connections", "rearranging_connection_memory", "bytes in use", "share of connections and time");
  for (const [id, key] of [["order-memory", "rearranging_memory"], ["order-connections", "rearranging_connection_memory"]])
    $(id).closest("figure").hidden = !points.some((point) => point[key].count.length > 0);
});

function orderControls() {
  const again = () => { orderControls(); redraw(); };
  segmented("order-what", ORDER_WHAT.map(([key, words]) => [key, words]), orderView, "what", again);
  segmented("order-x", ORDER_X.length > 1 ? ORDER_X.map((key) => [key, `over ${shortKey(key)}`]) : [],
    orderView, "x", again);
}
if (hasOrder) orderControls();
