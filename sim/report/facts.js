// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// What the results hold, and how numbers are written.
const facts = JSON.parse(document.getElementById("facts").textContent);
const runs = facts.runs;

/** Every point of every run, in order; `run` is its run, `number` its place in this list. */
const points = runs.flatMap((run) => run.points.map((point) => ({ ...point, run })));
points.forEach((point, number) => { point.number = number; });

const manyRuns = runs.length > 1;
const folderOf = (run) => run.file.replace(/\/results\.sqlite$/, "");
const ownTitle = (run) => run.meta?.title || folderOf(run);
/** Runs of one title are told apart by where they are, in as few words as that takes. */
const NAMES = [ownTitle, (run) => folderOf(run).replace(/^.*\//, ""), folderOf,
  (run) => `${folderOf(run)} (${runs.indexOf(run) + 1})`];
const alike = runs.map((run) => runs.filter((each) => ownTitle(each) === ownTitle(run)));
runs.forEach((run, i) => {
  const tells = (name) => alike[i].every((each) => each === run || name(each) !== name(run));
  run.title = NAMES.find(tells)(run);
});
const titleOf = (run) => run.title;
/** Keys that differ between points, of all runs; the load last. */
const sweptKeys = [...new Set(runs.flatMap((run) =>
  [...run.axes, ...Object.keys(run.points[0].keys)]))].sort((a, b) =>
  (a === "traffic.load") - (b === "traffic.load"));
const keyOf = (point, key) => point.keys[key] ?? point.run.keys[key];
const fabricOf = (point) => point.run.fabrics[point.fabric];

/** "updn, load 0.1": what tells a point from the others. */
const shortKey = (key) => key.replace(/^[a-z_]+\./, "").replaceAll("_", " ");
const worded = (key, value) =>
  (/^(engine|pattern|preset|spec|selection)$/.test(shortKey(key)) ? value : `${shortKey(key)} ${value}`);
function seriesName(point) {
  const words = sweptKeys.filter((key) => key !== "traffic.load")
    .map((key) => [key, keyOf(point, key)]).filter(([, value]) => value !== undefined)
    .map(([key, value]) => worded(key, value));
  if (manyRuns) words.unshift(titleOf(point.run));
  return words.join(", ");
}
function pointName(point) {
  const load = keyOf(point, "traffic.load");
  const words = [seriesName(point), load === undefined ? "" : `load ${load}`].filter(Boolean);
  return words.join(", ") || titleOf(point.run);
}
/** [{name, points}]: the curves, points by load. */
const series = [...grouped(points, seriesName)]
  .map(([name, members]) => ({ name: name || titleOf(members[0].run), points: members }));
function grouped(list, by) {
  const groups = new Map();
  for (const item of list) {
    const key = by(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}
series.forEach((each, i) => {
  each.color = i;
  each.points.sort((a, b) => a.offered_bytes_per_ns_per_switch - b.offered_bytes_per_ns_per_switch);
});

// ---- numbers ---------------------------------------------------------------------------------------
const digits = (value, places = 3) => {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  if (magnitude < -4) return value.toExponential(places - 1);
  return value.toLocaleString("en-GB", {
    minimumFractionDigits: Math.max(0, Math.min(20, places - 1 - magnitude)),
    maximumFractionDigits: Math.max(0, Math.min(20, places - 1 - magnitude)) });
};
const count = (value) => (value === null || value === undefined ? "–"
  : Number(value).toLocaleString("en-GB"));
/** 1234 → "1.23 µs". */
function duration(ns, places = 3) {
  if (ns === null || ns === undefined || !Number.isFinite(ns)) return "–";
  for (const [limit, unit, by] of [[1e3, "ns", 1], [1e6, "µs", 1e3], [1e9, "ms", 1e6]])
    if (Math.abs(ns) < limit * 0.9995) return `${digits(ns / by, places)} ${unit}`;
  return `${digits(ns / 1e9, places)} s`;
}
/** For axes: without digits that say nothing. */
const plainDuration = (ns) => (ns === 0 ? "0" : duration(ns, 3).replace(/\.?0+(?= )/, (zeros) =>
  (zeros.startsWith(".") ? "" : zeros)).replace(/(\.\d*?)0+(?= )/, "$1").replace(/\.(?= )/, ""));
const percent = (share, places = 3) => (share === null || share === undefined ? "–"
  : `${digits(100 * share, places)} %`);
