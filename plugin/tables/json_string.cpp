// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <nlohmann/json.hpp>

#include "plugin/tables/readers.hpp"

namespace selvedge {

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace selvedge
