# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""tools/lab: a simulated subnet on this machine, for tests and for the demonstration.

A `Lab` starts ibsim with a .net file and any number of unmodified opensm processes on it, with our
plugin or without, and reads the switches back with infiniband-diags. The output becomes plain values
(subnet.py), whose paths walk.py follows cable by cable. walk.py shares no code with the engines, so
that it can find their errors. Reading order: lab.py, subnet.py, walk.py.
"""
from tools.lab.errors import InputError, LabError, MissingError
from tools.lab.lab import PLUGIN_STATUS, Lab, OpenSm, doubled_torus_net, torus_net
from tools.lab.subnet import Subnet
from tools.lab.walk import dropped_by_rows, replay, walk_all_pairs, walk_pair

__all__ = ["PLUGIN_STATUS", "InputError", "Lab", "LabError", "MissingError", "OpenSm", "Subnet",
           "doubled_torus_net", "dropped_by_rows", "replay", "torus_net", "walk_all_pairs", "walk_pair"]
