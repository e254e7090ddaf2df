// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever a file of frames contains, it is read, or refused with one line that names the file.
// Every stream that was read has a frame, and every frame a size within the bounds.
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "sim/traffic/frames.hpp"
#include "tests/fuzz/die.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace selvedge;
  using namespace selvedge::sim;
  try {
    const auto traces =
        read_frames(std::string_view(reinterpret_cast<const char*>(data), size), "f.csv");
    if (traces.empty()) die("no streams");
    for (const FrameTrace& trace : traces) {
      if (trace.empty()) die("a stream without frames");
      for (const Frame& frame : trace)
        if (frame.bytes == 0 || frame.bytes > kMaxFrameBytes) die("a size out of bounds");
    }
  } catch (const InputError& e) {
    must_be_one_line(e.what(), "f.csv");
  }
  return 0;
}
