// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever the file of drained links contains, it is read, or refused with one line that names the
// file. The links and switches that it names in a fabric exist there. A file that was refused is
// never overwritten.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/error.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/opensm/drained_file.hpp"
#include "tests/fuzz/die.hpp"

namespace {

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace selvedge;
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("drained-" + std::to_string(getpid()))).string();
  static const Fabric fabric = assign_lids(torus({3, 3}), 0);
  {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  const std::string before = contents(path);
  ExcludedLinks list = read_drained(path);
  const Fault fault = list.in(fabric);
  for (const SwitchId s : fault.switches)
    if (s >= fabric.num_switches()) die("a switch that is not there");
  for (const Channel c : fault.links)
    if (c >= fabric.num_switch_channels() || fabric.peer(c) == kNoChannel) die("no cable there");
  if (!list.fault().empty()) {
    must_be_one_line(list.fault(), path);
    try {
      list.drain({"0x0000000000000001"});
      die("a list that could not be read is written over");
    } catch (const InputError&) {
      if (contents(path) != before) die("it was written over all the same");
    }
  } else {
    const std::vector<std::string> names = list.drained();
    list.drain({"0x00000000000000ff:7"});
    ExcludedLinks again = read_drained(path);
    if (!again.fault().empty() || again.drained() != list.drained())
      die("what was written is not what is read");
    list.undrain({"0x00000000000000ff:7"});
    std::vector<std::string> left = names;
    std::erase(left, "0x00000000000000ff:7");
    if (read_drained(path).drained() != left) die("what was taken out is still there, or more");
  }
  std::remove(path.c_str());
  return 0;
}
