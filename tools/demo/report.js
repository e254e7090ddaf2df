// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The report's drawings, from the facts embedded in the page. No library, no network.
const facts = JSON.parse(document.getElementById("facts").textContent);
const { fabric, cut, sides } = facts;
const NO_PORT = 255, LIDS = 1 << facts.lmc;
const $ = (id) => document.getElementById(id);

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
function html(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
const ms = (value) => (value < 100 ? value.toFixed(1) : value.toFixed(0));

// ---- light and dark --------------------------------------------------------------------------------
const root = document.documentElement;
const wanted = new URLSearchParams(location.search).get("theme");
root.dataset.theme = wanted || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
$("theme").onclick = () => { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; };

// ---- walking the tables ----------------------------------------------------------------------------
const peer = new Map();  // "switch:port" → what is at the other end
for (const [a, pa, b, pb] of fabric.cables) {
  peer.set(`${a}:${pa}`, { to: b, at: pb });
  peer.set(`${b}:${pb}`, { to: a, at: pa });
}
fabric.hosts.forEach(([, sw, port], host) => peer.set(`${sw}:${port}`, { host }));
const cutEnds = new Set([`${cut.cable[0]}:${cut.cable[1]}`, `${cut.cable[2]}:${cut.cable[3]}`]);

/** The path from a host to a column of the tables (host × LIDs + offset): [[switch, out port]…]. */
function walk(side, when, source, column) {
  const hops = [], lft = side.lft[when];
  for (let at = fabric.hosts[source][1]; hops.length <= fabric.switches.length;) {
    const port = lft[at][column];
    hops.push([at, port]);
    const next = port === NO_PORT ? undefined : peer.get(`${at}:${port}`);
    if (!next || next.host !== undefined) break;
    if (when === "after" && cutEnds.has(`${at}:${port}`)) break;
    at = next.to;
  }
  return hops;
}
const crossesCut = (hops) => hops.some(([at, port]) => cutEnds.has(`${at}:${port}`));

/** Every path of one side, before and after. */
function survey(side) {
  const load = { before: new Map(), after: new Map() }, moved = [];
  for (let source = 0; source < fabric.hosts.length; source++)
    for (let column = 0; column < fabric.hosts.length * LIDS; column++) {
      const target = Math.floor(column / LIDS);
      if (target === source) continue;
      const walks = { before: walk(side, "before", source, column),
                      after: walk(side, "after", source, column) };
      for (const when of ["before", "after"])
        for (const [at, port] of walks[when]) {
          const key = `${at}:${port}`;
          load[when].set(key, (load[when].get(key) || 0) + 1);
        }
      if (String(walks.before) !== String(walks.after))
        moved.push({ source, column, crossed: crossesCut(walks.before),
                     from: walks.before.length - 1, to: walks.after.length - 1 });
    }
  moved.sort((a, b) => (b.crossed - a.crossed) || (a.source - b.source) || (a.column - b.column));
  return { load, moved };
}
const surveys = sides.map(survey);

// ---- where things are drawn ------------------------------------------------------------------------
const STEP = 92, EDGE = 66, NODE = 17;
const grid = fabric.switches.map((name) => /^S-(\d+)-(\d+)$/.exec(name));
const isGrid = grid.every(Boolean);
const rows = isGrid ? 1 + Math.max(...grid.map((m) => +m[1])) : 0;
const columns = isGrid ? 1 + Math.max(...grid.map((m) => +m[2])) : 0;
const ring = Math.max(230, fabric.switches.length * 9);
const size = isGrid
  ? [2 * EDGE + (columns - 1) * STEP, 2 * EDGE + (rows - 1) * STEP]
  : [2 * ring + 160, 2 * ring + 160];
const place = fabric.switches.map((_, i) => {
  if (isGrid) return [EDGE + grid[i][2] * STEP, EDGE + grid[i][1] * STEP];
  const angle = (2 * Math.PI * i) / fabric.switches.length - Math.PI / 2;
  return [size[0] / 2 + ring * Math.cos(angle), size[1] / 2 + ring * Math.sin(angle)];
});
const perSwitch = new Map();
const hostPlace = fabric.hosts.map(([, sw]) => {
  const nth = perSwitch.get(sw) || 0;
  perSwitch.set(sw, nth + 1);
  const angle = isGrid ? Math.PI / 4 + nth * 0.7
    : Math.atan2(place[sw][1] - size[1] / 2, place[sw][0] - size[0] / 2) + nth * 0.35;
  return [place[sw][0] + 35 * Math.cos(angle), place[sw][1] + 35 * Math.sin(angle)];
});

/** The straight pieces in which a cable from a to b is drawn: one, or two when it wraps around. */
function pieces(a, b) {
  if (isGrid) {
    const dy = grid[b][1] - grid[a][1], dx = grid[b][2] - grid[a][2];
    const wraps = (Math.abs(dy) > 1 && Math.abs(dy) === rows - 1 && !dx) ||
                  (Math.abs(dx) > 1 && Math.abs(dx) === columns - 1 && !dy);
    if (wraps) {
      const out = [-Math.sign(dx) * STEP * 0.58, -Math.sign(dy) * STEP * 0.58];
      const [pa, pb] = [place[a], place[b]];
      return [[pa, [pa[0] + out[0], pa[1] + out[1]]], [[pb[0] - out[0], pb[1] - out[1]], pb]];
    }
  }
  return [[place[a], place[b]]];
}

const drawing = svg("svg", { viewBox: `0 0 ${size[0]} ${size[1]}`, role: "img",
  "aria-label": "the fabric with the chosen path before the cut and after the repair" });
const layers = {};
for (const name of ["cables", "cut", "paths", "ghosts", "hosts", "switches", "labels"])
  drawing.append(layers[name] = svg("g"));
$("fabric").append(drawing);

const line = ([p, q], attributes) =>
  svg("line", { x1: p[0], y1: p[1], x2: q[0], y2: q[1], ...attributes });
const cableLines = fabric.cables.map(([a, pa, b, pb]) => {
  const isCut = cutEnds.has(`${a}:${pa}`);
  const parts = pieces(a, b);
  if (isGrid && parts.length === 2)
    for (const [sw, [x, y]] of [[b, parts[0][1]], [a, parts[1][0]]])
      layers.ghosts.append(svg("g", { class: "ghost" },
        svg("rect", { x: x - 14, y: y - 9, width: 28, height: 18, rx: 5 }),
        svg("text", { x, y: y + 3.6, "text-anchor": "middle" },
            fabric.switches[sw].replace("S-", ""))));
  const group = svg("g", { class: isCut ? "cut" : "cable" }, ...parts.map((p) => line(p)));
  group.append(svg("title", {},
    `${fabric.switches[a]} port ${pa} – ${fabric.switches[b]} port ${pb}` + (isCut ? ": cut" : "")));
  if (isCut)
    for (const [p, q] of parts) {
      const [x, y] = [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
      group.append(svg("circle", { cx: x, cy: y, r: 9 }),
        line([[x - 6, y - 6], [x + 6, y + 6]], { class: "cross" }),
        line([[x + 6, y - 6], [x - 6, y + 6]], { class: "cross" }));
    }
  layers[isCut ? "cut" : "cables"].append(group);
  return group;
});
const switchBoxes = fabric.switches.map((name, i) => {
  const [x, y] = place[i];
  const box = svg("g", { class: "switch" },
    svg("rect", { x: x - NODE, y: y - 11, width: 2 * NODE, height: 22, rx: 6 }),
    svg("text", { x, y: y + 4, "text-anchor": "middle" }, name.replace("S-", "")),
    svg("title", {}, `switch ${name}`));
  layers.switches.append(box);
  return box;
});
const hostDots = fabric.hosts.map(([name, sw], i) => {
  const [x, y] = hostPlace[i];
  const dot = svg("g", { class: "host" }, line([place[sw], [x, y]]),
    svg("circle", { class: "hit", cx: x, cy: y, r: 13 }),
    svg("circle", { class: "dot", cx: x, cy: y, r: 5 }), svg("title", {}, `host ${name}`));
  dot.addEventListener("click", () => pick(i));
  layers.hosts.append(dot);
  return dot;
});

// ---- the chosen path -------------------------------------------------------------------------------
const state = { side: 0, source: 0, column: LIDS, waiting: false, filter: "crossed", cycle: false };

/** Moves a polyline sideways, so that the paths before and after can lie beside each other. */
function shifted([p, q], by) {
  const length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1;
  // the same side of a cable whichever way it is walked
  const flip = p[0] > q[0] || (p[0] === q[0] && p[1] > q[1]) ? -1 : 1;
  const n = [(-(q[1] - p[1]) / length) * by * flip, ((q[0] - p[0]) / length) * by * flip];
  return [[p[0] + n[0], p[1] + n[1]], [q[0] + n[0], q[1] + n[1]]];
}
function pathShape(hops, source, by, stops) {
  const strokes = [];
  let current = [hostPlace[source]];
  hops.forEach(([at, port], i) => {
    const next = peer.get(`${at}:${port}`);
    if (!next) return;
    if (next.host !== undefined) { current.push(place[at], hostPlace[next.host]); return; }
    if (stops && i === hops.length - 1) return;
    if (i === 0) current.push(place[at]);
    const parts = pieces(at, next.to).map((piece) => shifted(piece, by));
    current.push(...parts[0]);
    if (parts.length === 2) { strokes.push(current); current = [...parts[1]]; }
  });
  strokes.push(current);
  return strokes.map((points) => "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`)
    .join("L")).join("");
}
function drawLoad() {
  const load = surveys[state.side].load.after, most = Math.max(1, ...load.values());
  fabric.cables.forEach(([a, pa, b, pb], i) => {
    const paths = Math.max(load.get(`${a}:${pa}`) || 0, load.get(`${b}:${pb}`) || 0);
    if (!cutEnds.has(`${a}:${pa}`))
      cableLines[i].setAttribute("stroke-width", (1 + 6 * (paths / most)).toFixed(2));
  });
}
const whole = (name) => name.replaceAll("-", "\u2011");  // names are not broken over lines
const describe = (hops, target) =>
  [...hops.map(([at]) => fabric.switches[at]), fabric.hosts[target][0]].map(whole).join(" → ");

/** The channels of the cycle that selvedge-route verify found after the repair: [[switch, port]…]. */
function cycleOf(side) {
  const witness = (side.proof.after.witnesses || [side.proof.after.witness])
    .find((w) => w && w.property === "deadlock_free" && w.channels);
  if (!witness) return null;
  const channels = witness.channels.map((name) => {
    const at = name.lastIndexOf(":");
    return [fabric.switches.indexOf(name.slice(0, at)), +name.slice(at + 1)];
  });
  const known = ([sw, port]) => sw >= 0 && peer.has(`${sw}:${port}`) &&
    peer.get(`${sw}:${port}`).host === undefined;
  return channels.length && channels.every(known) ? channels : null;
}
function drawCycle(channels) {
  for (const [at, port] of channels)
    for (const [p, q] of pieces(at, peer.get(`${at}:${port}`).to)) {
      const angle = (Math.atan2(q[1] - p[1], q[0] - p[0]) * 180) / Math.PI;
      layers.paths.append(line([p, q], { class: "path cycle" }),
        svg("path", { class: "arrow", d: "M7 0L-6 -7V7Z",
          transform: `translate(${(p[0] + q[0]) / 2} ${(p[1] + q[1]) / 2}) rotate(${angle})` }));
    }
}
function showCycle(channels) {
  layers.paths.replaceChildren();
  layers.labels.replaceChildren();
  drawCycle(channels);
  const used = new Set(channels.map(([at]) => at));
  switchBoxes.forEach((box, i) => box.classList.toggle("on", used.has(i)));
  hostDots.forEach((dot) => dot.classList.remove("end"));
  const names = channels.map(([at]) => whole(fabric.switches[at]));
  $("routes").replaceChildren(html("div", { className: "route cycle" },
    html("b", { textContent: `${channels.length} channels that can wait for each other` }),
    html("span", { textContent: `${names.join(" → ")} → ${names[0]}. When each of these cables holds ` +
      "packets whose path goes on over the next one, none of them moves again." })));
  for (const button of $("moved").querySelectorAll("button")) button.setAttribute("aria-current", "false");
}

function show() {
  const side = sides[state.side], target = Math.floor(state.column / LIDS);
  const channels = cycleOf(side);
  $("cycle").hidden = !channels;
  $("cycle").setAttribute("aria-pressed", String(state.cycle));
  $("cycle").textContent = state.cycle ? "Back to the paths" : "Packets can deadlock here: show how";
  drawLoad();
  if (state.cycle && channels) { showCycle(channels); return; }
  state.cycle = false;
  const before = walk(side, "before", state.source, state.column);
  const after = walk(side, "after", state.source, state.column);
  const same = String(before) === String(after);
  layers.paths.replaceChildren();
  if (!state.waiting) {
    if (!same)
      layers.paths.append(svg("path", { class: "path before",
        d: pathShape(before, state.source, -5, false) }));
    layers.paths.append(svg("path", { class: "path after",
      d: pathShape(after, state.source, same ? 0 : 5, false) }));
  }
  const used = new Set(state.waiting ? [] : [...before, ...after].map(([at]) => at));
  switchBoxes.forEach((box, i) => box.classList.toggle("on", used.has(i)));
  const ends = state.waiting ? [state.source] : [state.source, target];
  hostDots.forEach((dot, i) => dot.classList.toggle("end", ends.includes(i)));
  layers.labels.replaceChildren();
  layers.labels.setAttribute("class", "host");
  for (const i of ends)
    layers.labels.append(svg("text", { x: hostPlace[i][0] + 8, y: hostPlace[i][1] + 13 },
      fabric.hosts[i][0]));

  const lid = LIDS > 1 ? ` (LID offset ${state.column % LIDS})` : "";
  const line = (kind, title, hops) => html("div", { className: `route ${kind}` },
    html("b", { textContent: `${title}: ${hops.length - 1} cables` }),
    html("span", { textContent: describe(hops, target) }));
  $("routes").replaceChildren(...(state.waiting
    ? [html("p", { className: "note", textContent: `From ${fabric.hosts[state.source][0]} to …? ` +
        "Click the host that receives." })]
    : same
      ? [line("after", `Before and after, it did not move${lid}`, after)]
      : [line("before", `Before the cut${lid}`, before), line("after", "After the repair", after)]));
  $("from").value = state.source;
  $("to").value = state.column;
  for (const button of $("moved").querySelectorAll("button"))
    button.setAttribute("aria-current", String(button.dataset.pair === `${state.source}:${state.column}`
      && !state.waiting));
}
function pick(host) {
  state.cycle = false;
  if (state.waiting && host !== state.source) {
    state.column = host * LIDS;
    state.waiting = false;
  } else {
    state.source = host;
    state.waiting = true;
  }
  show();
}
function choose(source, column) {
  if (Math.floor(column / LIDS) === source) return show();
  Object.assign(state, { source, column, waiting: false, cycle: false });
  show();
}

// ---- the controls ----------------------------------------------------------------------------------
function segments(box, names, chosen, act) {
  box.replaceChildren(...names.map(([key, text]) => {
    const button = html("button", { type: "button", textContent: text, onclick: () => act(key) });
    button.setAttribute("aria-pressed", String(key === chosen));
    return button;
  }));
}
const LIST_MAX = 400;
function list() {
  const { moved } = surveys[state.side];
  const crossed = moved.filter((m) => m.crossed);
  if (state.filter === "crossed" && !crossed.length) state.filter = "other";
  segments($("sides"), sides.map((side, i) => [i, side.title]), state.side, (key) => {
    Object.assign(state, { side: key, cycle: false });
    list();
    show();
  });
  $("moved-title").textContent = `${moved.length} of ${facts.paths} paths moved`;
  segments($("filter"), [["crossed", `crossed the cable: ${crossed.length}`],
                         ["other", `others: ${moved.length - crossed.length}`]], state.filter,
    (key) => { state.filter = key; list(); show(); });
  const shown = state.filter === "crossed" ? crossed : moved.filter((m) => !m.crossed);
  const name = (i) => fabric.hosts[i][0];
  $("moved").replaceChildren(...shown.slice(0, LIST_MAX).map(({ source, column, from, to }) => {
    const button = html("button", { type: "button", onclick: () => choose(source, column) },
      html("span", { textContent: `${name(source)} → ${name(Math.floor(column / LIDS))}` +
        (LIDS > 1 ? ` +${column % LIDS}` : "") }),
      html("small", { textContent: from === to ? `${to} cables` : `${from} → ${to} cables` }));
    button.dataset.pair = `${source}:${column}`;
    return html("li", {}, button);
  }), ...(shown.length > LIST_MAX
    ? [html("li", { className: "more", textContent: `and ${shown.length - LIST_MAX} more` })] : []),
  ...(shown.length ? [] : [html("li", { className: "more", textContent: "none" })]));
}
fabric.hosts.forEach(([name], i) => {
  $("from").append(html("option", { value: i, textContent: name }));
  for (let k = 0; k < LIDS; k++)
    $("to").append(html("option", { value: i * LIDS + k, textContent: name + (LIDS > 1 ? ` +${k}` : "") }));
});
$("from").onchange = () => choose(+$("from").value, state.column);
$("to").onchange = () => choose(state.source, +$("to").value);
$("cycle").onclick = () => {
  Object.assign(state, { cycle: !state.cycle, waiting: false });
  show();
};
$("swap").onclick = () =>
  choose(Math.floor(state.column / LIDS), state.source * LIDS + (state.column % LIDS));
$("legend").append(...[
  ["before the cut", svg("line", { x1: 3, y1: 5, x2: 23, y2: 5, stroke: "var(--before)",
    "stroke-width": 4, "stroke-dasharray": "1 7", "stroke-linecap": "round" })],
  ["after the repair", svg("line", { x1: 3, y1: 5, x2: 23, y2: 5, stroke: "var(--after)",
    "stroke-width": 4, "stroke-linecap": "round" })],
  ["the cut cable", svg("path", { d: "M8 0L18 10M18 0L8 10", stroke: "var(--bad)", "stroke-width": 2.6,
    "stroke-linecap": "round" })],
].map(([text, sign]) => html("span", {}, svg("svg", { viewBox: "0 0 26 10" }, sign), text)));

// The first thing shown: the path that crossed the cable and has the most to tell.
const telling = [...surveys[0].moved].sort((a, b) =>
  (b.crossed - a.crossed) || (b.to - a.to) || (b.from - a.from))[0];
if (telling) Object.assign(state, { source: telling.source, column: telling.column });
list();
show();
const current = $("moved").querySelector('[aria-current="true"]');
if (current) $("moved").scrollTop = current.offsetTop - $("moved").offsetTop - 60;

// ---- the timeline ----------------------------------------------------------------------------------
const PHASES = [  // until which milestone, what it is called, colour, dark text on it?
  ["sweep_start", "notice", "--notice", true],
  ["located", "locate", "--discovery", false],
  ["discovery_done", "discover", "--discovery", false],
  ["tables_begin", "prepare", "--prepare", true],
  ["tables_computed", "compute", "--compute", false],
  ["proved", "prove", "--prove", false],
  ["first_block", "compute and send", "--compute", false],
  ["last_block", "write", "--write", false],
  ["confirmed", "read back", "--prepare", true],
  ["subnet_up", "settle", "--settle", true],
];
function phases(at) {
  const found = [], seen = (key) => at[key] !== null && at[key] !== undefined;
  const fast = seen("confirmed");  // repaired at the trap: the sweep has nothing left to do
  let since = 0;
  for (const [key, ...look] of PHASES.filter(([k]) => seen(k)).sort((a, b) => at[a[0]] - at[b[0]])) {
    let [text, colour, dark] = look;
    // where computing and proving are seen for themselves, what follows them is writing
    if (key === "first_block" && seen("tables_computed")) [text, colour] = ["write", "--write"];
    if (fast && ["discovery_done", "tables_begin", "subnet_up"].includes(key))
      [text, colour, dark] = ["OpenSM’s sweep follows", "--settle", true];
    found.push({ since, until: at[key], text, colour, dark });
    since = at[key];
  }
  return found.reduce((merged, phase) => {  // neighbours with one name become one bar
    const last = merged.at(-1);
    if (last && last.text === phase.text) last.until = phase.until;
    else merged.push(phase);
    return merged;
  }, []);
}
function niceStep(span, count) {
  const raw = span / count, power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((m) => m * power).find((m) => m >= raw);
}
const WIDTH = 1040, LEFT = 158, RIGHT = 26;  // of a chart
/** Grid lines and numbers of an axis of times from 0 to `end`. */
function timeAxis(chart, x, end, [top, bottom], words) {
  const step = niceStep(end, 8);
  for (let t = 0; t <= end; t += step)
    chart.append(line([[x(t), top], [x(t), bottom]], { class: "grid" }),
      svg("text", { class: "axis", x: x(t), y: bottom + 18, "text-anchor": "middle" },
        String(+t.toFixed(6))));
  chart.append(svg("text", { class: "axis", x: WIDTH - RIGHT, y: bottom + 36, "text-anchor": "end" },
    words));
}
/** What the colours below a chart mean: [[words, CSS of the sign]…]. */
const keys = (entries) => html("div", { className: "keys" }, ...entries.map(([text, style]) =>
  html("span", {}, Object.assign(html("i"), { style }), text)));
const CURVES = [{ stroke: "var(--accent)", "stroke-dasharray": "none" },  // of each side
                { stroke: "var(--other)", "stroke-dasharray": "6 4" }];
const curveKey = (i) => `height: 3px; vertical-align: 4px; background: ${CURVES[i].stroke}`;

function timeline() {
  const LANE = 84, TOP = 14, HEIGHT = 150;
  const end = Math.max(1, ...sides.flatMap((side) =>
    Object.values(side.shown.milestones).filter((v) => v !== null))) * 1.03;
  const x = (t) => LEFT + (t / end) * (WIDTH - LEFT - RIGHT);
  const curvesTop = TOP + LANE * sides.length + 34, bottom = curvesTop + HEIGHT;
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${bottom + 44}`, role: "img",
    "aria-label": "the two recoveries on one time axis" });
  timeAxis(chart, x, end, [TOP, bottom], "ms after the cut");

  sides.forEach((side, i) => {
    const y = TOP + i * LANE + 8, at = side.shown.milestones;
    chart.append(svg("text", { class: "lane", x: 0, y: y + 20 }, side.title),
      svg("text", { class: "sub", x: 0, y: y + 38 }, i === 0 ? "the plugin routes" : "the plugin watches"));
    for (const phase of phases(at)) {
      const wide = x(phase.until) - x(phase.since);
      const bar = svg("rect", { x: x(phase.since), y, width: Math.max(1, wide - 1.5), height: 32, rx: 4,
        fill: `var(${phase.colour})` });
      bar.append(svg("title", {},
        `${phase.text}: ${ms(phase.since)} to ${ms(phase.until)} ms (${ms(phase.until - phase.since)} ms)`));
      chart.append(bar);
      if (wide > phase.text.length * 7 + 10)
        chart.append(svg("text", { class: "phase" + (phase.dark ? " dark" : ""),
          x: x(phase.since) + wide / 2, y: y + 20.5, "text-anchor": "middle" }, phase.text));
    }
    if (at.trap !== null)
      chart.append(svg("path", { d: `M${x(at.trap)} ${y - 1}l-5 -8h10z`, fill: "var(--ink)" },
        svg("title", {}, `trap received: ${ms(at.trap)} ms`)));
    if (at.all_reachable !== null) {
      const right = x(at.all_reachable) > WIDTH * 0.7;
      chart.append(line([[x(at.all_reachable), y - 4], [x(at.all_reachable), y + 44]],
        { stroke: "var(--good)", "stroke-width": 2.5 }),
        svg("text", { class: "flag", x: x(at.all_reachable) + (right ? -7 : 7), y: y + 49,
          "text-anchor": right ? "end" : "start", style: "fill: var(--good)" },
          `all pairs reachable: ${ms(at.all_reachable)} ms`));
    }
  });

  // pairs without a path
  const most = Math.max(1, ...sides.map((side) => side.broken_most));
  const yOf = (broken) => bottom - (broken / most) * (HEIGHT - 20);
  chart.append(svg("text", { class: "lane", x: 0, y: curvesTop + 22 }, "Pairs without"),
    svg("text", { class: "lane", x: 0, y: curvesTop + 40 }, "a path"),
    svg("text", { class: "sub", x: 0, y: curvesTop + 60 }, `of ${facts.pairs}`));
  for (const value of [most, Math.round(most / 2), 0])
    chart.append(svg("text", { class: "axis", x: LEFT - 9, y: yOf(value) + 4, "text-anchor": "end" },
      String(value)));
  chart.append(line([[LEFT, bottom], [WIDTH - RIGHT, bottom]], { class: "grid" }));
  [...sides.keys()].reverse().forEach((i) => {
    let d = "";
    sides[i].shown.steps.forEach(([t, broken], n, all) => {
      d += n ? `H${x(t)}V${yOf(broken)}` : `M${x(t)} ${yOf(broken)}`;
      if (n === all.length - 1) d += `H${x(end)}`;
    });
    chart.append(svg("path", { d: `${d}V${bottom}H${LEFT}Z`, fill: CURVES[i].stroke, opacity: 0.1 }),
      svg("path", { class: "curve", d, ...CURVES[i] }));
  });
  const seen = new Map();
  for (const side of sides)
    for (const { text, colour } of phases(side.shown.milestones))
      if (!seen.has(colour)) seen.set(colour, text);
  $("timeline").append(chart, keys([
    ...[...seen].map(([colour, text]) => [text, `background: var(${colour})`]),
    [`pairs without a path: ${sides[0].title}`, curveKey(0)], [sides[1].title, curveKey(1)]]));
}
timeline();
