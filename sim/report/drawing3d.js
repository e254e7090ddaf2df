// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// A three-dimensional torus or mesh in space, to be turned around. Only where WebGL works.
let solid = null, solidFabric = null;
let webgl;
function has3d() {
  webgl ??= Boolean(document.createElement("canvas").getContext("webgl2"));
  return webgl;
}
function stopSolid() { solid?.pauseAnimation(); }

function drawSolid(point, channels, end) {
  const fabric = fabricOf(point), where = layout(fabric), box = $("fabric3d");
  const STEP = 42;
  if (!solid) {
    solid = ForceGraph3D({ controlType: "orbit" })(box).showNavInfo(false).enableNodeDrag(false)
      .cooldownTicks(0).warmupTicks(0).nodeRelSize(3).linkOpacity(0.95).linkResolution(6)
      .nodeLabel((node) => escaped(node.name)).nodeOpacity(1)
      .linkLabel((link) => `${escaped(link.channel.text)}<br>${percent(link.channel.utilisation)} used, ` +
        `${percent(link.channel.waits)} waiting`);
    new ResizeObserver(() => { if (box.clientWidth) solid.width(box.clientWidth).height(box.clientHeight); })
      .observe(box);
  }
  solid.resumeAnimation();
  solid.width(box.clientWidth).height(box.clientHeight).backgroundColor(color("card"))
    .nodeColor(() => color("node-line"))
    .linkColor((link) => shade(link.channel.value / end))
    .linkWidth((link) => (drawing.picked === link.channel.channel ? 4 : 1.5))
    .linkCurvature("curve").linkCurveRotation("turn");
  const nodes = fabric.switches.map(([id, name, , place]) => {
    const [z, y, x] = place.split(",").map(Number);
    const at = (c, size) => (c - (size - 1) / 2) * STEP;
    return { id, name, fx: at(x, where.sizes[2]), fy: -at(y, where.sizes[1]), fz: -at(z, where.sizes[0]) };
  });
  const places = new Map(fabric.switches.map(([id, , , place]) => [id, place.split(",").map(Number)]));
  const links = channels.filter((channel) => channel.between).map((channel) => {
    const a = places.get(channel.from), b = places.get(channel.to);
    const around = a.some((c, d) => Math.abs(c - b[d]) > 1);
    // The directions of a cable bow apart; one around the ring bows far out.
    return { source: channel.from, target: channel.to, channel, curve: around ? 0.22 : 0.07,
      turn: channel.from < channel.to ? 0 : Math.PI };
  });
  solid.graphData({ nodes, links });
  if (solidFabric !== fabric) {
    solidFabric = fabric;
    const far = STEP * Math.max(...where.sizes);
    solid.cameraPosition({ x: far * 1.05, y: far * 0.75, z: far * 1.45 }, { x: 0, y: 0, z: 0 }, 0);
  }
}
