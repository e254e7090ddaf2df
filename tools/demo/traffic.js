// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// The chart of the lost packets, with the helpers of report.js, whose script this one continues.
function lostPackets() {
  const { traffic } = facts;
  const TOP = 34, HEIGHT = 230, BETWEEN = 22, bottom = TOP + HEIGHT, end = traffic.axis_ms;
  const whole = new Intl.NumberFormat("en-GB").format;
  const x = (t) => LEFT + (Math.min(t, end) / end) * (WIDTH - LEFT - RIGHT);
  const most = Math.max(1, ...traffic.sides.map((side) => side.shown.lost));
  const y = (lost) => bottom - (lost / most) * HEIGHT;
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${bottom + 44}`, role: "img",
    "aria-label": "packets lost since the cut: " +
      traffic.sides.map((side) => `${side.title} ${whole(side.shown.lost)}`).join(", ") });
  timeAxis(chart, x, end, [TOP - 10, bottom], "ms of the fabric’s time since the cut");
  chart.append(svg("text", { class: "lane", x: 0, y: TOP + 4 }, "Packets lost"),
    svg("text", { class: "sub", x: 0, y: TOP + 24 }, "since the cut"));
  const step = Math.max(1, niceStep(most, 5));
  for (let lost = 0; lost <= most; lost += step)
    chart.append(line([[LEFT, y(lost)], [WIDTH - RIGHT, y(lost)]], { class: "grid" }),
      svg("text", { class: "axis", x: LEFT - 9, y: y(lost) + 4, "text-anchor": "end" }, whole(lost)));

  // The words stand on the flat end of each curve; the lower one's under it where they would meet.
  const [lower, upper] = traffic.sides.map((side) => side.shown.lost).sort((a, b) => a - b);
  const close = y(lower) - y(upper) < BETWEEN;
  [...traffic.sides.keys()].reverse().forEach((i) => {
    const { title, shown } = traffic.sides[i];
    let points = `${x(0)},${y(0)}`;
    for (const [t, , lost] of shown.curve) if (t >= 0 && t <= end) points += ` ${x(t)},${y(lost)}`;
    const isLower = lower === upper ? i === 0 : shown.lost === lower;
    const under = close && isLower && y(lower) < bottom - BETWEEN;
    chart.append(svg("polyline", { class: "curve", points: `${points} ${x(end)},${y(shown.lost)}`,
      ...CURVES[i] }, svg("title", {}, title)));
    if (shown.routed_after_ms !== null) {
      const { routed_after_ms: at } = shown;
      const lost = shown.curve.findLast(([t]) => t <= at)?.[2] ?? 0;
      chart.append(svg("circle", { cx: x(at), cy: y(lost), r: 5, fill: "var(--good)",
        stroke: "var(--card)", "stroke-width": 1.5 },
        svg("title", {}, `${title}: all pairs routed again after ${at.toFixed(2)} ms`)));
    }
    chart.append(svg("text", { class: "flag on-curve", x: WIDTH - RIGHT - 2,
      y: y(shown.lost) + (under ? 18 : -9), "text-anchor": "end", style: `fill: ${CURVES[i].stroke}` },
      `${title}: ${whole(shown.lost)} packets` + (shown.last_loss_ms === null ? ""
        : `, the last after ${shown.last_loss_ms.toFixed(1)} ms`)));
  });
  $("packets").append(chart, keys([
    ...traffic.sides.map((side, i) =>
      [`packets lost: ${side.title}, ${whole(side.shown.lost)}`, curveKey(i)]),
    ["the switches’ tables lead every pair to its destination again",
     "border-radius: 50%; background: var(--good)"]]));
}
lostPackets();
