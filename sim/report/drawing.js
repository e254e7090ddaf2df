// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The fabric, its cables coloured by what they carried. On a canvas, so that thousands of cables do.
const drawing = { what: "utilisation", vl: "", view: "flat", picked: null };
const WHATS = [["utilisation", "utilisation"], ["xmit_wait_share", "waiting for credits"]];

/** Stops of the colour scale, from nothing to most. */
const SCALE = { light: ["#d5dae2", "#8fb8ee", "#3d7be0", "#7a3fb5", "#c2203d"],
                dark: ["#39424f", "#3f6fb5", "#6aa9ff", "#c07be8", "#ff6b76"] };
const channelsOfHex = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
function shade(share) {
  const stops = SCALE[root.dataset.theme];
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1), i = Math.min(Math.floor(at), stops.length - 2);
  const [a, b] = [channelsOfHex(stops[i]), channelsOfHex(stops[i + 1])];
  return `rgb(${a.map((v, k) => Math.round(v + (b[k] - v) * (at - i))).join(",")})`;
}

// ---- where things are ------------------------------------------------------------------------------
/** Places of switches and hosts of a fabric, in units of the step between neighbours. */
function layout(fabric) {
  if (fabric.layout) return fabric.layout;
  const { switches, hosts } = fabric;
  const index = new Map(switches.map(([id], i) => [id, i]));
  const places = switches.map(([, , , place]) => place?.split(",").map(Number));
  const lattice = (fabric.form === "torus" || fabric.form === "mesh") && places.every(Boolean);
  const sizes = lattice ? fabric.sizes.split("x").map(Number) : [];
  let at, wraps = () => null;
  if (lattice) {
    // The last dimension runs across, the one before it down; a third repeats that across, a fourth
    // down, and so on.
    const stride = sizes.map((_, d) => {
      let step = 1;
      for (let e = d + 2; e < sizes.length; e += 2) step = Math.max(step, 1) * sizes[e] + 1.2;
      return step;
    });
    // The layers of a cube go on below each other, so that they fill the card.
    const abreast = sizes.length === 3 ? Math.ceil(Math.sqrt(sizes[0])) : Infinity;
    at = places.map((place) => {
      const xy = [0, 0];
      place.forEach((c, d) => {
        const here = d === 0 && c >= abreast ? c % abreast : c;
        xy[(sizes.length - 1 - d) % 2] += here * stride[d];
      });
      if (place[0] >= abreast) xy[1] += Math.floor(place[0] / abreast) * (sizes[1] + 1.2);
      return xy;
    });
    wraps = (a, b) => {
      const d = sizes.findIndex((_, i) => places[a][i] !== places[b][i]);
      if (d < 0 || fabric.form !== "torus" || sizes[d] < 3) return null;
      const by = places[b][d] - places[a][d];
      const axis = (sizes.length - 1 - d) % 2;
      if (Math.abs(by) === sizes[d] - 1 || d < sizes.length - 2) {
        const out = [0, 0];
        // Around the ring, or from one copy of the plane to the next: a stub.
        out[axis] = Math.abs(by) === sizes[d] - 1 ? -Math.sign(by) : Math.sign(by);
        return d < sizes.length - 2 ? { out: [0.34 * Math.sign(out[axis]), -0.34 * Math.sign(out[axis])] }
          : { out: out.map((v) => 0.42 * v) };
      }
      return null;
    };
  } else {
    const levels = levelsOf(fabric, index);
    if (levels) {
      const top = Math.max(...levels), rows = Array.from({ length: top + 1 }, () => []);
      levels.forEach((level, i) => rows[level].push(i));
      const widest = Math.max(...rows.map((row) => row.length));
      const tall = Math.max(1.6, 0.62 * widest / Math.max(1, top));
      at = [];
      rows.forEach((row, level) => row.forEach((i, k) => {
        at[i] = [(k + 0.5) * (widest / row.length) - 0.5, (top - level) * tall];
      }));
    } else {
      const radius = Math.max(1.2, switches.length / (2 * Math.PI) * 1.25);
      at = switches.map((_, i) => {
        const angle = (2 * Math.PI * i) / switches.length - Math.PI / 2;
        return [radius + radius * Math.cos(angle), radius + radius * Math.sin(angle)];
      });
    }
  }
  const perSwitch = grouped(hosts.map((host, i) => [i, index.get(host[2])]), ([, s]) => s);
  const hostAt = [];
  for (const [s, members] of perSwitch) members.forEach(([i], k) => {
    if (s === undefined) return;
    const fan = (k - (members.length - 1) / 2);
    hostAt[i] = lattice ? [at[s][0] + 0.24 + 0.12 * fan, at[s][1] + 0.26 - 0.06 * fan]
      : levelsOf(fabric, index) ? [at[s][0] + 0.8 * fan / Math.max(members.length, 2), at[s][1] + 0.55]
        : outward(at, s, fan);
  });
  const xs = at.map((p) => p[0]), ys = at.map((p) => p[1]);
  fabric.layout = { index, at, hostAt, wraps, lattice, sizes,
    bounds: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] };
  return fabric.layout;
}
function outward(at, s, fan) {
  const middle = [0, 1].map((k) => at.reduce((sum, p) => sum + p[k], 0) / at.length);
  const angle = Math.atan2(at[s][1] - middle[1], at[s][0] - middle[0]) + 0.3 * fan;
  return [at[s][0] + 0.5 * Math.cos(angle), at[s][1] + 0.5 * Math.sin(angle)];
}
/** Of a recognised tree, or the distance to the nearest host where some switches have none. */
function levelsOf(fabric, index) {
  if (fabric.levels !== undefined) return fabric.levels;
  const { switches, hosts, channels } = fabric;
  if (switches.every(([, , level]) => level !== null)) return (fabric.levels = switches.map((s) => s[2]));
  const withHosts = new Set(hosts.map((host) => index.get(host[2])));
  fabric.levels = null;
  if (withHosts.size === 0 || withHosts.size === switches.length) return null;
  const beside = switches.map(() => []);
  for (const [, , from, , to] of channels)
    if (from !== null && to !== null) beside[index.get(from)].push(index.get(to));
  const level = switches.map((_, i) => (withHosts.has(i) ? 0 : -1));
  let ring = [...withHosts];
  for (let depth = 1; ring.length; depth++) {
    const next = [];
    for (const s of ring) for (const t of beside[s]) if (level[t] < 0) { level[t] = depth; next.push(t); }
    ring = next;
  }
  return (fabric.levels = level.includes(-1) ? null : level);
}

// ---- what they carried -----------------------------------------------------------------------------
/** [{channel, value, packets, name, from, to, between}] of a point. */
function carried(point) {
  const fabric = fabricOf(point);
  // Of one VL, if one is chosen, what that one carried.
  const ofVl = new Map(point.vl_use.vl.map((vl, i) => [i, vl]).filter(([, vl]) => String(vl) === drawing.vl)
    .map(([i]) => [point.vl_use.channel[i], i]));
  const row = new Map(point.use.channel.map((channel, i) => [channel, i]));
  const name = new Map(fabric.switches.map(([id, text]) => [id, text]));
  const hostName = new Map(fabric.hosts.map(([id, text]) => [id, text]));
  return fabric.channels.map(([channel, port, from, fromHost, to, toHost]) => {
    const i = row.get(channel);
    const whole = (column) => (i === undefined ? null : point.use[column][i]);
    const get = (column) => {
      if (drawing.vl === "" || i === undefined || column === "xmit_wait_share") return whole(column);
      return ofVl.has(channel) ? point.vl_use[column][ofVl.get(channel)] : 0;
    };
    return { channel, port, from, to, fromHost, toHost, between: from !== null && to !== null,
      value: get(drawing.what) ?? 0, utilisation: get("utilisation"), waits: get("xmit_wait_share"),
      packets: get("packets"), known: i !== undefined,
      text: `${fromHost !== null ? hostName.get(fromHost) : port} → ` +
            `${toHost !== null ? hostName.get(toHost) : name.get(to)}` };
  });
}
/** The end of the scale: a round number that holds the most. */
function scaleEnd(values) {
  const most = Math.max(0, ...values);
  return [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1].find((end) => most <= end * 1.0001) ?? 1;
}

/** "VL 15 (management)" */
const vlName = (vl) => `VL ${vl}${+vl === 15 ? " (management)" : ""}`;
/** A menu of the VLs that carried something, where there are several. */
function chooseVl(point) {
  const used = [...new Set(point.vl_use.vl)];
  if (!used.some((vl) => String(vl) === drawing.vl) || drawing.what !== "utilisation") drawing.vl = "";
  const menu = $("fabric-vl");
  menu.replaceChildren(html("option", { value: "", textContent: "all VLs" }),
    ...used.map((vl) => html("option", { value: vl, textContent: vlName(vl) })));
  menu.value = drawing.vl;
  menu.onchange = () => { drawing.vl = menu.value; drawFabric(); };
  $("fabric-vl-label").hidden = used.length < 2 || drawing.what !== "utilisation";
}

/** Which counter a loss is in, as IBA names it, and whether it is of the port that the channel comes to. */
const COUNTER = { dead_port: ["PortXmitDiscards"], head_of_queue: ["PortXmitDiscards"],
  switch_life: ["PortXmitDiscards"], no_route: ["PortRcvSwitchRelayErrors", true],
  vl15: ["PortRcvSwitchRelayErrors", true], vl15_full: ["VL15Dropped", true] };
const REASON = { cut: "on a link that was cut", dead_port: "queued for a port whose link is down",
  no_route: "no route", wrong_host: "at a host without that LID", vl15: "SL2VL maps it to VL 15",
  vl15_full: "no buffer space on VL 15", head_of_queue: "head-of-queue lifetime",
  switch_life: "switch lifetime" };
const MOST_LOSSES = 40;
function drawLosses(point, channels) {
  const by = new Map(channels.map((c) => [c.channel, c]));
  const rows = [...point.channel_losses].sort((a, b) => b[2] - a[2]);
  $("port-losses-card").hidden = rows.length === 0;
  const cells = (row) => row.map((text) => html("td", { textContent: text }));
  $("port-losses").replaceChildren(html("thead", {}, html("tr", {},
    ...["cable", "lost", "why", "counted in"].map((textContent) => html("th", { textContent })))),
  html("tbody", {}, ...rows.slice(0, MOST_LOSSES).map(([channel, reason, packets]) => {
    const [counter, far] = COUNTER[reason] ?? [];
    return html("tr", {}, ...cells([by.get(channel)?.text ?? channel, count(packets), REASON[reason] ?? reason,
      counter ? `${counter} of its ${far ? "far" : "near"} end` : "–"]));
  })));
  const total = rows.reduce((sum, [, , packets]) => sum + packets, 0);
  $("port-losses-words").textContent = rows.length === 0 ? "" : `${count(total)} while measured` +
    (rows.length > MOST_LOSSES ? `; the ${MOST_LOSSES} largest of ${count(rows.length)} rows` : "");
}

/** The ports whose queues are part of a deadlock. */
const waitingPorts = (point) => new Set(point.run_events
  .map(([, what]) => /output queue of (\S+) VL/.exec(what)?.[1]).filter(Boolean));

const canvas = html("canvas", { role: "img" }), tip = html("div", { className: "tip", hidden: true });
$("fabric").append(canvas, tip);
let segments = [];

function drawFlat(point, channels, end) {
  const fabric = fabricOf(point), where = layout(fabric);
  const [x0, y0, x1, y1] = where.bounds;
  const margin = where.lattice ? 0.75 : 0.9;
  const width = Math.max($("fabric").clientWidth, 300);
  const step = Math.max(9, Math.min(96, width / (x1 - x0 + 2 * margin)));
  const size = [Math.ceil((x1 - x0 + 2 * margin) * step), Math.ceil((y1 - y0 + 2 * margin) * step)];
  const dense = devicePixelRatio || 1;
  canvas.width = size[0] * dense;
  canvas.height = size[1] * dense;
  canvas.style.width = `${size[0]}px`;
  canvas.style.height = `${size[1]}px`;
  canvas.setAttribute("aria-label", `the fabric ${fabric.spec}, its cables coloured by ` +
    `${WHATS.find(([key]) => key === drawing.what)[1]}; the list beside it names the busiest`);
  const pen = canvas.getContext("2d");
  pen.setTransform(dense, 0, 0, dense, 0, 0);
  pen.clearRect(0, 0, ...size);
  pen.lineCap = "round";
  const spot = ([x, y]) => [(x - x0 + margin) * step, (y - y0 + margin) * step];
  const lane = Math.max(1.1, step * 0.045), thick = Math.max(1, step * 0.055);
  segments = [];
  const parallel = new Map();
  const put = (p, q, channel) => {
    const length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1;
    const key = `${p}${q}`, nth = parallel.get(key) || 0;
    parallel.set(key, nth + 1);
    const by = lane * (1 + 2 * nth);
    const n = [(-(q[1] - p[1]) / length) * by, ((q[0] - p[0]) / length) * by];
    segments.push({ p: [p[0] + n[0], p[1] + n[1]], q: [q[0] + n[0], q[1] + n[1]], channel });
  };
  const drawHosts = fabric.hosts.length <= 700 && step >= 18;
  for (const channel of channels) {
    if (channel.between) {
      const a = where.index.get(channel.from), b = where.index.get(channel.to);
      const wrap = where.wraps(a, b), [pa, pb] = [where.at[a], where.at[b]];
      if (wrap) {
        put(spot(pa), spot([pa[0] + wrap.out[0], pa[1] + wrap.out[1]]), channel);
        put(spot([pb[0] - wrap.out[0], pb[1] - wrap.out[1]]), spot(pb), channel);
      } else {
        put(spot(pa), spot(pb), channel);
      }
    } else if (drawHosts) {
      const host = channel.fromHost ?? channel.toHost;
      const h = where.hostAt[fabric.hosts.findIndex(([id]) => id === host)];
      const s = where.at[where.index.get(channel.from ?? channel.to)];
      if (h && s) put(...(channel.fromHost !== null ? [spot(h), spot(s)] : [spot(s), spot(h)]), channel);
    }
  }
  const cycle = waitingPorts(point);
  // The busiest last, so that they lie on top.
  for (const { p, q, channel } of [...segments].sort((a, b) => a.channel.value - b.channel.value)) {
    const picked = drawing.picked === channel.channel || cycle.has(channel.port) && channel.between;
    pen.beginPath();
    pen.moveTo(...p);
    pen.lineTo(...q);
    if (picked) {
      pen.strokeStyle = color("ink");
      pen.lineWidth = thick + 5;
      pen.stroke();
    }
    pen.strokeStyle = shade(channel.value / end);
    pen.lineWidth = picked ? thick + 1.5 : thick;
    pen.setLineDash(channel.known ? [] : [2, 4]);
    pen.stroke();
    pen.setLineDash([]);
  }
  if (drawHosts) {
    for (const h of where.hostAt) if (h) {
      pen.beginPath();
      pen.arc(...spot(h), Math.max(1.5, Math.min(4, step * 0.05)), 0, 7);
      pen.fillStyle = color("card");
      pen.strokeStyle = color("node-line");
      pen.lineWidth = 1;
      pen.fill();
      pen.stroke();
    }
  }
  // A row of a tree has room to the sides that a lattice's cables need.
  const wide = where.lattice ? 0.19 : 0.42;
  const box = [Math.max(2.5, Math.min(17, step * wide)), Math.max(2.5, Math.min(10, step * (where.lattice ? 0.13 : 0.22)))];
  pen.font = `600 ${Math.min(11.5, box[0] * 0.66)}px ${getComputedStyle(document.body).fontFamily}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  where.at.forEach((place, i) => {
    const [x, y] = spot(place);
    pen.beginPath();
    pen.roundRect(x - box[0], y - box[1], 2 * box[0], 2 * box[1], Math.min(5, box[1] / 2));
    pen.fillStyle = color("node");
    pen.strokeStyle = color("node-line");
    pen.lineWidth = 1.3;
    pen.fill();
    pen.stroke();
    if (box[0] < 11.5) return;
    pen.fillStyle = color("ink");
    pen.fillText(fabric.switches[i][1].replace(/^S-/, "").slice(0, 7), x, y + 0.5);
  });
}

canvas.onmousemove = (event) => {
  const { left, top } = canvas.getBoundingClientRect(), x = event.clientX - left, y = event.clientY - top;
  let nearest = null, least = 9;
  for (const segment of segments) {
    const [px, py] = segment.p, [qx, qy] = segment.q;
    const along = Math.max(0, Math.min(1, ((x - px) * (qx - px) + (y - py) * (qy - py)) /
      ((qx - px) ** 2 + (qy - py) ** 2 || 1)));
    const far = Math.hypot(x - px - along * (qx - px), y - py - along * (qy - py));
    if (far < least) { least = far; nearest = segment.channel; }
  }
  tip.hidden = !nearest;
  if (!nearest) return;
  tip.replaceChildren(html("b", { textContent: nearest.text }), html("br"),
    `${percent(nearest.utilisation)} used, ${percent(nearest.waits)} waiting`, html("br"),
    `${count(nearest.packets)} packets`);
  const over = canvas.offsetLeft + x + 14;
  tip.style.left = `${Math.max(0, Math.min(over, $("fabric").clientWidth - tip.offsetWidth - 4))}px`;
  tip.style.top = `${canvas.offsetTop + y + 16}px`;
};
canvas.onmouseleave = () => { tip.hidden = true; };

// ---- the parts of this section ---------------------------------------------------------------------
const BUSIEST = 12;
function drawFabric() {
  const { point } = state;
  chooseVl(point);
  const channels = carried(point), between = channels.filter((c) => c.between);
  const end = scaleEnd(channels.map((c) => c.value));
  const name = WHATS.find(([key]) => key === drawing.what)[1] + (drawing.vl === "" ? "" : `, ${vlName(drawing.vl)}`);
  if (!between.some((c) => c.channel === drawing.picked)) drawing.picked = null;
  const solid = layout(fabricOf(point)).sizes.length === 3 && typeof ForceGraph3D !== "undefined" && has3d();
  segmented("fabric-view", solid ? [["flat", "in layers"], ["solid", "in space"]] : [], drawing, "view",
    drawFabric);
  const inSpace = solid && drawing.view === "solid";
  $("fabric").hidden = inSpace;
  $("fabric3d").hidden = !inSpace;
  if (inSpace) drawSolid(point, channels, end);
  else { stopSolid(); drawFlat(point, channels, end); }
  $("scale").replaceChildren("0", html("i", { style: `background: linear-gradient(90deg, ${
    SCALE[root.dataset.theme].join(", ")})` }), `${percent(end, 1)} ${name}`);
  const sorted = [...between].sort((a, b) => b.value - a.value);
  $("busiest-title").textContent = drawing.what === "utilisation" ? "Busiest cables between switches"
    : "Where packets waited longest for credits";
  $("busiest").replaceChildren(...sorted.slice(0, BUSIEST).map((channel) => {
    const button = html("button", { type: "button",
      "aria-pressed": String(channel.channel === drawing.picked) },
    html("span", { textContent: channel.text }), html("b", { textContent: percent(channel.value) }));
    button.onclick = () => {
      drawing.picked = drawing.picked === channel.channel ? null : channel.channel;
      const at = [...$("busiest").querySelectorAll("button")].indexOf(button);
      drawFabric();
      $("busiest").querySelectorAll("button")[at]?.focus();
    };
    return html("li", {}, button);
  }));
  chart("spread", {
    grid: { left: 44, right: 10, top: 12, bottom: 36 },
    tooltip: { ...tooltipLook(), trigger: "axis", formatter: (items) =>
      `${escaped(sorted[items[0].dataIndex].text)}<br><b>${percent(items[0].value)}</b> ${name}` },
    xAxis: { type: "category", data: sorted.map((_, i) => i + 1), name: "rank", nameLocation: "middle",
      nameGap: 22, ...axisLook(), splitLine: { show: false },
      axisLabel: { ...axisLook().axisLabel, interval: Math.ceil(sorted.length / 4) - 1 } },
    yAxis: { type: "value", min: 0, max: end, ...axisLook(), splitNumber: 2,
      axisLabel: { ...axisLook().axisLabel, formatter: (v) => `${+(100 * v).toPrecision(2)} %` } },
    series: [{ type: "bar", barCategoryGap: sorted.length > 60 ? "0%" : "20%",
      data: sorted.map((c) => ({ value: c.value, itemStyle: { color: shade(c.value / end) } })) }],
  });
  const busy = between.map((c) => c.utilisation ?? 0), mean = busy.reduce((a, b) => a + b, 0) / (busy.length || 1);
  $("fabric-words").textContent = busy.length === 0 ? "" :
    (drawing.vl === "" ? "The cables between switches were in use" : `${vlName(drawing.vl)} used the cables between switches`) +
    ` ${percent(mean)} of the time on average, the busiest ` +
    `direction ${percent(Math.max(...busy))}` + (mean > 0
      ? `, ${digits(Math.max(...busy) / mean, 2)} times as much.` : ".") +
    (waitingPorts(point).size ? " Outlined: the cables at whose near ends packets wait for each other for ever." : "");
}
draws(drawFabric);
draws(() => drawLosses(state.point, carried(state.point)));
segmented("fabric-what", WHATS, drawing, "what", drawFabric);
let width = 0;
new ResizeObserver(() => {
  if ($("fabric").clientWidth !== width && !$("fabric").hidden) { width = $("fabric").clientWidth; drawFabric(); }
}).observe($("fabric"));
