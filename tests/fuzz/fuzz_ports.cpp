// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever a file of ports contains, it is read, or refused with one line that names the file, and
// no engine fails because of it.
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "tests/fuzz/die.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace selvedge;
  static const Fabric fabric = assign_lids(torus({3, 3}, 1), 0);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  BalanceFiles files;
  for (const bool with_weights : {true, false}) {
    try {
      (with_weights ? files.weights : files.ignored) =
          parse_port_file(text, "ports.txt", with_weights);
    } catch (const InputError& e) {
      must_be_one_line(e.what(), "ports.txt");
    }
  }
  if (files.weights && !files.ignored) die("a port with a weight, and no port");
  UnknownInBalance unknown;
  EngineRequest request;
  request.balance = find(files, fabric, unknown);
  must_be_one_line(unknown.weights);
  must_be_one_line(unknown.ignored);
  for (const std::uint8_t weight : request.balance.weight)
    if (weight == 0) die("a cable without length");
  if (find_engine("updn").compute(fabric, request).tables.top_lid() != fabric.top_lid())
    die("not all LIDs are routed");
  return 0;
}
