# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""A throw-away virtual machine with real kernel verbs (soft-RoCE); see guest.py."""
from tools.guest.guest import Guest, GuestResult, missing_programs

__all__ = ["Guest", "GuestResult", "missing_programs"]
