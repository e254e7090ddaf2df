# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Turns the runs into the report. facts() makes one value with all figures. The table on standard
output, the JSON document and the report (one HTML file that needs no network connection) are made from
that value alone."""
import datetime
import html
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import tempfile

from tools.demo import case, traffic
from tools.lab.subnet import NO_PORT

_HERE = pathlib.Path(__file__).resolve().parent
_FRAME = _HERE.parents[1] / "base" / "report"  # shared with the simulator's report
_PROPERTIES = (("connected", "every host reaches every LID"), ("loop_free", "no loops"),
               ("deadlock_free", "no deadlock possible"))


# -- the figures ------------------------------------------------------------------------------------

def facts(runs, traffic_facts, args, load_average):
    """Everything that is shown, as plain values. `runs`: Setting → [Run]. `traffic_facts`: the result
    of traffic.facts(). `load_average`: the machine's, over the minute before the first run."""
    first = next(iter(runs.values()))[0]
    subnet, lids = first.before, 1 << args.lmc
    switches = sorted(subnet.switches.values(), key=lambda s: _by_number(s.name))
    index = {s.guid: i for i, s in enumerate(switches)}
    hosts = sorted(subnet.hosts, key=lambda h: (_by_number(h.name), h.number))
    complaints = [f"{setting.title}, run {n}: {text}" for setting, done in runs.items()
                  for n, run in enumerate(done, 1) for text in run.complaints]
    cut = first.cut
    return {
        "format": "selvedge-demo-1",
        "made": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "runs": args.runs,
        "lmc": args.lmc,
        "pairs": first.survey_before.pairs,
        "paths": len(first.survey_before.walks),
        "fabric": {
            "name": _shape(subnet, switches) or pathlib.Path(args.fabric).name,
            "switches": [s.name for s in switches],
            "hosts": [[h.name, index[h.switch], h.switch_port] for h in hosts],
            "cables": [[index[a[0]], a[1], index[b[0]], b[1]] for a, b in subnet.each_cable()],
        },
        "cut": {"name": cut.name, "cable": [index[cut.end[0]], cut.end[1], index[cut.other[0]],
                                            cut.other[1]]},
        "sides": [_side(setting, done, switches, hosts, lids) for setting, done in runs.items()],
        "traffic": traffic_facts,
        "versions": _versions(first),
        "load_average": load_average,
        "cores": os.cpu_count(),
        "complaints": complaints + traffic_facts["complaints"],
    }


def _side(setting, done, switches, hosts, lids):
    shown = case.median_run(done)
    hosts_by_name = {(h.name, h.number): h for h in shown.before.hosts}

    def lft(subnet):
        # LIDs may differ between two subnets; the order of the hosts does not.
        columns = [hosts_by_name[h.name, h.number].lid + i for h in hosts for i in range(lids)]
        return [[subnet.lfts[s.guid].get(lid, NO_PORT) for lid in columns] for s in switches]

    return {
        "key": setting.key,
        "title": setting.title,
        "routing_engine": setting.routing_engine,
        "milestones": {key: case.spread(done, key) for key, _ in case.MILESTONES},
        "shown": {"milestones": shown.milestones, "steps": shown.steps,
                  "run": done.index(shown) + 1},
        "pair_ms": statistics.median(run.pair_ms for run in done),
        "broken_most": max(broken for _, broken in shown.steps),
        "broken_before": max(run.survey_before.broken_pairs for run in done),
        "broken_after": max(run.survey_after.broken_pairs for run in done),
        "crossing": shown.crossing,
        "moved": shown.moved,
        "blocks": shown.blocks,
        "entries": shown.entries,
        "proof": {"before": shown.proof_before, "after": shown.proof_after},
        "last_sweep": shown.status.get("last_sweep"),
        "lft": {"before": lft(shown.before), "after": lft(shown.after)},
    }


def _by_number(name):
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def _shape(subnet, switches):
    """The fabric's shape, as "6×6 torus"; None for other fabrics. Names alone are not enough, since
    other fabrics name switches S-y-x too: the cables must be those of a torus."""
    places = {s.guid: [int(n) for n in re.findall(r"\d+", s.name)] for s in switches
              if re.fullmatch(r"S-\d+-\d+", s.name)}
    if len(places) != len(switches):
        return None
    sizes = [1 + max(place[axis] for place in places.values()) for axis in (0, 1)]

    def neighbours(a, b):
        steps = [(places[a][axis] - places[b][axis]) % sizes[axis] for axis in (0, 1)]
        return 0 in steps and any(step in (1, size - 1) for step, size in zip(steps, sizes))
    cables = subnet.each_cable()
    is_torus = (sizes[0] * sizes[1] == len(switches) and len(cables) == 2 * len(switches) and
                all(neighbours(end[0], other[0]) for end, other in cables))
    return f"{sizes[0]}×{sizes[1]} torus" if is_torus else None


def _versions(run):
    def said(argv, pattern):
        try:
            done = subprocess.run(argv, capture_output=True, text=True, timeout=10, check=False,
                                  env={**os.environ, "PATH": os.environ.get("PATH", "") +
                                       ":/usr/sbin"}, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.TimeoutExpired):
            return "unknown"
        match = re.search(pattern, done.stdout + done.stderr)
        return match[1] if match else "unknown"
    cpu = re.search(r"model name\s*:\s*(.+)",
                    pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace"))
    return {
        "Selvedge": str(run.status.get("selvedge", "unknown")),
        "OpenSM": str(run.status.get("opensm", "unknown")).removeprefix("OpenSM "),
        "infiniband-diags": said(["dump_fts", "-V"], r"VERSION: (\S+)"),
        "Linux": platform.release(),
        "processor": f"{cpu[1].strip() if cpu else platform.machine()}, {os.cpu_count()} cores",
    }


# -- rows that the table and the report share ------------------------------------------------------

def _ms(value):
    return "–" if value is None else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def time_rows(facts_):
    """[(what, [(median, least, most) or None for each side])]"""
    return [(what, [side["milestones"][key] for side in facts_["sides"]])
            for key, what in case.MILESTONES]


def figure_rows(facts_):
    """[(what, [text for each side])]"""
    sides, pairs = facts_["sides"], facts_["pairs"]

    def row(what, text):
        return what, [text(side) for side in sides]

    def holds(side, when):
        proof = side["proof"][when]
        return ", ".join(f"{'yes' if proof.get(key) else 'NO'}" for key, _ in _PROPERTIES)
    return [
        row("pairs reachable before the cut", lambda s: f"{pairs - s['broken_before']} of {pairs}"),
        row("pairs reachable after the repair", lambda s: f"{pairs - s['broken_after']} of {pairs}"),
        row("pairs without a path, at most", lambda s: str(s["broken_most"])),
        row("pairs × time without a path", lambda s: f"{s['pair_ms'] / 1000:.2f} pair·s"),
        row("paths that crossed the cable", lambda s: str(s["crossing"])),
        row("paths that moved", lambda s: str(s["moved"])),
        row("LFT entries that changed", lambda s: str(s["entries"])),
        row("LFT blocks acknowledged", lambda s: str(s["blocks"])),
        row("connected, loop free, deadlock free: before", lambda s: holds(s, "before")),
        row("connected, loop free, deadlock free: after", lambda s: holds(s, "after")),
    ]


def busy(facts_):
    """A sentence that warns if the machine had other load, else nothing."""
    load, cores = facts_["load_average"], facts_["cores"]
    if load < cores / 2:
        return ""
    return (f"The machine was busy with other work (load {load:.1f} on {cores} cores): the times are "
            "longer than they need be, and vary.")


def _traffic_words(facts_):
    return f"under traffic ({facts_['traffic']['load']:.0%} of each host link)"


def _quartiles_text(value):
    if isinstance(value, list):
        low, median, high = value
        return f"{median}  ({low}–{high})"
    return value or "–"


def as_json(facts_):
    return json.dumps(facts_, ensure_ascii=False, indent=1)


def as_text(facts_):
    fabric, sides = facts_["fabric"], facts_["sides"]
    names, width = [side["title"] for side in sides], 28
    lines = [
        f"{fabric['name']}: {len(fabric['switches'])} switches, {len(fabric['hosts'])} hosts, "
        f"{facts_['pairs']} pairs; cut: {facts_['cut']['name']}",
        "",
        f"{'ms after the cut, median of ' + str(facts_['runs']) + ' (least–most)':45}" +
        "".join(f"{name:>{width}}" for name in names)]
    for what, values in time_rows(facts_):
        lines.append(f"  {what:43}" + "".join(
            f"{_ms(v[0]) + '  (' + _ms(v[1]) + '–' + _ms(v[2]) + ')' if v else '–':>{width}}"
            for v in values))
    lines += ["", f"{_traffic_words(facts_)}, median of {facts_['runs']} (quartiles)"]
    for what, values in traffic.rows(facts_["traffic"]):
        lines.append(f"  {what:43}" + "".join(f"{_quartiles_text(v):>{width}}" for v in values))
    lines.append("")
    for what, values in figure_rows(facts_):
        lines.append(f"{what:45}" + "".join(f"{v:>{width}}" for v in values))
    verdict = ("Every pair was reachable before the cut and after the repair, and every proof held."
               if not facts_["complaints"] else "Not everything held.")
    return "\n".join(lines + [""] + ([busy(facts_)] if busy(facts_) else []) + [verdict])


# -- the report ------------------------------------------------------------------------------------

def write(facts_, path):
    """Writes the report atomically, so that nobody sees a part of it. Returns the absolute path."""
    path = pathlib.Path(path).resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=".report-",
                                     delete=False) as file:
        file.write(as_html(facts_))
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)
    return path


def as_html(facts_):
    return _filled(_FRAME / "frame.html", {
        "TITLE": "a cable is cut",
        "MARK": "demonstration",
        "STYLE": _read(_FRAME / "frame.css") + _read(_HERE / "report.css"),
        "HEADLINE": _headline(facts_),
        "LEDE": _lede(facts_),
        "VERDICT": _verdict(facts_),
        "TILES": _tiles(facts_),
        "MAIN": _main(facts_),
        "ABOUT": _version_list(facts_),
        # "</" would end the script element early
        "FACTS": json.dumps(facts_, ensure_ascii=False,
                            separators=(",", ":")).replace("</", "<\\/"),
        "LIBRARIES": "",
        "SCRIPT": _read(_HERE / "report.js") + _read(_HERE / "traffic.js"),
    })


def _main(facts_):
    return _filled(_HERE / "report.html", {
        "PROOFS": _proofs(facts_),
        "TIMES": _times(facts_),
        "FIGURES": _figures(facts_),
        "SHOWN": ", ".join(f"run {side['shown']['run']} for {_text(side['title'])}"
                           for side in facts_["sides"]),
        "PACKETS": _packets(facts_),
        "PACKETSSHOWN": ", ".join(f"run {side['shown']['run']} for {_text(side['title'])}"
                                  for side in facts_["traffic"]["sides"]),
        "LOAD": f"{facts_['traffic']['load'] * 100:g} %",
        "PRESET": _text(facts_["traffic"]["preset"]),
        "BUSY": " " + _text(busy(facts_)),
        "RUNS": str(facts_["runs"]),
        "CUT": _text(facts_["cut"]["name"]),
    })


def _read(path):
    return path.read_text(encoding="utf-8")


def _filled(path, parts):
    return re.sub(r"<!--@([A-Z]+)@-->", lambda match: parts[match[1]], _read(path))


def _text(value):
    return html.escape(str(value))


def _whole(facts_, index=0):
    return facts_["sides"][index]["milestones"]["all_reachable"]


def _headline(facts_):
    if _whole(facts_) is None or facts_["complaints"]:
        return "A cable was cut, and not everything held."
    ours, theirs = (_lost(side) for side in facts_["traffic"]["sides"])
    return (f"A cable was cut under traffic. <em>{ours} packets</em> were lost; with minhop, "
            f"{theirs}.")


def _lost(side):
    """The median number of lost packets, as text."""
    return f"{side['lost'][1]:,.0f}"


def _lede(facts_):
    fabric = facts_["fabric"]
    return (f"A {_text(fabric['name'])} of {len(fabric['switches'])} switches and "
            f"{len(fabric['hosts'])} hosts, emulated and managed by the unmodified OpenSM "
            f"{_text(facts_['versions']['OpenSM'])} with Selvedge loaded as a plugin. The cable "
            f"<b>{_text(facts_['cut']['name'])}</b>, the one that most of "
            "Selvedge’s paths crossed, was taken out. What this page says about "
            "routes was read back from the switches with "
            "infiniband-diags. OpenSM’s own <i>minhop</i> stands beside it, with the same fault on a "
            "fresh subnet.")


def _verdict(facts_):
    if not facts_["complaints"]:
        return (f'<p class="verdict good"><span>✓</span>In all {facts_["runs"]} runs every pair was '
                "reachable before the cut and after the repair, and every proof of Selvedge’s tables "
                "held.</p>")
    items = "".join(f"<li>{_text(text)}</li>" for text in facts_["complaints"])
    return f'<div class="verdict bad"><span>✗</span><div>Not everything held:<ul>{items}</ul></div></div>'


def _tiles(facts_):
    ours, theirs = facts_["sides"]
    whole, other = _whole(facts_), _whole(facts_, 1)
    lost, lost_by_theirs = (_lost(side) for side in facts_["traffic"]["sides"])
    tiles = [
        ("packets lost", lost, f"{theirs['title']}: {lost_by_theirs}"),
        ("all pairs reachable again", f"{_ms(whole[0])} <small>ms</small>" if whole else "–",
         f"{theirs['title']}: {_ms(other[0])} ms" if other else f"{theirs['title']}: never seen"),
        ("can it deadlock?", "no" if ours["proof"]["after"].get("deadlock_free") else "yes",
         f"{theirs['title']}: " + ("no" if theirs["proof"]["after"].get("deadlock_free")
                                   else "yes")),
        ("paths that moved", f"{ours['moved']:,}",
         f"{ours['crossing']:,} crossed the cable; {theirs['title']}: {theirs['moved']:,}"),
    ]
    return "".join(f'<div class="tile"><h3>{_text(name)}</h3><p class="big">{value}</p>'
                   f"<p>{_text(note)}</p></div>" for name, value, note in tiles)


def _proofs(facts_):
    rows = []
    for side in facts_["sides"]:
        for when, words in (("before", "before the cut"), ("after", "after the repair")):
            proof = side["proof"][when]
            cells = "".join('<td class="{}">{}</td>'.format(
                *(("yes", "✓ yes") if proof.get(key) else ("no", "✗ no"))) for key, _ in _PROPERTIES)
            rows.append(f"<tr><th>{_text(side['title'])}<small>{words}</small></th>{cells}</tr>")
            if not all(proof.get(key) for key, _ in _PROPERTIES) and proof.get("witness"):
                rows.append(f'<tr class="witness"><td colspan="4"><b>Witness</b> '
                            f"{_witness(proof['witness'])}</td></tr>")
    heads = "".join(f"<th>{_text(words)}</th>" for _, words in _PROPERTIES)
    return f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _witness(witness):
    if isinstance(witness, dict) and witness.get("text"):
        return f"<code>{_text(witness['text'])}</code>"
    return _text(witness if isinstance(witness, str) else json.dumps(witness, ensure_ascii=False))


def _times(facts_):
    heads = "".join(f'<th colspan="2">{_text(side["title"])}</th>' for side in facts_["sides"])
    rows = []
    for what, values in time_rows(facts_):
        cells = "".join(f"<td>{_ms(v[0])}</td><td class=\"range\">{_ms(v[1])}–{_ms(v[2])}</td>" if v
                        else '<td class="none">–</td><td></td>' for v in values)
        marked = ' class="marked"' if "reachable" in what else ""
        rows.append(f"<tr{marked}><th>{_text(what)}</th>{cells}</tr>")
    return (f"<table><thead><tr><th>ms after the cut</th>{heads}</tr></thead>"
            f"<tbody>{''.join(rows)}</tbody></table>")


def _packets(facts_):
    sides = facts_["traffic"]["sides"]
    heads = "".join(f'<th colspan="2">{_text(side["title"])}</th>' for side in sides)
    table = []
    for what, values in traffic.rows(facts_["traffic"]):
        cells = "".join(f'<td>{v[1]}</td><td class="range">{v[0]}–{v[2]}</td>' if isinstance(v, list)
                        else f"<td>{_text(v or '–')}</td><td></td>" for v in values)
        marked = ' class="marked"' if what == "packets lost" else ""
        table.append(f"<tr{marked}><th>{_text(what)}</th>{cells}</tr>")
    return (f"<table><thead><tr><th>median and quartiles of {facts_['runs']}</th>{heads}</tr></thead>"
            f"<tbody>{''.join(table)}</tbody></table>")


def _figures(facts_):
    heads = "".join(f"<th>{_text(side['title'])}</th>" for side in facts_["sides"])
    rows = "".join(f"<tr><th>{_text(what)}</th>" + "".join(f"<td>{_text(v)}</td>" for v in values) +
                   "</tr>" for what, values in figure_rows(facts_))
    return f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _version_list(facts_):
    return "".join(f"<div><dt>{_text(k)}</dt><dd>{_text(v)}</dd></div>"
                   for k, v in facts_["versions"].items()) + \
        f"<div><dt>made</dt><dd>{_text(facts_['made'])}</dd></div>"
