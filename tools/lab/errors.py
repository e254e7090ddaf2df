# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""The lab's errors; each has three texts: what is wrong, where, and what to do."""


class LabError(Exception):
    """The subnet did not do what the lab waited for, or a tool's output could not be read."""

    def __init__(self, what, where, remedy):
        super().__init__(f"{what}: {where}: {remedy}")
        self.what, self.where, self.remedy = what, where, remedy


class InputError(LabError):
    """The given fabric file is not usable (exit status 2 in programs)."""


class MissingError(LabError):
    """This machine lacks something that the lab needs (exit status 3 in programs)."""
