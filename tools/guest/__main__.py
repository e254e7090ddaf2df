# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""python3 -m tools.guest COMMAND [ARGUMENT...]: runs a command in the guest, with its exit status.

Without a command: lists the verbs devices that the guest has."""
import os
import shlex
import sys

from tools.guest.guest import Guest
from tools.lab.errors import LabError, MissingError


def main(arguments):
    try:
        result = Guest().run(shlex.join(arguments) if arguments else "ibv_devinfo -v",
                             cwd=os.getcwd(), timeout_s=float(os.environ.get("GUEST_TIMEOUT_S", "600")))
    except LabError as error:
        print(f"error: {error}", file=sys.stderr)
        return 3 if isinstance(error, MissingError) else 1
    sys.stdout.write(result.output)
    print(f"guest: {result.seconds:.1f} s, exit status {result.status}", file=sys.stderr)
    return result.status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
