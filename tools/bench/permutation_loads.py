# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""What the paths of a tables file (selvedge-tables-1) leave to the flows of one permutation of the hosts.

A permutation's bandwidth is that of compare's EBB (plugin/tables/bandwidth.hpp), for a given one instead of the mean of
random ones: a flow gets 1/n of a link's rate, n flows being on the busiest channel of its path.
"""
import collections
import json
import pathlib
import statistics


class Paths:
    def __init__(self, tables):
        """`tables`: the document of a tables file."""
        self._lft = tables["lft"]
        self._far = {}
        for a, p, b, q in tables["fabric"]["links"]:
            self._far[a, p], self._far[b, q] = (b, q), (a, p)
        self.hosts = tables["fabric"]["hosts"]
        self.switch_named = {s["name"]: s["id"] for s in tables["fabric"]["switches"]}

    def peer(self, switch, port):
        return self._far[switch, port]

    def path(self, source, destination):
        """The channels between switches, as (switch, port), from one host to another's base LID; hosts by number."""
        at, end, lid = self.hosts[source]["switch"], self.hosts[destination]["switch"], self.hosts[destination]["lid"]
        found = []
        while at != end:
            found.append((at, self._lft[at][lid]))
            at = self._far[found[-1]][0]
            if len(found) > len(self._lft):
                raise ValueError(f"a loop on the way from {self.hosts[source]['name']} to {self.hosts[destination]['name']}")
        return found


def read_paths(path):
    return Paths(json.loads(pathlib.Path(path).read_text(encoding="utf-8")))


def permutation_bandwidth(paths, to):
    """The mean share of a link's rate; host i sends to host to[i]."""
    ways = [paths.path(i, d) for i, d in enumerate(to)]
    load = collections.Counter(channel for way in ways for channel in way)
    return statistics.fmean(1 / max((load[channel] for channel in way), default=1) for way in ways)


def bit_complement(count):
    """The simulator's pattern of this name: ranks of inverted numbers are the numbers from the end."""
    return [count - 1 - i for i in range(count)]


def all_pairs(count):
    return ((i, k) for i in range(count) for k in range(count) if i != k)


def pairs_over(paths, switch, port):
    """The share of the ordered pairs of hosts whose path takes the cable at this port, in either direction."""
    count = len(paths.hosts)
    ends = {(switch, port), paths.peer(switch, port)}
    over = sum(not ends.isdisjoint(paths.path(i, k)) for i, k in all_pairs(count))
    return over / (count * (count - 1))
