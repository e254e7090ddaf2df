// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// Classes of traffic over the load: deadlines of video, latency and losses of every class.
const classView = { what: "dmp" };
const CLASS_COLUMNS = ["name", "packets", "packets_lost", "latency_mean_ns", "latency_p99_ns",
  "frames", "frames_lost", "dmp", "dmt_ms"];
const CLASS_WHAT = [
  ["dmp", "deadlines missed", "share of frames that missed their deadline (DMP)"],
  ["dmt_ms", "by how much", "mean lateness of frames that missed it, ms (DMT)"],
  ["latency_mean_ns", "mean latency", "mean latency"],
  ["packets_lost", "losses", "packets lost"],
];
const classesOf = (point) => (point.classes ?? [])
  .map((row) => Object.fromEntries(CLASS_COLUMNS.map((column, i) => [column, row[i]])));
const hasClasses = points.some((point) => classesOf(point).length > 0);
$("classes").closest("section").hidden = !hasClasses;

draws(() => {
  if (!hasClasses) return;
  const [column, , name] = CLASS_WHAT.find(([key]) => key === classView.what);
  const latency = column === "latency_mean_ns";
  const lines = series.flatMap((each) => {
    const names = [...new Set(each.points.flatMap((point) => classesOf(point).map((one) => one.name)))];
    return names.map((of) => ({
      name: [each.name, of].filter(Boolean).join(", "),
      data: each.points.flatMap((point) => classesOf(point)
        .filter((one) => one.name === of && one[column] !== null)
        .map((one) => [Number(keyOf(point, "traffic.load")), one[column]])),
    })).filter((line) => line.data.length > 0);
  });
  chart("classes", {
    grid: { left: 78, right: 26, top: 62, bottom: 52 },
    legend: { ...legendLook(), data: lines.map((line) => line.name), show: lines.length > 1 },
    tooltip: { ...tooltipLook(), trigger: "item",
      formatter: (item) => `<b>${escaped(item.seriesName)}</b><br>load ${digits(item.data[0])}: ` +
        `${latency ? duration(item.data[1]) : digits(item.data[1])}` },
    xAxis: across("load", { min: 0 }),
    yAxis: upright(name, { type: "value", min: 0, axisLabel: { ...axisLook().axisLabel,
      formatter: latency ? plainDuration : (value) => String(value) } }),
    series: lines.map((line, i) => ({ name: line.name, type: "line", data: line.data, color: seriesColor(i),
      symbol: SYMBOLS[i % SYMBOLS.length], symbolSize: 9, lineStyle: { width: 2.2 } })),
  });
});

function classControls() {
  segmented("classes-what", CLASS_WHAT.map(([key, words]) => [key, words]), classView, "what",
    () => { classControls(); redraw(); });
}
if (hasClasses) classControls();
