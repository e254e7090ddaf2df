# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Where a C++ file can be mutated, and how: each mutant differs from the file in one place.

A file is read as tokens, not parsed. That is enough, since clang-format lays the source out: a `<`
between spaces is a comparison, one without spaces opens template arguments; the same holds for `&&`.
A mutant of something that was mistaken for an expression does not compile, and is counted as such.
"""
import bisect
import re
from typing import Iterator, NamedTuple

TOKEN = re.compile(r"""
    (?P<skip>//[^\n]*|/\*.*?\*/|\#[^\n]*(?<!\\)(?:\\\n[^\n]*)*|\s+)
  | (?P<text>R"(?P<delimiter>[^(\s]*)\(.*?\)(?P=delimiter)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')
  | (?P<number>(?:0[xX][0-9a-fA-F']+|\d[\d'.]*(?:[eE][+-]?\d+)?)[a-zA-Z]*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<sign><=>|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|::|.)
""", re.VERBOSE | re.DOTALL)

COMPARISONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
               "==": ("!=",), "!=": ("==",)}
SWAPPED = {"&&": "||", "||": "&&", "+": "-", "-": "+", "++": "--", "--": "++", "+=": "-=",
           "-=": "+="}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
NO_STATEMENT = {"return", "if", "else", "for", "while", "do", "switch", "case", "default", "break",
                "continue", "using", "namespace", "class", "struct", "enum", "template", "const",
                "auto", "static", "constexpr", "public", "private", "protected", "typename",
                "friend", "throw", "delete", "goto", "static_assert", "extern", "inline", "explicit"}
SAME_AS_EMPTY = {"", "{}", "std::nullopt", "nullptr", "false", "0"}


class Token(NamedTuple):
    kind: str
    text: str
    begin: int
    end: int


class Mutation(NamedTuple):
    """`text[begin:end]` becomes `new`."""
    operator: str
    line: int
    begin: int
    end: int
    old: str
    new: str

    def apply(self, text: str) -> str:
        assert text[self.begin:self.end] == self.old
        return text[:self.begin] + self.new + text[self.end:]


def tokens(text: str) -> list[Token]:
    found = []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup if match.lastgroup != "delimiter" else "text"
        if kind != "skip":
            found.append(Token(kind, match[0], match.start(), match.end()))
    return found


def closing(all_tokens: list[Token], opening: int) -> int:
    """The index of the bracket that closes the one at `opening`; the last token's if none does."""
    depth = 0
    for i in range(opening, len(all_tokens)):
        depth += (all_tokens[i].text in "([{") - (all_tokens[i].text in ")]}")
        if depth == 0:
            return i
    return len(all_tokens) - 1


def _numbers(token: Token) -> Iterator[tuple[str, str]]:
    match = re.fullmatch(r"(0[xX][0-9a-fA-F']+|\d[\d']*)([uUlLzZ]*)", token.text)
    if not match:
        return
    digits, suffix = match[1].replace("'", ""), match[2]
    value = int(digits, 16 if digits[:2] in ("0x", "0X") else 10)
    yield "constant + 1", f"{value + 1}{suffix}"
    if value > 0:
        yield "constant - 1", f"{value - 1}{suffix}"


def _is_statement(part: list[Token]) -> bool:
    """Whether the tokens are a call or an assignment, and no declaration."""
    if part[0].text in NO_STATEMENT or not (part[0].kind == "word" or part[0].text in ("++", "--")):
        return False
    depth, called = 0, False
    for i, token in enumerate(part):
        if depth == 0:
            if token.text in ASSIGNMENTS:
                return True
            # Two names side by side are a declaration, and so are template arguments or a `&`.
            if i > 0 and token.kind == "word" and part[i - 1].text not in ("::", ".", "->"):
                return part[0].text in ("++", "--") and i == 1
            if token.text in ("<", ">", "&", "*", "{"):
                return False
        depth += (token.text in "([{") - (token.text in ")]}")
        called |= token.text == ")"
    return called or part[0].text in ("++", "--") or part[-1].text in ("++", "--")


def mutations(text: str) -> list[Mutation]:
    """All mutations of a file, by place."""
    all_tokens = tokens(text)
    lines = [match.start() for match in re.finditer(r"^", text, re.MULTILINE)]
    found: list[Mutation] = []

    def add(operator: str, begin: int, end: int, new: str) -> None:
        found.append(Mutation(operator, bisect.bisect_right(lines, begin), begin, end,
                              text[begin:end], new))

    for i, token in enumerate(all_tokens):
        before, after = text[token.begin - 1:token.begin], text[token.end:token.end + 1]
        binary = before.isspace() and after.isspace()
        word_after = all_tokens[i + 1].text if i + 1 < len(all_tokens) else ""
        if token.text in COMPARISONS and binary and all_tokens[i - 1].text != "operator":
            for new in COMPARISONS[token.text]:
                add("comparison", token.begin, token.end, new)
        elif token.text in ("&&", "||", "+", "-", "+=", "-=") and binary:
            add("operator", token.begin, token.end, SWAPPED[token.text])
        elif token.text in ("++", "--"):
            add("operator", token.begin, token.end, SWAPPED[token.text])
        elif token.kind == "number":
            for operator, new in _numbers(token):
                add(operator, token.begin, token.end, new)
        elif token.text in ("true", "false"):
            add("truth", token.begin, token.end, "false" if token.text == "true" else "true")
        elif token.text in ("if", "while") and word_after == "(":
            end = closing(all_tokens, i + 1)
            begin, last = all_tokens[i + 1].end, all_tokens[end].begin
            if all(t.text != ";" for t in all_tokens[i + 2:end]):  # no initialiser
                add("condition false", begin, last, f"({text[begin:last]}) && false")
                if token.text == "if":
                    add("condition true", begin, last, f"({text[begin:last]}) || true")
        elif token.text == "return":
            end = i + 1
            while end < len(all_tokens) and all_tokens[end].text != ";":
                end = closing(all_tokens, end) + 1 if all_tokens[end].text in "([{" else end + 1
            if end < len(all_tokens):
                value = text[token.end:all_tokens[end].begin].strip()
                if value not in SAME_AS_EMPTY:
                    add("return value", token.end, all_tokens[end].begin, " {}")
        if i > 0 and (all_tokens[i - 1].text in (";", "{", "}", ")", "else")):
            end = i
            # A `)` without its `(` in this statement ends the head of a `for`.
            while end < len(all_tokens) and all_tokens[end].text not in (";", "{", "}", ")"):
                end = closing(all_tokens, end) + 1 if all_tokens[end].text in "([" else end + 1
            if i < end < len(all_tokens) and all_tokens[end].text == ";" and \
                    _is_statement(all_tokens[i:end]):
                add("statement deleted", token.begin, all_tokens[end].end, "(void)0;")
    return found
