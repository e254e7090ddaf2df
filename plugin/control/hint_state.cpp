// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/control/hint_state.hpp"

namespace selvedge {

std::string_view setting_name(HintRole role) {
  switch (role) {
    case HintRole::kRoots:
      return "root_guid_file";
    case HintRole::kCompute:
      return "cn_guid_file";
    case HintRole::kIo:
      return "io_guid_file";
  }
  return "?";
}

}  // namespace selvedge
