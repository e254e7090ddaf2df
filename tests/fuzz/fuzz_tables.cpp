// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever the bytes, read_tables returns tables or throws an InputError of a single line. What it
// returns is the same after write_tables and reading again. The input is read once without a fabric
// and once for the fabric for which the corpus was written:
//
//   H-0 2 --- S-0 1 --- 1 S-1 --- 2 H-1     LIDs 1 and 2; 4, 5 and 6, 7
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "plugin/tables/files.hpp"
#include "plugin/tables/metrics.hpp"
#include "tests/fuzz/die.hpp"

namespace {

using namespace selvedge;

Fabric two_switches() {
  FabricBuilder b;
  b.add_switch({.guid = 0x100, .name = "S-0", .ports = 3, .lid = 1});
  b.add_switch({.guid = 0x101, .name = "S-1", .ports = 3, .lid = 2});
  b.add_host(
      {.guid = 0x200, .node_guid = 0x200, .name = "H-0", .at = 0, .port = 2, .lid = 4, .lmc = 1});
  b.add_host(
      {.guid = 0x201, .node_guid = 0x201, .name = "H-1", .at = 1, .port = 2, .lid = 6, .lmc = 1});
  b.connect(0, 1, 1, 1);
  return std::move(b).build("seed");
}

void check(std::string_view text, const Fabric* fabric) {
  TablesFile file;
  try {
    file = read_tables(text, "input", fabric);
  } catch (const InputError& e) {
    if (std::string_view(e.what()).find('\n') != std::string_view::npos)
      die("a message of several lines", e.what());
    if (e.remedy().empty()) die("a message without a remedy", e.what());
    return;
  }
  const std::string written = write_tables(file.fabric, file.tables, file.further, file.remarks);
  try {
    const TablesFile again = read_tables(written, "written", &file.fabric);
    if (!(again.fabric == file.fabric)) die("the fabric reads back differently", written);
    if (!(again.further == file.further)) die("further SLs read back differently", written);
    if (!(again.tables == file.tables)) die("the tables read back differently", written);
    if (write_tables(again.fabric, again.tables, again.further, again.remarks) != written)
      die("writes differently", written);
    if (fabric == nullptr && !(read_tables(written, "written").tables == file.tables))
      die("the tables read back differently without the fabric", written);
  } catch (const InputError& e) {
    die(e.what(), written);
  }
  const Metrics m = measure(file.fabric, file.tables);
  double shares = 0;
  for (const auto& [n, share] : m.disjoint) shares += share;
  if (!m.disjoint.empty() && (shares < 1 - 1e-9 || shares > 1 + 1e-9))
    die("the shares do not add up", written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Fabric fabric = two_switches();
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  check(text, nullptr);
  check(text, &fabric);
  return 0;
}
