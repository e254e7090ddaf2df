// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Paths from a line of selvedge-route and from a path record.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "daemon/apm/say.hpp"
#include "daemon/apm/selvedge_apm.h"

namespace {

using selvedge::apm::fail;

constexpr unsigned kFirstMulticastLid = 0xC000;

struct Field {
  const char* name;
  unsigned low, high;
};
constexpr Field kFields[] = {{"dlid", 1, kFirstMulticastLid - 1},
                             {"src_path_bits", 0, 127},
                             {"sl", 0, 15},
                             {"static_rate", 0, 63},
                             {"port_num", 1, 255},
                             {"timeout", 0, 31}};
constexpr std::size_t kCount = std::size(kFields);
constexpr std::string_view kBlank = " \t\r\n";

/// The next word, which is taken off the text; empty at the end.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlank));
  text.remove_prefix(word.size());
  return word;
}

unsigned two_bytes(const unsigned char* at) { return unsigned{at[0]} << 8 | at[1]; }

}  // namespace

extern "C" int selvedge_apm_parse(const char* line, selvedge_apm_path* path, char* why,
                                  size_t size) {
  if (line == nullptr || path == nullptr) return fail(EINVAL, why, size, "no line or no path");
  std::string_view rest = line;
  const std::string_view role = next_word(rest);
  if (role != "primary" && role != "alternate")
    return fail(EINVAL, why, size, "the line begins with neither primary nor alternate");
  unsigned values[kCount] = {};
  bool given[kCount] = {};
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    const std::size_t equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    const auto* const field = std::ranges::find(kFields, key, &Field::name);
    if (equals == std::string_view::npos || field == std::end(kFields))
      return fail(EINVAL, why, size, "a word of the line is no field of a path");
    const std::size_t i = static_cast<std::size_t>(field - kFields);
    if (given[i]) return fail(EINVAL, why, size, "%s is given twice", field->name);
    const std::string_view digits = word.substr(equals + 1);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), values[i]);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() ||
        values[i] < field->low || values[i] > field->high)
      return fail(EINVAL, why, size, "%s is no number from %u to %u", field->name, field->low,
                  field->high);
    given[i] = true;
  }
  for (std::size_t i = 0; i < kCount; ++i)
    if (!given[i]) return fail(EINVAL, why, size, "%s is missing", kFields[i].name);
  *path = {static_cast<std::uint16_t>(values[0]), static_cast<std::uint8_t>(values[1]),
           static_cast<std::uint8_t>(values[2]),  static_cast<std::uint8_t>(values[3]),
           static_cast<std::uint8_t>(values[4]),  static_cast<std::uint8_t>(values[5])};
  return role == "primary" ? SELVEDGE_APM_PRIMARY : SELVEDGE_APM_ALTERNATE;
}

extern "C" int selvedge_apm_from_record(const void* record, uint16_t base_lid, uint8_t lmc,
                                        uint8_t port_num, selvedge_apm_path* path, char* why,
                                        size_t size) {
  if (record == nullptr || path == nullptr || port_num == 0 || lmc > 7)
    return fail(EINVAL, why, size, "no record, no path, port 0 or an LMC over 7");
  const auto* const bytes = static_cast<const unsigned char*>(record);
  // PathRecord, IBTA 1.4 §15.2.5.16: the offsets in bytes.
  const unsigned dlid = two_bytes(bytes + 40), slid = two_bytes(bytes + 42);
  const unsigned life = bytes[56] & 0x3fU;
  if (dlid == 0 || dlid >= kFirstMulticastLid)
    return fail(EINVAL, why, size, "the record leads to LID %u, which is no unicast LID", dlid);
  if (slid < base_lid || slid - base_lid >= 1U << lmc)
    return fail(EINVAL, why, size, "the record is from LID %u, which is not this port's", slid);
  *path = {static_cast<std::uint16_t>(dlid),
           static_cast<std::uint8_t>(slid - base_lid),
           static_cast<std::uint8_t>(bytes[53] & 0xfU),
           static_cast<std::uint8_t>(bytes[55] & 0x3fU),
           port_num,
           static_cast<std::uint8_t>(std::min(life + 1, 31U))};
  return 0;
}
