# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Documents are tests. Every fenced block of the documents has a language, which decides what happens to it:

  sh          run line by line, as a reader would type it, in the order of the document. Each line ends
              with status 0, or with N where it says `# exit N`.
  conf        lines of opensm.conf: the real opensm starts with them on ibsim, and our engine routes
  toml        read by the program whose sections it has
  guids, csv  read by selvedge-route (--roots), by selvedge-sim (a trace)
  c, cpp      compiled; the engine of CONTRIBUTING.md is linked into a selvedge-route, and its test is run
  text        not looked at; after <!-- output of: COMMAND --> its lines come in that command's output

A block of sh that cannot run here has <!-- not run: REASON --> directly before it; REASON may name the test
that does it (system/NAME). Commands in inline code and in tables are not run: their verbs, options and
engines must exist.

What is redirected: /etc/selvedge, /usr/local, /run/selvedge… and /tmp go below a scratch folder, UDP ports
are free ones, `sudo` does nothing, infiniband-diags ask ibsim. The programs are those that cmake --install
puts below that folder. A section starts with an opensm of its own, configured by its `conf` block, else by
that of docs/operators.md.
"""
import contextlib
import dataclasses
import functools
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import tomllib
import unittest

from opensm_case import BUILD, ROOT, OpenSmCase
from test_daemon import free_ports
from tools.lab import PLUGIN_STATUS, Lab, torus_net, walk_all_pairs
from tools.lab.lab import find_program
from tools.lab.process import spawn

DOCUMENTS = [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
             *sorted((ROOT / "docs").rglob("*.md"))]
LANGUAGES = {"sh", "conf", "toml", "guids", "csv", "c", "cpp", "text"}
PROGRAMS = ("selvedge-route", "selvedge-sim", "selvedged", "selvedgectl", "selvedge-perf")
LIVE = ("status", "paths", "drain", "undrain", "reroute")  # verbs that ask a running plugin
MARK = re.compile(r"<!-- (not run|output of): (\S.*) -->")
PATIENCE_S = 300.0


@dataclasses.dataclass
class Block:
    where: str      # FILE:LINE of its first line
    section: int    # headings before it
    language: str
    text: str
    mark: tuple     # ("not run", REASON), ("output of", COMMAND) or ()


def blocks(text, name):
    """(Blocks, complaints) of a Markdown text."""
    found, wrong, section, fence, last = [], [], 0, None, ""
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{name}:{number}"
        opening = re.fullmatch(r" {0,3}```(\S*)", line)
        if fence is not None:
            if line.strip() == "```":
                found.append(dataclasses.replace(fence, text=fence.text))
                fence, last = None, ""
            else:
                fence.text += line + "\n"
            continue
        if opening:
            mark = MARK.fullmatch(last.strip())
            fence = Block(f"{name}:{number + 1}", section, opening[1], "", mark.groups() if mark else ())
            if opening[1] not in LANGUAGES:
                wrong.append(f"{where}: a block of the language '{opening[1]}': write ```sh for commands, or one of "
                             f"{', '.join(sorted(LANGUAGES))}")
            if mark and (mark[1] == "not run") != (opening[1] == "sh"):
                wrong.append(f"{where}: '{mark[1]}' stands before a block of {opening[1]}")
            continue
        if MARK.fullmatch(last.strip()):
            wrong.append(f"{name}:{number - 1}: a mark without a block directly after it")
        # An indented line directly after a line of text continues that paragraph: it is no code block.
        if line.startswith("    ") and line.strip() and (not last.strip() or last.startswith(("#", "|", "<"))):
            wrong.append(f"{where}: an indented block: write a fence with a language")
        if line.startswith("```"):
            wrong.append(f"{where}: not understood: write ``` and one word")
        section += line.startswith("#")
        last = line
    if fence is not None:
        wrong.append(f"{fence.where}: a fence without an end")
    return found, wrong


def document(path):
    return blocks(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))[0]


def logical_lines(text):
    """(number, line) of a shell text. Lines that end with a backslash are joined with the next one;
    empty lines and comments are left out."""
    held = ""
    for number, line in enumerate(text.splitlines()):
        held += line
        if line.endswith("\\"):
            held += "\n"
            continue
        if held.strip() and not held.lstrip().startswith("#"):
            yield number, held
        held = ""


# -- what a command consists of ------------------------------------------------------------------


@functools.cache
def usage(program, *verb):
    """(options, verbs) that the help of a program, or of one of its verbs, names."""
    done = subprocess.run([BUILD / "bin" / program, *verb, "--help"], capture_output=True, text=True, timeout=60,
                          check=True)
    subcommands = done.stdout.partition("Subcommands:\n")[2]
    return (set(re.findall(r"(?<![\w-])--[a-z][\w-]*", done.stdout)), set(re.findall(r"(?m)^  (\S+)  ", subcommands)))


@functools.cache
def engine_names():
    done = subprocess.run([BUILD / "bin" / "selvedge-route", "engines", "--json"], capture_output=True, text=True,
                          timeout=60, check=True)
    return set(re.findall(r'"engine": ?"(\w+)"', done.stdout))


def words(command):
    try:
        return shlex.split(command, comments=True)
    except ValueError:
        return command.split()


def complaints(command, extra_engines=()):
    """What is wrong with a command that is not run. In it, brackets mark optional parts, and … and words
    in capitals are placeholders."""
    wrong = []
    for part in re.split(r"&&|\|\|?|;|&(?!\w)", re.sub(r"[\[\]()]", " ", command)):
        argv = words(part)
        if argv[:1] == ["./run"]:
            verbs = re.search(r"VERBS=\((.*)\)", (ROOT / "run").read_text(encoding="utf-8"))[1].split()
            if len(argv) > 1 and re.fullmatch("[a-z]+", argv[1]) and argv[1] not in verbs:
                wrong.append(f"./run has no verb {argv[1]}")
        start = next((i for i, word in enumerate(argv) if pathlib.PurePath(word).name in PROGRAMS), None)
        if start is None:
            continue
        program, rest = pathlib.PurePath(argv[start]).name, argv[start + 1:]
        known, verbs = usage(program)
        verb = rest[0] if rest and verbs and re.fullmatch("[a-z-]+", rest[0]) and not rest[0].startswith("-") else None
        if verb and verb not in verbs:
            wrong.append(f"{program} has no verb {verb}")
            continue
        if verb:
            known = known | usage(program, verb)[0]
        for i, word in enumerate(rest):
            option, _, value = word.partition("=")
            if not re.fullmatch(r"--[a-z][\w-]*", option):
                continue
            if option not in known:
                wrong.append(f"{program} {verb or ''}: no option {option}")
            value = value or (rest[i + 1] if i + 1 < len(rest) else "")
            if option == "--engine" and re.fullmatch("[a-z]+", value) and \
                    value not in engine_names() | set(extra_engines):
                wrong.append(f"{program}: no engine {value}")
    return wrong


def inline_code(text):
    """(line number, code) of each span outside fences. A span may go over the end of a line."""
    blank = lambda m: "\n" * m[0].count("\n")  # noqa: E731
    text = re.sub(r"(?ms)^ {0,3}```.*?^ {0,3}```$", blank, text)
    for span in re.finditer(r"(?<!`)`([^`]+)`(?!`)", text):
        if "\n\n" not in span[1]:
            yield text.count("\n", 0, span.start()) + 1, re.sub(r"\s+", " ", span[1])


# -- running -------------------------------------------------------------------------------------


class Reader:
    """Follows one document in a scratch folder."""

    def __init__(self, case, prefix, stack):
        self.case, self.stack, self.lab, self.lab_stack = case, stack, None, None
        # The folder's name is short, since the length of a socket's path is limited.
        self.root = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="selv-docs-")))
        self.work = self.root / "work"
        for name in ("work", "tmp", "run", "shims", "etc", "usr", "var"):
            (self.root / name).mkdir()
        (self.root / "usr" / "local").symlink_to(prefix)
        for name in ("conf", "docs", "run", "tools"):
            (self.work / name).symlink_to(ROOT / name)
        (self.work / "build").symlink_to(BUILD)
        self.library = next((prefix / "lib").rglob("libselvedge_opensm.so")).parent
        first = free_ports(128)
        self.redirected = {"/etc/selvedge": f"{self.root}/etc/selvedge", "/usr/local/": f"{self.root}/usr/local/",
                           "/run/selvedge": f"{self.root}/run/selvedge", "/var/lib/": f"{self.root}/var/",
                           "/tmp/": f"{self.root}/tmp/", "47001": str(first), "47101": str(first + 64)}
        self.shim("sudo", 'exec "$@"')
        # The shim adds --socket to the verbs that ask a running plugin, if the command names no socket. `capture`
        # asks the subnet, as infiniband-diags do.
        self.shim("selvedge-route", f'case " {" ".join(LIVE)} " in *" $1 "*) case " $* " in '
                  f'*" --socket "*|*" --fabric "*|*" --tables "*|*" --help "*) ;; '
                  f'*) set -- "$@" --socket {self.root}/run/selvedge-opensm.sock ;; esac ;; esac\n'
                  f'[ "$1" = capture ] && . {self.root}/umad\n'
                  f'exec {prefix}/bin/selvedge-route "$@"')

    def shim(self, name, body):
        path = self.root / "shims" / name
        path.write_text(f"#!/bin/bash\n{body}\n", encoding="utf-8")
        path.chmod(0o755)

    def redirect(self, text):
        return re.sub("|".join(map(re.escape, self.redirected)), lambda m: self.redirected[m[0]], text)

    def environment(self):
        return {**os.environ, "LD_LIBRARY_PATH": str(self.library),
                "PATH": f"{self.root}/shims:{self.root}/usr/local/bin:{os.environ['PATH']}"}

    def subnet(self, conf, extra=""):
        """Starts a new torus with an opensm configured by the lines `conf`; waits until our engine has
        routed it."""
        if self.lab_stack:
            self.lab_stack.close()
        self.lab_stack = self.stack.enter_context(contextlib.ExitStack())
        for stale in (self.root / "run").iterdir():
            stale.unlink()
        shutil.rmtree(self.root / "var")
        (self.root / "var").mkdir()
        net = torus_net(6, 6)
        for given, name in (("H-0-0", "node1"), ("H-2-3", "node2"), ("H-1-0", "H1"), ("H-3-1", "H2")):
            net = net.replace(f'"{given}"', f'"{name}"')
        self.lab = self.lab_stack.enter_context(self.case.start_lab(net))
        lines = [line.split(None, 1) for line in self.redirect(conf).splitlines() if line.strip()]
        options = {key: value for key, value in lines}
        options.setdefault("event_plugin_name", "selvedge_opensm")
        if "event_plugin_options" not in options:  # a plugin.toml that only redirects paths
            toml = self.root / "sockets.toml"
            toml.write_text(self.redirect('[status]\nsocket = "/run/selvedge-opensm.sock"\n'
                                          'file = "/run/selvedge-opensm-status.json"\n'
                                          '[repair]\ndrained = "/var/lib/selvedge/drained"\n'), encoding="utf-8")
            options["event_plugin_options"] = f"selvedge:{toml}"
        else:
            # Commands of the document have put plugin.toml where this line says. Paths of sockets in it
            # are redirected.
            toml = pathlib.Path(options["event_plugin_options"].removeprefix("selvedge:"))
            if toml.exists():
                toml.write_text(re.sub(f"(?<!{re.escape(str(self.root))})(/run/selvedge|/var/lib/)",
                                       lambda m: self.redirected[m[0]], toml.read_text(encoding="utf-8")),
                                encoding="utf-8")
        sm = self.lab.opensm("sm", options=options, env={"LD_LIBRARY_PATH": str(self.library)})
        sm.wait_up(timeout_s=40)
        log = sm.log.text()
        self.case.assertRegex(log, r"selvedge: (routed|adopted|interim): 36 switches", sm.log.tail())
        self.case.assertNotRegex(log, r"selvedge: .*(failed|declined|does not exist|fell back)", sm.log.tail())
        self.case.assertNotIn("self-check: ", log, "the lines of the document lack something")
        # Better tables may come while the switches are read, one after the other.
        self.case.eventually(lambda: self.case.assertEqual(
            walk_all_pairs(self.lab.read_subnet(host=sm.host)).broken, []))
        environment = self.lab.environment()
        (self.root / "umad").write_text(f"export LD_PRELOAD={shlex.quote(environment['LD_PRELOAD'])} "
                                        f"IBSIM_SOCKNAME={environment['IBSIM_SOCKNAME']}\n", encoding="utf-8")
        for tool in ("ibnetdiscover", "dump_fts"):
            self.shim(tool, f". {self.root}/umad\n"
                      f'exec {find_program(tool, "infiniband-diags")} "$@"')

    def run(self, block):
        script = []
        for number, line in logical_lines(self.redirect(block.text)):
            wanted = re.search(r"#.*\bexit (\d+)\b", line)
            wanted = wanted[1] if wanted else "0"
            script.append(f"{line}\nstatus=$?; [ $status = {wanted} ] || "
                          f"{{ echo \"line {number + 1} of the block: exit status $status, not {wanted}\" >&2; exit 99; }}")
        output = self.root / "output"
        with open(output, "wb") as sink:
            shell = spawn(["bash", "-uo", "pipefail", "-c", "\n".join(script)], cwd=self.work, stdout=sink,
                          env=self.environment(), stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT)
            try:
                status = shell.wait(PATIENCE_S)
            finally:  # ends programs that the block has left in the background, in the shell's group
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(shell.pid, signal.SIGTERM)
                    shell.wait(0 if shell.poll() is not None else 5)
        said = output.read_text(encoding="utf-8", errors="replace")
        self.case.assertEqual(status, 0, f"{block.where}:\n{block.text}{said[-3000:]}")

    def output(self, *command, accept=(0,), cwd=None):
        done = subprocess.run(list(map(str, command)), cwd=cwd or self.work, env=self.environment(), timeout=PATIENCE_S,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        self.case.assertIn(done.returncode, accept, f"{shlex.join(map(str, command))}\n{done.stdout[-3000:]}")
        return done.stdout

    def file(self, name, text):
        path = self.root / name
        path.write_text(self.redirect(text), encoding="utf-8")
        return path

    def read_toml(self, block):
        path = self.file("block.toml", block.text)
        sections = tomllib.loads(block.text)
        if "fabric" in sections:
            self.output("selvedge-sim", "run", path, "--out", self.root / "experiment", "--set",
                        "measure.duration_us=10")
        elif sections.keys() <= {"adopt", "engine", "errors", "events", "metrics", "repair"}:
            self.read_by_the_plugin(path.read_text(encoding="utf-8"))
        else:
            self.case.assertTrue(sections.keys() & {"daemon", "seal", "udp", "verbs"}, f"{block.where}: whose file is it?")
            self.output("selvedged", "--config", path, "--check")

    def read_by_the_plugin(self, text):
        with Lab(torus_net(3, 3), build_dir=BUILD) as lab:
            sm = lab.opensm(host="H-0-0", options={"routing_engine": "selvedge-updn,no_fallback"},
                            plugin_toml=PLUGIN_STATUS + text)
            self.case.assertIsNone(sm.wait_status(lambda status: status["last_sweep"])["config_error"])

    def read_guids(self, block):
        """The document's GUIDs are of another cluster: selvedge-route must read them, and then say that
        this fabric has no such switch."""
        said = self.output("selvedge-route", "compute", "--fabric", "torus:4x4", "--engine", "updn", "--roots",
                           self.file("block.guids", block.text), accept=(2,))
        self.case.assertRegex(said, "GUID 0x[0-9a-f]+ is of no switch in this fabric")

    def read_csv(self, block):
        trace = self.file("block.csv", block.text)
        path = self.file("trace.toml", f'[fabric]\nspec = "torus:6x6"\n[routing]\nengine = "updn"\n[traffic]\n'
                         f'pattern = "trace"\ntrace = "{trace.name}"\n[measure]\nwarmup_us = 0.0\n')
        self.output("selvedge-sim", "run", path, "--out", self.root / "trace", cwd=self.root)

    def read_c(self, block):
        body = block.text.replace("…", ";")
        self.output("gcc", "-xc", "-fsyntax-only", "-Wall", "-Werror", f"-I{ROOT}", self.file("block.c", (
            '#include <poll.h>\n#include "daemon/client/selvedge.h"\n'
            "extern char bytes[], buffer[]; extern size_t length, size; extern long n;\n" +
            ("extern selvedge_connection* c;\n" if "selvedge_connection*" not in body else "") +
            f"void example(void) {{\n{body}}}\n")))

    def add_engine(self, source, test):
        """Builds the engine of CONTRIBUTING.md into a selvedge-route of its own, which replaces the one
        in build/bin, and runs the engine's test."""
        registry = (ROOT / "plugin/engines/registry.cpp").read_text(encoding="utf-8")
        registry = registry.replace("namespace {\n", "extern const Engine kOnetree;\n\nnamespace {\n", 1)
        registry = registry.replace("&kAuto}", "&kAuto, &kOnetree}")
        objects = {}
        for name, text in (("onetree", source.text), ("registry", registry), ("onetree_test", test.text)):
            path = self.root / f"{name}.cpp"
            path.write_text(text, encoding="utf-8")
            objects[name] = self.root / f"{name}.o"
            self.output("g++", "-std=c++20", "-O1", "-Wall", "-Werror", f"-I{ROOT}", "-c", path, "-o", objects[name])
        (self.work / "build").unlink()
        (self.work / "build" / "bin").mkdir(parents=True)
        for program, own in (("selvedge-route", ["registry", "onetree"]),
                             ("unit_engines", ["registry", "onetree", "onetree_test"])):
            link = self.output("ninja", "-C", BUILD, "-t", "commands", f"bin/{program}").splitlines()[-1]
            argv = shlex.split(link.removeprefix(": && ").partition(" && ")[0])
            if program == "unit_engines":
                argv = [a for a in argv if not a.endswith(".o")]
            at = argv.index("-o")
            argv[at + 1] = str(self.work / "build" / "bin" / program)
            # These objects come first, so that their registry replaces the library's.
            self.output(*argv[:at], *(objects[name] for name in own), "-Wl,-z,muldefs", *argv[at:], cwd=BUILD)
        said = self.output("build/bin/unit_engines")
        self.case.assertIn("PASSED  ] 2 tests", said)


class Blocks(unittest.TestCase):
    def test_each_block_has_a_class(self):
        wrong = []
        for path in DOCUMENTS:
            name = str(path.relative_to(ROOT))
            found, complaint = blocks(path.read_text(encoding="utf-8"), name)
            wrong += complaint
            for block in found:
                for test in re.findall(r"system/(\w+)", " ".join(block.mark)):
                    if not (ROOT / "tests" / "system" / f"test_{test}.py").exists():
                        wrong.append(f"{block.where}: there is no test system/{test}")
                if block.mark[:1] == ("not run",):
                    wrong += [f"{block.where}: {line.strip()}: {w}" for _, line in logical_lines(block.text)
                              for w in complaints(line)]
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))

    def test_commands_in_the_text_have_verbs_and_options_that_exist(self):
        wrong, seen = [], 0
        for path in DOCUMENTS:
            if path.name == "CHANGELOG.md":  # may name verbs and options that no longer exist
                continue
            for number, code in inline_code(path.read_text(encoding="utf-8")):
                seen += any(program + " " in code for program in PROGRAMS)
                wrong += [f"{path.relative_to(ROOT)}:{number}: `{code}`: {w}" for w in complaints(code, {"onetree"})]
        self.assertGreater(seen, 30)
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))

    def test_what_is_wrong_is_noticed(self):
        for text, words_of_it in (("```\nls\n```\n", "of the language ''"), ("    ls\n", "indented"),
                                  ("```bash\nls\n```\n", "of the language 'bash'"),
                                  ("<!-- not run: no root -->\n\n```sh\nls\n```\n", "a mark without a block"),
                                  ("<!-- not run: no root -->\n```text\nls\n```\n", "stands before"),
                                  ("```sh\nls\n", "without an end")):
            self.assertIn(words_of_it, " ".join(blocks(text, "x.md")[1]), text)
        for command, words_of_it in (("selvedge-route verfy --fabric x", "no verb verfy"),
                                     ("time build/bin/selvedge-route verify --fabrc x | cat", "no option --fabrc"),
                                     ("selvedge-sim reproduce [--quik]", "no option --quik"),
                                     ("selvedged --cheque", "no option --cheque"),
                                     ("selvedge-route compute --engine ftree", "no engine ftree"),
                                     ("./run instal", "no verb instal")):
            self.assertIn(words_of_it, " ".join(complaints(command)), command)
        self.assertEqual(list(inline_code("a `b\nc` d\n```sh\n`e`\n```\n")), [(1, "b c")])


class Documents(OpenSmCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="selv-docs-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.prefix = cls.folder / "local"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], check=True, timeout=120,
                       stdout=subprocess.DEVNULL)
        cls.usual = next(b.text for b in document(ROOT / "docs" / "operators.md") if b.language == "conf")

    def reader(self):
        return Reader(self, self.prefix, self.enterContext(contextlib.ExitStack()))

    def follow(self, found):
        reader, section = self.reader(), None
        sources = [b for b in found if b.language == "cpp"]
        if sources:
            reader.add_engine(*sources)
        configured = None  # the section that the running opensm belongs to
        for block in found:
            with self.subTest(block.where):
                if block.mark[:1] == ("not run",) or block.language == "cpp":
                    continue
                if block.language == "conf":
                    reader.subnet(block.text)
                    configured = block.section
                elif block.language == "sh":
                    live = re.search(rf"\b(ibnetdiscover|dump_fts|selvedge-route ({'|'.join((*LIVE, 'capture'))}))\b", block.text)
                    if live and configured != block.section:
                        # The line with plugin.toml's path is left out: no command of this document has
                        # put a file there.
                        usual = "\n".join(line for line in self.usual.splitlines() if "options" not in line)
                        reader.subnet(usual)
                        configured = block.section
                    reader.run(block)
                elif block.language == "text":
                    if block.mark:
                        self.compare(block, reader.output(*shlex.split(block.mark[1])))
                else:
                    getattr(reader, f"read_{block.language}")(block)

    def compare(self, block, said):
        """Asserts that each line of the block is in the output, in this order; … matches any text."""
        at = 0
        for line in block.text.splitlines():
            if line.strip() == "…":
                continue
            pattern = r".*".join(r"\s+".join(map(re.escape, part.split())) for part in line.split("…"))
            hit = re.compile(rf"(?m)^\s*{pattern}\s*$").search(said, at)
            self.assertIsNotNone(hit, f"{block.where}: not in the output of {block.mark[1]}, or not there: {line}\n{said}")
            at = hit.end()

    def test_a_wrong_command_is_noticed(self):
        for text in ("selvedge-route verify --fabric torus:4x4 --engine none", "true # exit 1",
                     "true\nselvedge-route verify --fabric torus:8x8 --engine spf\ntrue", "ls /etc/selvedge"):
            with self.assertRaisesRegex(AssertionError, "line . of the block: exit status"):
                self.reader().run(Block("x.md:1", 0, "sh", text + "\n", ()))
        with self.assertRaises(AssertionError):
            self.reader().read_toml(Block("x.md:1", 0, "toml", "[daemon]\nsokcet = 1\n", ()))


class InstalledFiles(unittest.TestCase):
    """Everything that docs/operators.md (From source) says is put into place."""

    def test_each_is_in_its_place(self):
        prefix = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="selv-docs-")))
        subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, timeout=120,
                       stdout=subprocess.DEVNULL)
        there = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir()}
        library = str(next((prefix / "lib").rglob("libselvedge_opensm.so")).parent.relative_to(prefix))
        wanted = {f"bin/{program}" for program in PROGRAMS}
        wanted |= {f"share/man/man{page[-1]}/{page}" for page in (p.name for p in (ROOT / "docs" / "man").iterdir())}
        wanted |= {f"share/bash-completion/completions/{program}" for program in ("selvedge-route", "selvedge-sim")}
        wanted |= {f"share/selvedge/{p.relative_to(ROOT / 'conf')}" for folder in ("claims", "experiments")
                   for p in (ROOT / "conf" / folder).rglob("*") if p.is_file()}
        wanted |= {f"share/selvedge/{name}" for name in ("opensm.conf", "plugin.toml", "selvedged.toml", "grafana-selvedge.json",
                                                      "grafana-selvedged.json")}
        wanted |= {f"{library}/{name}" for name in ("libselvedge_opensm.so", "libselvedge.so", "libselvedge.so.0",
                                                    "libfabric/libselvedge-fi.so", "libselvedge-apm.so", "libselvedge-apm.so.0",
                                                    "pkgconfig/selvedge-apm.pc",
                                                    "pkgconfig/selvedge.pc", "cmake/Selvedge/SelvedgeConfig.cmake")}
        wanted |= {"libexec/selvedge/selvedge-smp-agent", "lib/systemd/system/selvedged.service", "include/selvedge.h",
                   "include/selvedge_apm.h"}
        self.assertEqual(wanted - there, set())
        self.assertEqual([name for name in there - wanted if not re.search(r"libselvedge(-apm)?\.so\.\d|cmake/Selvedge/", name)], [])
        unit = (prefix / "lib/systemd/system/selvedged.service").read_text(encoding="ascii")
        self.assertIn(f"ExecStart={prefix}/bin/selvedged --config /etc/selvedge/selvedged.toml\n", unit)
        self.assertNotIn("/usr/local", unit)


def _one_test_a_document():
    for path in DOCUMENTS:
        found = document(path)
        if any(b.language != "text" or b.mark for b in found):
            name = re.sub(r"\W+", "_", str(path.relative_to(ROOT)).lower().removesuffix(".md"))
            setattr(Documents, f"test_{name}", lambda self, found=found: self.follow(found))


_one_test_a_document()

if __name__ == "__main__":
    unittest.main()
