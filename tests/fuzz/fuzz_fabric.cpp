// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever the bytes, read_fabric returns a fabric or throws an InputError of a single line. A
// fabric that it returns is the same after write_net and reading again, except for its LIDs.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "plugin/fabric/files.hpp"
#include "tests/fuzz/die.hpp"
#include "tests/support/without_lids.hpp"

namespace {

using namespace selvedge;

using test::without_lids;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FabricFile file;
  try {
    file = read_fabric({reinterpret_cast<const char*>(data), size}, "input");
  } catch (const InputError& e) {
    if (std::string_view(e.what()).find('\n') != std::string_view::npos)
      die("a message of several lines", e.what());
    if (e.remedy().empty()) die("a message without a remedy", e.what());
    return 0;
  }
  if (file.remarks.size() > kMaxRemarks)
    die("too many remarks", std::to_string(file.remarks.size()));
  const std::string text = write_net(file.fabric);
  try {
    if (!(read_fabric(text, "written").fabric == without_lids(file.fabric)))
      die("reads back differently", text);
  } catch (const InputError& e) {
    die(e.what(), text);
  }
  return 0;
}
