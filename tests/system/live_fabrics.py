# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The distinct fabrics on which the tests of this folder start opensm with the plugin. They are found in the
tests' text: a new test's fabric is judged by ibdmchk (test_peers.py) without being listed anywhere.

A fabric is a call of one of MAKERS. Its arguments are literals, or constants of its file; other arguments are an
error. Fabrics of fabrics.py and of conf are listed here.
"""
import ast
import copy

import fabrics
from opensm_case import ROOT, generated_net, net, ring_net
from tools.lab import doubled_torus_net, torus_net

MAKERS = {f.__name__: f for f in (torus_net, doubled_torus_net, ring_net, generated_net, net)}
KINDS = {"irregular, some cables doubled": fabrics.irregular_net, "dragonfly": fabrics.dragonfly_net,
         "two-port hosts": fabrics.two_port_net, "a pair of switches": fabrics.pair_net}
CONF = ("real-40-switches.net", "real-8-switches.net", "kim-15.net")
LEFT_OUT = {
    ("test_trees", "generated_net(f\"file:{ROOT / 'conf' / 'fabrics' / name}\")"): "those of CONF",
    ("test_fast_path", "ring_net(44)"): "most switches are too far away to be read back",
}


def _constants(tree):
    """{name: value} of the assignments of literals at the top of a file."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            try:
                found[node.targets[0].id] = ast.literal_eval(node.value)
            except ValueError:
                pass
    return found


def _calls(tree):
    """(source, maker, arguments, keywords) of each call of a maker. Arguments are None if their values are not known."""
    constants = _constants(tree)

    class Filled(ast.NodeTransformer):
        def visit_Name(self, node):  # pylint: disable=invalid-name
            return ast.Constant(constants[node.id]) if node.id in constants else node

    def value(node):
        return ast.literal_eval(Filled().visit(copy.deepcopy(node)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS:
            try:
                arguments, keywords = [value(a) for a in node.args], {k.arg: value(k.value) for k in node.keywords}
            except ValueError:
                arguments = keywords = None
            yield ast.unparse(node), MAKERS[node.func.id], arguments, keywords


def _uses_the_plugin(tree):
    return any(isinstance(node, ast.ImportFrom) and node.module in ("opensm_case", "read_back", "traffic_case")
               for node in tree.body)


def live_fabrics(folder):
    """{name: function that makes the .net text}, of the tests in `folder` and those listed above. ValueError for a
    call whose arguments are not known."""
    found = dict(KINDS)
    for name in CONF:
        found[name] = lambda path=ROOT / "conf" / "fabrics" / name: generated_net(f"file:{path}")
    for path in sorted(folder.glob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if not _uses_the_plugin(tree):
            continue
        drawn = 0  # fabrics that the file draws cable by cable
        for source, maker, arguments, keywords in _calls(tree):
            if (path.stem, source) in LEFT_OUT:
                continue
            if arguments is None:
                raise ValueError(f"{path.name}: the arguments of {source} are no literals: name the fabric in fabrics.py")
            words = [*map(str, arguments), *(f"{key}={value}" for key, value in keywords.items())]
            if maker is net:
                drawn += 1
                name = f"{path.stem} {drawn}"
            else:
                name = f"{maker.__name__.removesuffix('_net')} {' '.join(words)}"
            found.setdefault(name, lambda m=maker, a=arguments, k=keywords: m(*a, **k))
    return found
