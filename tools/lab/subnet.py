# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The output of infiniband-diags as plain values: the topology, LFTs, SL2VL tables, path records.

Nodes are identified by GUID; names are node descriptions, for people. A cable end is
(switch GUID, port number).
"""
import dataclasses
import re

from tools.lab.errors import LabError

LFT_BLOCK_LIDS = 64  # IBA 1.3 §14.2.5.10: an LFT is written in blocks of 64 entries
NO_PORT = 255


@dataclasses.dataclass(frozen=True)
class Switch:
    guid: int
    name: str
    ports: int
    lid: int


@dataclasses.dataclass(frozen=True)
class HostPort:
    """A CA's port with its cable. It has 2^lmc LIDs from `lid` on."""
    guid: int         # of the port
    name: str
    number: int       # of the port on its CA
    lid: int
    lmc: int
    switch: int       # GUID
    switch_port: int

    @property
    def lids(self):
        return range(self.lid, self.lid + (1 << self.lmc))


@dataclasses.dataclass
class Subnet:
    switches: dict       # GUID → Switch
    hosts: list          # HostPort, ordered by LID
    cables: dict         # (switch GUID, port) → (switch GUID, port), both ways round
    lfts: dict = dataclasses.field(default_factory=dict)  # GUID → {LID: port}, 255 left out
    topology_path: object = None  # where the output of ibnetdiscover and dump_fts is kept
    tables_path: object = None

    def with_lfts(self, lfts):
        missing = [s.name for s in self.switches.values() if s.guid not in lfts]
        if missing:
            raise LabError(f"no LFT was read from {', '.join(missing)}", "dump_fts",
                           "did the fabric change while it was read?")
        return dataclasses.replace(self, lfts={g: lfts[g] for g in self.switches})

    def switch_named(self, name):
        return next(s for s in self.switches.values() if s.name == name)

    def host_named(self, name):
        return next(h for h in self.hosts if h.name == name)

    def host_at(self):
        """(switch GUID, port) → HostPort."""
        return {(h.switch, h.switch_port): h for h in self.hosts}

    def each_cable(self):
        """Every switch–switch cable once, as a pair of ends in ascending order."""
        return sorted((end, other) for end, other in self.cables.items() if end < other)

    def lft_difference(self, later):
        """[(switch GUID, LID, port before, port after)] for switches found in both."""
        changes = []
        for guid in sorted(self.lfts.keys() & later.lfts.keys()):
            before, after = self.lfts[guid], later.lfts[guid]
            changes += [(guid, lid, before.get(lid, NO_PORT), after.get(lid, NO_PORT))
                        for lid in sorted(before.keys() | after.keys())
                        if before.get(lid, NO_PORT) != after.get(lid, NO_PORT)]
        return changes


# Node descriptions may hold any character, quotes too: a description ends at the last quote after
# which the rest of the line has the expected form.
_NODE = re.compile(r'^(Switch|Ca|Rt)\s+(\d+)\s+"[SHR]-([0-9a-f]{16})"\s+# "(.*)"(.*)$')
_SWITCH_REST = re.compile(r' (?:base|enhanced) port 0 lid (\d+) lmc \d+')
_PORT = re.compile(r'^\[(\d+)\](?:\[ext \d+\])?(?:\(([0-9a-f]+)\))?\s+"([SHR])-([0-9a-f]{16})"'
                   r'\[(\d+)\]')
_CA_PORT_LID = re.compile(r'# lid (\d+) lmc (\d+) ')


def parse_topology(text):
    """ibnetdiscover's output (infiniband-diags 44), without LFTs."""
    switches, cables, hosts, node = {}, {}, [], None
    for number, line in enumerate(text.splitlines(), 1):
        if match := _NODE.match(line):
            kind, ports, guid, name, rest = match.groups()
            node = (kind, int(guid, 16), name)
            if kind == "Switch":
                found = _SWITCH_REST.match(rest)
                if not found:
                    raise LabError("a switch without a LID", f"ibnetdiscover, line {number}",
                                   f"read the line: {line}")
                switches[node[1]] = Switch(node[1], name, int(ports), int(found[1]))
        elif match := _PORT.match(line):
            if node is None:
                raise LabError("a port before any node", f"ibnetdiscover, line {number}",
                               f"read the line: {line}")
            port, port_guid, peer_kind, peer, peer_port = match.groups()
            if node[0] == "Switch" and peer_kind == "S":
                cables[node[1], int(port)] = (int(peer, 16), int(peer_port))
            elif node[0] == "Ca" and peer_kind == "S":
                lids = _CA_PORT_LID.search(line)
                if not lids or port_guid is None:
                    raise LabError("a host port without LID or GUID",
                                   f"ibnetdiscover, line {number}", f"read the line: {line}")
                hosts.append(HostPort(int(port_guid, 16), node[2], int(port), int(lids[1]),
                                      int(lids[2]), int(peer, 16), int(peer_port)))
    for end, other in cables.items():
        if cables.get(other) != end:
            raise LabError(f"a cable with one end: {end[0]:#x} port {end[1]}", "ibnetdiscover",
                           "did the fabric change while it was read?")
    return Subnet(switches, sorted(hosts, key=lambda h: h.lid), cables)


_LFT_HEAD = re.compile(r"^Unicast lids \[.*\] of switch .*? guid 0x([0-9a-f]{16}) \(")
_LFT_ENTRY = re.compile(r"^0x([0-9a-f]{4}) (\d{3})\b")


def parse_lfts(text):
    """The output of dump_fts or ibroute: {switch GUID: {LID: port}}."""
    lfts, lft = {}, None
    for line in text.splitlines():
        if match := _LFT_HEAD.match(line):
            lft = lfts.setdefault(int(match[1], 16), {})
        elif (match := _LFT_ENTRY.match(line)) and lft is not None:
            if int(match[2]) != NO_PORT:
                lft[int(match[1], 16)] = int(match[2])
    if not lfts:
        raise LabError("no LFT in the output", "dump_fts or ibroute",
                       f"it begins with: {text[:120]!r}")
    return lfts


_SL2VL = re.compile(r"^ports: in\s+(\d+), out\s+(\d+): \|([\d| ]+)\|")


def parse_sl2vl(text):
    """The output of `smpquery sl2vl`: {(in, out): [VL of SL 0, … 15]}."""
    rows = {}
    for line in text.splitlines():
        if match := _SL2VL.match(line):
            rows[int(match[1]), int(match[2])] = [int(v) for v in match[3].split("|")]
    if not rows or any(len(row) != 16 for row in rows.values()):
        raise LabError("no SL2VL table in the output", "smpquery sl2vl",
                       f"it begins with: {text[:120]!r}")
    return rows


def parse_vlarb(text):
    """The output of `smpquery vlarb`: {"low": [(VL, weight)], "high": [(VL, weight)]}."""
    tables, table, vls = {"low": [], "high": []}, None, []
    for line in text.splitlines():
        if match := re.match(r"# (Low|High) priority", line):
            table = tables[match[1].lower()]
        elif line.startswith("VL"):
            vls = [int(v, 0) for v in line.split("|")[1:] if v.strip()]
        elif line.startswith("WEIGHT") and table is not None:
            table += zip(vls, (int(w, 0) for w in line.split("|")[1:] if w.strip()))
    if not tables["low"]:
        raise LabError("no VL arbitration table in the output", "smpquery vlarb",
                       f"it begins with: {text[:120]!r}")
    return tables


_MFT_HEAD = re.compile(r"^Multicast mlids \[.*\] of switch .*? guid 0x([0-9a-f]{16}) \(")
_MFT_ENTRY = re.compile(r"^0x([0-9a-f]{4})\s+([0-9a-f ]+)$")


def parse_mfts(text):
    """The output of `dump_fts -n -M`: {switch GUID: {MLID: {ports}}}. A row's mask comes in groups of
    four digits, the one with ports 0 to 15 first."""
    mfts, mft = {}, None
    for line in text.splitlines():
        if match := _MFT_HEAD.match(line):
            mft = mfts.setdefault(int(match[1], 16), {})
        elif (match := _MFT_ENTRY.match(line)) and mft is not None:
            digits = match[2].replace(" ", "")
            groups = [int(digits[i:i + 4], 16) for i in range(0, len(digits), 4)]
            mft[int(match[1], 16)] = {16 * g + bit for g, mask in enumerate(groups)
                                      for bit in range(16) if mask >> bit & 1}
    if not mfts:
        raise LabError("no MFT in the output", "dump_fts -M", f"it begins with: {text[:120]!r}")
    return mfts


_RECORD_FIELD = re.compile(r"^\s*(dlid|slid|sl|mtu|rate)\.+(\S+)")


def parse_path_records(text):
    """The output of `saquery -p`: a list of {"dlid", "slid", "sl", "mtu", "rate"}."""
    records = []
    for line in text.splitlines():
        if line.startswith("PathRecord dump"):
            records.append({})
        elif records and (match := _RECORD_FIELD.match(line)):
            records[-1][match[1]] = int(match[2], 0)
    return records
