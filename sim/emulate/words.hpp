// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Private to this folder: only its own files include this header.
//
// The words of a command, and what they stand for. Each throws InputError that repeats the
// beginning of a wrong one.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/emulate/subnet.hpp"
#include "sim/emulate/transactions.hpp"

namespace selvedge::sim {

/// The text without the white space around it.
std::string_view trim(std::string_view text);
/// The first word; `rest` is what follows it.
std::string_view first_word(std::string_view text, std::string_view& rest);
/// The last word; `rest` is what comes before it. Names may hold spaces, numbers do not.
std::string_view last_word(std::string_view text, std::string_view& rest);
bool is_digits(std::string_view word);

/// Parses a number from `low` to `high`, which `what` names in messages, as "share". whole(): a
/// whole number up to `most`. Throws InputError for any other text.
double number(std::string_view word, const char* what, double low, double high);
std::uint64_t whole(std::string_view word, const char* what, double most);
/// Parses a time in milliseconds from 0 to `most`, with a fraction or without. Throws InputError
/// for any other text.
Nanoseconds milliseconds(std::string_view word, double most);

/// Throws if `rest`, which follows the command `what`, is not empty.
void no_more(std::string_view rest, std::string_view what);

NodeId node_named(const EmulatedSubnet& subnet, std::string_view name);
NodeId switch_named(const EmulatedSubnet& subnet, std::string_view name);

/// ibsim's form of a place: "node" or "node"[port]. `rest` is what follows it.
struct NamedPlace {
  std::string_view name, rest;
  std::optional<unsigned> port;
};
NamedPlace parse_place(std::string_view text);

}  // namespace selvedge::sim
