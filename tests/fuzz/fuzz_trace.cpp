// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever a trace contains, it is read, or refused with one line that names the file. A trace that
// was read is the same after writing and reading again, and can be replayed.
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "plugin/fabric/generators.hpp"
#include "sim/traffic/trace.hpp"
#include "tests/fuzz/die.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace selvedge;
  using namespace selvedge::sim;
  static const Fabric fabric = mesh({5});
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Trace trace = read_trace(text, "f.csv", fabric);
    if (read_trace(write_trace(trace, fabric), "again", fabric) != trace) die("not the same again");
    const std::size_t count = trace.messages.size();
    const auto traffic = replay(trace, fabric, Model(), 1);
    std::size_t handed_out = 0;
    for (HostId h = 0; h < fabric.num_hosts(); ++h)
      while (traffic->next(h).at != kNever) ++handed_out;
    if (handed_out > count) die("more messages than the trace has");
  } catch (const InputError& e) {
    must_be_one_line(e.what(), "f.csv");
  }
  return 0;
}
