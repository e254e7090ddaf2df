// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/port_file.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace selvedge {
namespace {

std::string complaint(std::string_view text, bool with_weights) {
  try {
    parse_port_file(text, "p.txt", with_weights);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(PortFile, PortsWithAndWithoutWeights) {
  const std::string text =
      "# of the old switch\n\n 0x0002c9020045bfd8 3 7 # slow\n0x12\t0x10 255\r\n0x13 1 2 more\n";
  const PortFile weights = parse_port_file(text, "p.txt", true);
  EXPECT_EQ(weights.path, "p.txt");
  EXPECT_EQ(weights.lines,
            (std::vector<PortFile::Line>{
                {0x0002c9020045bfd8, 3, 7, 3}, {0x12, 16, 255, 4}, {0x13, 1, 2, 5}}));
  const PortFile ports = parse_port_file(text, "p.txt", false);
  EXPECT_EQ(ports.lines, (std::vector<PortFile::Line>{
                             {0x0002c9020045bfd8, 3, 1, 3}, {0x12, 16, 1, 4}, {0x13, 1, 1, 5}}));
}

TEST(PortFile, AWrongLineRefusesTheFile) {
  for (const char* line : {"0x12", "0x12 0 1", "0x12 255 1", "0 1 1", "0x12 1", "0x12 1 0",
                           "0x12 1 256", "0x12 1 x", "0x12x 1 1", "0x12 1y 1", "spine 1 1"})
    EXPECT_NE(complaint(std::string("0x1 1 1\n") + line + "\n", true).find("p.txt:2"),
              std::string::npos)
        << line;
  EXPECT_EQ(complaint("0x12 1", false), "");
  EXPECT_EQ(complaint("0x12 0", false),
            "'0x12 0' is no port: p.txt:1: write a GUID with 0x and a port's number");
  EXPECT_EQ(complaint("# nothing\n", true),
            "no port is in the file: p.txt: write one a line, or do not name the file");
}

TEST(PortFile, AFileThatCannotBeReadIsNamed) {
  EXPECT_THROW(read_port_file("/nowhere/ports", true), InputError);
  EXPECT_THROW(read_port_file("/dev/zero", false), InputError);
}

}  // namespace
}  // namespace selvedge
