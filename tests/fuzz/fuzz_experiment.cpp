// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever an experiment's file contains, it is read, or refused with one line; reading it twice
// gives the same points. The same text, taken as a claim's expression, gives a number or is refused
// with one line.
#include <algorithm>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/experiment/expression.hpp"
#include "tests/fuzz/die.hpp"

namespace {

/// Calls `read`; if it throws an InputError, the message must be one line.
template <class Read>
void check(Read&& read) {
  try {
    read();
  } catch (const selvedge::InputError& e) {
    must_be_one_line(e.what());
  }
}

selvedge::sim::Experiment parse(std::string_view text) {
  selvedge::TomlFile file = selvedge::TomlFile::parse(text, "f.toml");
  return selvedge::sim::read_experiment(file, "f.toml");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check([&] { selvedge::sim::evaluate(text, [](const std::string&) { return 1.0; }, "f.toml"); });
  // Experiments with long lists have very many points: slow to read, and nothing new to test.
  if (std::ranges::count(text, ',') > 8) return 0;
  check([&] {
    const auto once = parse(text), twice = parse(text);
    if (once.points.size() != twice.points.size()) die("not as many points");
    for (std::size_t i = 0; i < once.points.size(); ++i)
      if (once.points[i].digest != twice.points[i].digest || once.points[i].keys.empty())
        die("not the same point");
  });
  return 0;
}
