// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// What all charts look like.
const charts = new Map();
/** Draws the option into the element; `clicked` hears of what is chosen in it. */
function chart(id, option, clicked) {
  let drawn = charts.get(id);
  if (!drawn) {
    drawn = echarts.init($(id), null, { renderer: "svg" });
    charts.set(id, drawn);
    new ResizeObserver(() => drawn.resize()).observe($(id));
    if (clicked) drawn.on("click", clicked);
  }
  drawn.setOption({
    animation: false,
    color: [1, 2, 3, 4, 5, 6, 7, 8].map((i) => color(`s${i}`)),
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, fontSize: 13,
      color: color("ink") },
    aria: { enabled: true },
    ...option,
  }, true);
  return drawn;
}
const axisLook = () => ({
  axisLine: { lineStyle: { color: color("faint") } },
  axisTick: { lineStyle: { color: color("faint") } },
  axisLabel: { color: color("soft"), fontSize: 12.5 },
  splitLine: { lineStyle: { color: color("line") } },
  minorSplitLine: { show: false },
  nameTextStyle: { color: color("soft"), fontSize: 13 },
});
const across = (name, more = {}) => ({ type: "value", name, nameLocation: "middle", nameGap: 30,
  ...axisLook(), ...more });
const upright = (name, more = {}) => ({ type: "value", name, nameLocation: "end", nameGap: 14,
  ...axisLook(), nameTextStyle: { color: color("soft"), fontSize: 13, align: "left",
    padding: [0, 0, 0, -46] }, ...more });
const tooltipLook = () => ({ backgroundColor: color("card"), borderColor: color("line"),
  confine: true, textStyle: { color: color("ink"), fontSize: 13 } });
const legendLook = () => ({ type: "scroll", top: 0, icon: "roundRect", itemWidth: 16, itemHeight: 4,
  textStyle: { color: color("soft"), fontSize: 13 }, pageTextStyle: { color: color("soft") },
  pageIconColor: color("accent"), pageIconInactiveColor: color("line") });
/** A logarithmic axis' bounds: the powers of ten around, or of two where there are few. */
function logBounds(values) {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return { min: 1, max: 10 };
  const least = Math.min(...positive), most = Math.max(...positive);
  const step = (value, round) => {
    const power = 10 ** Math.floor(Math.log10(value));
    const choices = [1, 2, 5, 10].map((factor) => factor * power);
    return round === "down" ? Math.max(...choices.filter((choice) => choice <= value * 1.0001))
      : Math.min(...choices.filter((choice) => choice >= value * 0.9999));
  };
  const min = step(least / 1.05, "down"), max = step(most * 1.05, "up");
  return { min, max: max > min ? max : 10 * min };
}
/** What is written at such an axis: 1, 2 and 5 of each power of ten where there are few of these. */
function logTicks({ min, max }) {
  if (max / min > 1e3) return {};
  const customValues = [];
  for (let power = 10 ** Math.floor(Math.log10(min)); power <= max; power *= 10)
    for (const factor of [1, 2, 5])
      if (factor * power >= min * 0.9999 && factor * power <= max * 1.0001) customValues.push(factor * power);
  return { customValues };
}
const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
