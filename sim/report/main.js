// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The head of the page, and the first drawing of everything.
function headline() {
  if (manyRuns) return `Comparison of ${runs.length} runs`;
  return titleOf(runs[0]).replace(/\.toml$/, "");
}
/** The most that a curve accepted, of points that still deliver packets. */
const alive = (point) => point.state !== "deadlocked" && point.state !== "undelivered";
const best = (each) => (each.points.some(alive) ? each.points.filter(alive) : each.points).reduce((most, point) =>
  (point.accepted_bytes_per_ns_per_switch > (most?.accepted_bytes_per_ns_per_switch ?? -1) ? point : most), null);

function lede() {
  const fabrics = [...new Set(points.map((p) => fabricOf(p).spec))];
  const fabric = fabricOf(points[0]);
  const listed = (key) => [...new Set(points.map((p) => keyOf(p, key)).filter(Boolean))];
  const joined = (list) => (list.length < 2 ? list.join("") : `${list.slice(0, -1).join(", ")} and ${list.at(-1)}`);
  const words = [];
  words.push(fabrics.length === 1
    ? `${fabric.spec}: ${count(fabric.switches.length)} switches and ${count(fabric.hosts.length)} hosts`
    : `The fabrics ${joined(fabrics)}`);
  const engines = listed("routing.engine"), patterns = listed("traffic.pattern");
  if (engines.length) words.push(`routed by ${joined(engines)}`);
  if (patterns.length) words.push(`under ${joined(patterns)} traffic`);
  const moved = points.reduce((sum, p) => sum + p.packet_hops, 0), cpu = points.reduce((sum, p) => sum + p.cpu_s, 0);
  return `${words.join(", ")}. ${points.length === 1 ? "One point was" : `${count(points.length)} points were`} ` +
    `simulated: ${count(points.reduce((sum, p) => sum + p.packets_delivered, 0))} packets were delivered over ` +
    `${count(moved)} links in ${digits(cpu, 2)} s of processor time` +
    (cpu > 0.05 ? `, ${digits(moved / cpu / 1e6, 2)} million a second.` : ".");
}

/** What is longer stands with the point. */
const shortened = (text) => (text.length <= 110 ? text : `${text.slice(0, text.lastIndexOf(" ", 110))} …`);

function verdict() {
  const dead = points.filter((p) => p.state === "deadlocked"), full = points.filter((p) => p.state === "saturated");
  const box = (kind, mark, ...inside) => html("div", { className: `verdict ${kind}` },
    html("span", { textContent: mark }), html("div", {}, ...inside));
  const list = (members, text) => html("ul", {}, ...members.slice(0, 6).map((p) => html("li", { textContent: text(p) })),
    members.length > 6 ? html("li", { textContent: `and ${members.length - 6} more` }) : null);
  const boxes = [];
  if (dead.length) boxes.push(box("bad", "✗", dead.length === 1 ? "One point ended in a deadlock:"
    : `${dead.length} points ended in a deadlock:`, list(dead, (p) => `${pointName(p)}: ${p.diagnosis}`)));
  if (full.length) boxes.push(box("warn", "!", full.length === 1 ? "One point is saturated: its latency is not that of a steady state."
    : `${full.length} of ${points.length} points are saturated: their latencies are not those of a steady state.`));
  const none = points.filter((p) => p.state === "undelivered");
  if (none.length) boxes.push(box("bad", "✗", none.length === 1 ? "In one point no packet was delivered:"
    : `In ${none.length} points no packet was delivered:`, list(none, (p) => `${pointName(p)}: ${shortened(p.diagnosis)}`)));
  const unsure = points.filter((p) => p.state === "steady" && p.diagnosis);
  if (unsure.length) boxes.push(box("warn", "!", "Warnings of steady points:",
    list(unsure, (p) => `${pointName(p)}: ${shortened(p.diagnosis)}`)));
  if (!boxes.length) boxes.push(box("good", "✓", points.length === 1 ? "The point reached a steady state."
    : `All ${points.length} points reached a steady state.`));
  return boxes;
}

function tiles() {
  const tile = (name, value, unit, note) => html("div", { className: "tile" }, html("h3", { textContent: name }),
    html("p", { className: "big" }, value, unit ? html("small", { textContent: ` ${unit}` }) : null),
    html("p", { textContent: note }));
  const tops = series.map((each) => [each, best(each)]).sort((a, b) =>
    b[1].accepted_bytes_per_ns_per_switch - a[1].accepted_bytes_per_ns_per_switch);
  const [, top] = tops[0];
  const quick = points.filter((p) => p.latency_mean_ns !== null).sort((a, b) => a.latency_mean_ns - b.latency_mean_ns)[0];
  const parts = (text) => [text.slice(0, text.lastIndexOf(" ")), text.slice(text.lastIndexOf(" ") + 1)];
  const lost = points.reduce((sum, p) => sum + p.packets_lost, 0);
  const made = [tile("highest accepted traffic", digits(top.accepted_bytes_per_ns_per_switch), "",
    `bytes/ns/switch, ${percent(top.accepted_load)} of the host links; ${pointName(top)}`)];
  const [last, low] = tops.at(-1);
  if (tops.length > 1 && low.accepted_bytes_per_ns_per_switch > 0) {
    made.push(tile("highest to lowest", digits(top.accepted_bytes_per_ns_per_switch /
      low.accepted_bytes_per_ns_per_switch), "times", `${tops[0][0].name} against ${last.name}`));
  }
  if (quick) made.push(tile("lowest mean latency", ...parts(duration(quick.latency_mean_ns)),
    `99 %: ${duration(quick.latency_p99_ns)}; ${pointName(quick)}`));
  made.push(tile("packets lost", count(lost), "", lost === 0 ? "in all points"
    : `of ${count(points.reduce((sum, p) => sum + p.packets_injected, 0))} injected`));
  return made;
}

function about() {
  const entries = [["Selvedge", facts.program], ["results", runs.map((run) => run.file).join(", ")],
    ["drawn with", "Apache ECharts (Apache-2.0)" +
      (typeof ForceGraph3D === "undefined" ? "" : ", 3d-force-graph and three.js (MIT)")]];
  return entries.map(([name, text]) => html("div", {}, html("dt", { textContent: name }), html("dd", { textContent: text })));
}

$("headline").textContent = headline();
document.title = `${headline()} · Selvedge simulation`;
$("lede").textContent = lede();
$("verdict").replaceChildren(...verdict());
$("tiles").replaceChildren(...tiles());
$("about").replaceChildren(...about());
// One point is no curve.
$("curves").closest("section").hidden = points.length === 1;
$("curves-words").textContent = "The further right a curve reaches, the higher the throughput; " +
  "the lower it is, the lower the latency.";
// The last steady point of the best curve shows most.
const first = series.map((each) => each.points.filter((p) => p.state === "steady").at(-1)).filter(Boolean)
  .sort((a, b) => b.accepted_bytes_per_ns_per_switch - a.accepted_bytes_per_ns_per_switch)[0];
state.point = points[asked.get("point")] || first || points[0];
if (asked.get("view")) drawing.view = asked.get("view");
redraw();
