# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Asking a running plugin: one line of JSON out, one JSON document back, on its Unix socket."""
import json
import socket

from tools.lab.errors import LabError


def ask(path, verb, timeout_s=5.0, words=()):
    """The plugin's answer to a verb and its words, as a value. LabError if no answer comes, or none in JSON."""
    answer = b""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(timeout_s)
            connection.connect(str(path))
            connection.sendall(json.dumps({"verb": verb, "words": words}).encode() + b"\n")
            while part := connection.recv(1 << 16):
                answer += part
    except OSError as error:
        raise LabError(f"the plugin does not answer ({error})", str(path),
                       "is opensm running, and does plugin.toml name this socket?") from error
    try:
        document = json.loads(answer)
    except ValueError as error:
        raise LabError(f"the plugin's answer to {verb!r} is no JSON ({error})", str(path),
                       f"it begins with {answer[:120]!r}") from error
    if isinstance(document, dict) and "error" in document:
        raise LabError(f"the plugin refuses {verb!r}", str(path), str(document["error"]))
    return document
