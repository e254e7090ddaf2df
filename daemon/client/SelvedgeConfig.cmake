# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# find_package(Selvedge): the target Selvedge::selvedge.
include(${CMAKE_CURRENT_LIST_DIR}/SelvedgeTargets.cmake)
