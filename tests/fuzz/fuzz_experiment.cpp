// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever stands in an experiment's file, it is read or refused in one line; read twice it is the
// same points. The same text as a claim's expression is a number or is refused in one line.
#include <algorithm>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/experiment/expression.hpp"
#include "tests/fuzz/die.hpp"

namespace {

/// What `read` refuses, it refuses in one line.
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
  // Products of long lists are slow and say nothing new.
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
