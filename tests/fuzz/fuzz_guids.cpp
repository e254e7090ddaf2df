// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever a file of GUIDs contains, it is read, or refused with one line that names the file. Each
// GUID in it is counted once, as found or as unknown, and no engine fails because of the result.
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/guid_file.hpp"
#include "tests/fuzz/die.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace selvedge;
  static const Fabric fabric = assign_lids(k_ary_n_tree(2, 2), 0);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  HintFiles files;
  try {
    const GuidFile file = parse_guid_file(text, "guids.txt");
    if (file.lines.empty()) die("no GUID, and no complaint");
    files.of = {file, file, file};
  } catch (const InputError& e) {
    must_be_one_line(e.what(), "guids.txt");
    return 0;
  }
  const std::size_t lines = files.of[0]->lines.size();
  std::vector<UnknownGuids> unknown;
  LevelHints hints = files.find(fabric, unknown);
  for (const UnknownGuids& u : unknown) {
    if (u.count == 0 || u.count > lines) die("not as many GUIDs as the file has");
    must_be_one_line(describe(u, *files.of[0]));
  }
  for (const SwitchId s : hints.roots)
    if (s >= fabric.num_switches()) die("a switch that is not there");
  for (const HostId h : hints.compute)
    if (h >= fabric.num_hosts()) die("a host that is not there");
  if (hints.compute != hints.not_compute) die("one file, two readings");
  for (const std::string& line : contradictions(fabric, hints)) must_be_one_line(line);
  EngineRequest request;
  request.hints = hints;
  if (find_engine("updn").compute(fabric, request).tables.top_lid() != fabric.top_lid())
    die("not all LIDs are routed");
  return 0;
}
