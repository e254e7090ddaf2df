# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The trees that `./run bench --only quality` routes: two real fabrics, two regular trees, and one with
parallel cables and unequal numbers of hosts at the leaf switches. They are values that can be shuffled,
damaged, and written as ibsim's .net text."""
import dataclasses
import pathlib
import random
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CABLES_MISSING = (1, 5, 20)


@dataclasses.dataclass(frozen=True)
class Node:
    name: str
    guid: int
    ports: int
    level: int = 0  # of a switch: leaf switches have level 0, top switches the highest


def identity(node):
    """The node's id in the .net file and at ibsim's console, which is unique even if names are not."""
    return f"N-{node.guid:016x}"


@dataclasses.dataclass(frozen=True)
class Net:
    """A fabric. A switch is named by its index in `switches`. A cable is (switch, port, switch, port),
    a host's cable (host, switch, port)."""
    switches: tuple
    hosts: tuple   # (Node, switch, port)
    cables: tuple  # (switch, port, switch, port)

    def text(self):
        """The .net file. Hosts come first, since ibsim attaches OpenSM to the first node."""
        plugs = [[] for _ in self.switches]
        lines = []
        for host, at, port in self.hosts:
            plugs[at].append((port, identity(host), 1))
            lines += [f"caguid={host.guid:#x}", f'Ca 1 "{identity(host)}" # "{host.name}"',
                      f'[1]({host.guid + 1:x}) "{identity(self.switches[at])}"[{port}]', ""]
        for a, p, b, q in self.cables:
            plugs[a].append((p, identity(self.switches[b]), q))
            plugs[b].append((q, identity(self.switches[a]), p))
        for node, ends in zip(self.switches, plugs):
            lines += [f"switchguid={node.guid:#x}",
                      f'Switch {node.ports} "{identity(node)}" # "{node.name}" base port 0 lid 0 lmc 0',
                      *(f'[{port}] "{peer}"[{far}]' for port, peer, far in sorted(ends)), ""]
        return "\n".join(lines)

    def shuffled(self, seed):
        """The same cabling with switches, ports, hosts and GUIDs in another order."""
        draw = random.Random(seed)
        guids = draw.sample(range(1, 1 << 20), len(self.switches) + len(self.hosts))
        order = draw.sample(range(len(self.switches)), len(self.switches))  # [new index]: old index
        place = {old: new for new, old in enumerate(order)}
        port = [[0, *draw.sample(range(1, node.ports + 1), node.ports)] for node in self.switches]
        switches = [dataclasses.replace(self.switches[old], guid=0x10_0000_0000 + 16 * guids[new])
                    for new, old in enumerate(order)]
        hosts = draw.sample(self.hosts, len(self.hosts))
        hosts = [(dataclasses.replace(host, guid=0x20_0000_0000 + 16 * guid), place[at], port[at][p])
                 for (host, at, p), guid in zip(hosts, guids[len(switches):])]
        cables = [(place[a], port[a][p], place[b], port[b][q]) for a, p, b, q in self.cables]
        return Net(tuple(switches), tuple(hosts), tuple(draw.sample(cables, len(cables))))

    def connected(self):
        seen, pending = {0}, [0]
        near = [[] for _ in self.switches]
        for a, _, b, _ in self.cables:
            near[a].append(b)
            near[b].append(a)
        while pending:
            fresh = [s for s in near[pending.pop()] if s not in seen]
            seen.update(fresh)
            pending += fresh
        return len(seen) == len(self.switches)

    def without_cables(self, count, seed):
        """(net, the missing cables as (switch name, port)). Cables are drawn one after another, so that
        a larger count includes the cables of a smaller one. A cable whose loss would split the fabric
        is not removed."""
        candidates = random.Random(seed).sample(self.cables, len(self.cables))
        net, missing = self, []
        for cable in candidates:
            if len(missing) == count:
                break
            less = dataclasses.replace(net, cables=tuple(c for c in net.cables if c != cable))
            if less.connected():
                net = less
                missing.append((self.switches[cable[0]].name, cable[1]))
        return net, missing

    def without_spine(self, seed):
        """The fabric without a random switch of the top level and without its hosts."""
        top = max(node.level for node in self.switches)
        dead = random.Random(seed).choice(
            [s for s, node in enumerate(self.switches) if node.level == top])

        def moved(s):
            return s - (s > dead)
        return Net(self.switches[:dead] + self.switches[dead + 1:],
                   tuple((h, moved(s), p) for h, s, p in self.hosts if s != dead),
                   tuple((moved(a), p, moved(b), q) for a, p, b, q in self.cables
                         if dead not in (a, b)))


_GUID = re.compile(r"^(?:switch|ca)guid=(0x[0-9a-f]+)", re.I)
_NODE = re.compile(r'^(Switch|Ca|Hca)\s+(\d+)\s+"([^"]+)"(?:\s*# "(.*?)")?', re.I)
_PORT = re.compile(r'^\[(\d+)\]\S*\s+"([^"]+)"\[(\d+)\]')


def parse_net(text, level_of):
    """Reads .net text of the form used here: a GUID before each node, adapters with one port.
    `level_of`: a function from a switch's name to its level."""
    nodes, ports, guid, here = {}, {}, None, None
    for line in text.splitlines():
        if match := _GUID.match(line):
            guid = int(match[1], 16)
        elif match := _NODE.match(line):
            here = match[3]
            nodes[here] = (match[1].lower() == "switch", match[4] or here, guid, int(match[2]))
        elif match := _PORT.match(line):
            ports[here, int(match[1])] = (match[2], int(match[3]))
    ids = [i for i, (is_switch, *_) in nodes.items() if is_switch]
    place = {i: s for s, i in enumerate(ids)}
    switches = [Node(name, guid, count, level_of(name))
                for _, name, guid, count in (nodes[i] for i in ids)]
    hosts, cables = [], []
    for (i, port), (peer, far) in ports.items():
        if i not in place:
            hosts.append((Node(*nodes[i][1:]), place[peer], far))
        elif peer in place and (place[i], port) < (place[peer], far):
            cables.append((place[i], port, place[peer], far))
    return Net(tuple(switches), tuple(hosts), tuple(cables))


def real(name):
    return parse_net((ROOT / "conf/fabrics" / name).read_text(encoding="utf-8"),
                     lambda switch: int(switch.startswith("spine")))


def flat(name):
    """A fabric of conf/fabrics without levels: each of its switches may be the one that dies."""
    return parse_net((ROOT / "conf/fabrics" / name).read_text(encoding="utf-8"), lambda switch: 0)


def generated(build, spec):
    """A tree made by selvedge-route's generators, whose switches are named S-LEVEL-INDEX."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "tree.net"
        subprocess.run([str(pathlib.Path(build) / "bin" / "selvedge-route"), "fabric", "--fabric",
                        spec, "--write", str(path)], check=True, capture_output=True)
        return parse_net(path.read_text(encoding="utf-8"), lambda switch: int(switch.split("-")[1]))


def parallel_clos():
    """8 leaves with 3 to 8 hosts, 4 spines, two cables from each leaf to each spine."""
    hosts_at, spines, cables_each, most = (8, 8, 8, 8, 6, 6, 4, 3), 4, 2, 8
    leaves = len(hosts_at)
    switches = [Node(f"leaf-{i + 1}", 0x510000 + 16 * i, most + spines * cables_each)
                for i in range(leaves)]
    switches += [Node(f"spine-{i + 1}", 0x520000 + 16 * i, leaves * cables_each, 1)
                 for i in range(spines)]
    places = [(s, p + 1) for s, count in enumerate(hosts_at) for p in range(count)]
    hosts = [(Node(f"host-{i + 1}", 0x530000 + 16 * i, 1), s, p) for i, (s, p) in enumerate(places)]
    cables = [(s, most + 1 + t * cables_each + i, leaves + t, 1 + s * cables_each + i)
              for s in range(leaves) for t in range(spines) for i in range(cables_each)]
    return Net(tuple(switches), tuple(hosts), tuple(cables))


def variants(net, seed):
    """[(name, net, missing cables as --fail names them)]. Variants without missing cables are not used
    for repairs."""
    named = [("intact", net, []), ("shuffled", net.shuffled(seed), [])]
    for count in CABLES_MISSING:
        less, missing = net.without_cables(count, seed)
        named.append((f"{len(missing)} cable{'s' * (len(missing) != 1)} missing", less, missing))
    return named + [("spine dead", net.without_spine(seed), [])]
