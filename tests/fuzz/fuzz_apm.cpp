// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What an application hands to libselvedge-apm as a path: a line or, after a byte 0, a path record.
// Accepted is only what an adapter can be given, and a refusal has a reason in its buffer's bounds.
#include <cstring>
#include <string>
#include <vector>

#include "daemon/apm/selvedge_apm.h"
#include "tests/fuzz/die.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  selvedge_apm_path path = {};
  // Of exactly the promised sizes, so that a sanitizer sees a byte too much.
  std::vector<char> why(1 + data[0] % 40, '\1');
  int result = 0;
  if (data[0] == 0 && size > 4) {
    std::vector<std::uint8_t> record(64);
    std::memcpy(record.data(), data + 4, size - 4 < 64 ? size - 4 : 64);
    const std::uint16_t base = static_cast<std::uint16_t>(data[1] << 8 | data[2]);
    result = selvedge_apm_from_record(record.data(), base, data[3] % 9, 1, &path, why.data(),
                                      why.size());
  } else {
    const std::string line(reinterpret_cast<const char*>(data), size);
    result = selvedge_apm_parse(line.c_str(), &path, why.data(), why.size());
  }
  if (result < 0) {
    if (std::memchr(why.data(), 0, why.size()) == nullptr) die("a reason without an end");
    if (path.dlid != 0) die("a path of what was refused");
    return 0;
  }
  if (path.dlid == 0 || path.dlid >= 0xC000) die("no unicast LID");
  if (path.src_path_bits > 127 || path.sl > 15 || path.static_rate > 63 || path.timeout > 31 ||
      path.port_num == 0)
    die("more than the field holds");
  return 0;
}
