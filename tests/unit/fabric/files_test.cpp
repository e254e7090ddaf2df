// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads real files. The samples in data/ were written by ibnetdiscover of infiniband-diags 44 on
// ibsim 0.10, with LIDs assigned by OpenSM 3.3.23.
#include "plugin/fabric/files.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "plugin/fabric/generators.hpp"
#include "tests/support/words.hpp"

namespace selvedge {
namespace {

using test::holds;

/// The message of the error that reading throws.
template <typename Read>
std::string error_of(Read read) {
  try {
    read();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

FabricFile sample(const std::string& name) {
  return read_fabric_file(std::string(SELVEDGE_SOURCE_DIR "/tests/unit/fabric/data/") + name);
}

Channel port(const Fabric& f, std::string_view name, PortNum number) {
  return f.channel(f.find_switch(name), number);
}

std::string far_end(const Fabric& f, std::string_view name, PortNum number) {
  const Channel c = f.peer(port(f, name, number));
  return c == kNoChannel ? "" : f.port_name(c);
}

std::string rate(const Fabric& f, std::string_view name, PortNum number) {
  const LinkRate r = f.rate(port(f, name, number));
  return std::to_string(r.lanes) + "x" + std::string(kLinkSpeeds[r.speed]);
}

//   S-0-0 -4-3- S-0-1 -4-3- S-0-2 -4-3- (S-0-0)     port 5: H-y-x
//     2           2           2
//     1           1           1
//   S-1-0 -4-3- S-1-1 -4-3- S-1-2
//     2           2           2
//     1           1           1
//   S-2-0 -4-3- S-2-1 -4-3- S-2-2      and from 2 down to 1 of row 0
TEST(ReadIbnetdiscover, TorusWithLmc2) {
  const FabricFile file = sample("torus-3x3-lmc2.ibnetdiscover");
  const Fabric& f = file.fabric;
  EXPECT_EQ(file.form, FabricFile::Form::kIbnetdiscover);
  EXPECT_TRUE(file.has_lids);
  EXPECT_TRUE(file.remarks.empty());
  ASSERT_EQ(f.num_switches(), 9u);
  ASSERT_EQ(f.num_hosts(), 9u);
  EXPECT_EQ(f.links().size(), 18u);
  // Ids follow the GUIDs, although the file begins with S-1-1.
  EXPECT_EQ(f.node(0).name, "S-0-0");
  EXPECT_EQ(f.node(1).name, "S-0-1");
  EXPECT_EQ(f.node(0).guid, 0x200000000000001u);
  EXPECT_EQ(f.node(0).lid, 8);
  EXPECT_EQ(f.node(0).ports, 5);

  const Fabric torus = selvedge::torus({3, 3});
  for (const Switch& s : torus.switches())
    for (PortNum p = 1; p <= 5; ++p)
      EXPECT_EQ(far_end(f, s.name, p), far_end(torus, s.name, p)) << s.name << ':' << int{p};
  const Host& h = f.host(f.find_host("H-1-1"));
  EXPECT_EQ(h.lid, 36);
  EXPECT_EQ(h.lmc, 2);
  EXPECT_EQ(h.node_guid, 0x200000001000008u);
  EXPECT_EQ(h.guid, 0x200000001000009u);
  EXPECT_EQ(f.destination_switch(39), f.find_switch("S-1-1"));
}

//   S-1-0   S-1-1
//    1  2  1  2         level 0: ports 1, 2 hosts, 3, 4 up
//    3  3  4  4
//   S-0-0   S-0-1
TEST(ReadIbnetdiscover, Tree) {
  const FabricFile file = sample("tree-2-2.ibnetdiscover");
  const Fabric tree = k_ary_n_tree(2, 2);
  ASSERT_EQ(file.fabric.num_switches(), 4u);
  ASSERT_EQ(file.fabric.num_hosts(), 4u);
  EXPECT_TRUE(file.has_lids);
  for (const Switch& s : tree.switches())
    for (PortNum p = 1; p <= s.ports; ++p)
      EXPECT_EQ(far_end(file.fabric, s.name, p), far_end(tree, s.name, p)) << s.name;
}

//   a -- 1 +----------------+ 5 ---- 3 +-------+ 5 --- d
//   b -- 2 | MF0;sw-1:…  7 -- 8 (loop) | spine |
//   c -2- 3 |               | 6 ---- 4 +-------+ 36 -- router
//     -1- 4 +----------------+
TEST(ReadIbnetdiscover, NamesWithAnyCharacterAndEveryRate) {
  const FabricFile file = sample("odd-names-lmc1.ibnetdiscover");
  const Fabric& f = file.fabric;
  const std::string main = "MF0;sw-1:SX6036/U1";
  const std::string spine = "spine [2] (ext) lid 5 lmc 1, 10 GB/s";
  EXPECT_TRUE(file.has_lids);
  EXPECT_TRUE(file.remarks.empty());
  ASSERT_EQ(f.num_switches(), 2u);
  ASSERT_EQ(f.num_hosts(), 6u);
  EXPECT_EQ(f.node(f.find_switch(spine)).lid, 8);
  EXPECT_EQ(f.node(f.find_switch(main)).lid, 4);
  EXPECT_EQ(far_end(f, main, 1), "n  me w  th   n  code      :1");  // cleaned by infiniband-diags
  EXPECT_EQ(far_end(f, main, 2), "host [1]/\\: HCA-1 # not a comment:1");
  EXPECT_EQ(far_end(f, main, 3), "c d = e:2");
  EXPECT_EQ(far_end(f, main, 4), "c d = e:1");
  EXPECT_EQ(far_end(f, main, 5), spine + ":3");
  EXPECT_EQ(far_end(f, main, 6), spine + ":4");
  EXPECT_EQ(far_end(f, main, 7), main + ":8");
  EXPECT_EQ(far_end(f, spine, 36), "router:1");
  EXPECT_EQ(far_end(f, spine, 35), "");
  EXPECT_EQ(rate(f, main, 1), "4xHDR");
  EXPECT_EQ(rate(f, main, 2), "1xSDR");
  EXPECT_EQ(rate(f, main, 3), "4xQDR");
  EXPECT_EQ(rate(f, main, 4), "12xDDR");
  EXPECT_EQ(rate(f, main, 6), "4xEDR");
  const Host& port2 = f.host(f.host_of(f.peer(port(f, main, 3))));
  EXPECT_EQ(port2.ca_port, 2);
  EXPECT_EQ(port2.guid, 0x122u);
  EXPECT_EQ(port2.node_guid, 0x120u);
  EXPECT_EQ(port2.lid, 12);
  EXPECT_EQ(port2.lmc, 1);
}

TEST(ReadIbnetdiscover, FullFormBeforeLidsAreAssigned) {
  const FabricFile with = sample("odd-names-lmc1.ibnetdiscover");
  const FabricFile without = sample("odd-names-full.ibnetdiscover");
  EXPECT_FALSE(without.has_lids);
  EXPECT_EQ(without.fabric.top_lid(), 0);
  EXPECT_EQ(without.fabric, read_fabric(write_net(with.fabric), "copy").fabric);
}

TEST(ReadIbnetdiscover, ChassisAndExternalPorts) {
  const FabricFile file = sample("chassis.ibnetdiscover");
  const Fabric& f = file.fabric;
  EXPECT_TRUE(file.has_lids);
  ASSERT_EQ(f.num_switches(), 2u);
  ASSERT_EQ(f.num_hosts(), 2u);
  EXPECT_EQ(far_end(f, "ISR2012 Voltaire sLB-2024", 13), "node1 HCA-1:1");
  EXPECT_EQ(far_end(f, "ISR2012 Voltaire sLB-2024", 1), "ISR2012 Voltaire sFB-2012:1");
  EXPECT_EQ(rate(f, "ISR2012 Voltaire sLB-2024", 14), "4xDDR");
  EXPECT_EQ(f.host(f.find_host("node1 HCA-1")).guid, 0x8f10403960001u);
}

TEST(ReadIbnetdiscover, SaysWhatOtherFormsLack) {
  EXPECT_PRED2(holds, error_of([] { sample("list-of-nodes.ibnetdiscover"); }), "without -l");
  EXPECT_PRED2(holds, error_of([] { sample("list-of-ports.ibnetdiscover"); }), "without -p");
}

TEST(ReadIbnetdiscover, UnknownTypesWidthsAndSpeeds) {
  const FabricFile file = read_fabric(R"(#
# Topology file: generated on Fri Nov 20 16:35:55 2026
#
switchguid=0x1(1)
Switch	4 "S-0000000000000001"		# "a" base port 0 lid 1 lmc 0
[1]	"S-0000000000000002"[1]		# "b" lid 2 ?????
[2]	"?-0000000000000003"[1]		# "strange" lid 0 4xNDR
[3]	"S-0000000000000002"[3]		# "b" lid 2 2xFDR10
[4]	"S-0000000000000001"[4]		# "a" lid 1 4xXDR

switchguid=0x2(2)
Switch	4 "S-0000000000000002"		# "b" enhanced port 0 lid 2 lmc 0
[1]	"S-0000000000000001"[1]		# "a" lid 1 4xXDR
[3]	"S-0000000000000001"[3]		# "a" lid 1 2xFDR10

???guid=0x3
???	1 "?-0000000000000003"		# "strange"
[1](4) 	"S-0000000000000001"[2]		# lid 0 lmc 0 "a" lid 1 4xNDR
)",
                                      "f");
  const Fabric& f = file.fabric;
  EXPECT_EQ(f.num_hosts(), 0u);
  EXPECT_EQ(rate(f, "a", 1), "4xXDR");
  EXPECT_EQ(rate(f, "a", 3), "2xFDR10");
  EXPECT_EQ(far_end(f, "a", 2), "");
  EXPECT_EQ(far_end(f, "a", 4), "");
  ASSERT_EQ(file.remarks.size(), 5u);
  EXPECT_PRED2(holds, file.remarks[0], "f:6: the rates");
  EXPECT_PRED2(holds, file.remarks[1], "f:7: the cable between \"a\" and");
  EXPECT_PRED2(holds, file.remarks[2], "f:9: port 4 of \"a\" is cabled to itself");
  EXPECT_PRED2(holds, file.remarks[3], "f:18: the cable");
  EXPECT_PRED2(holds, file.remarks[4], "f:17: \"strange\" is ignored");
}

// Two switches, a cable between them, and a host at each, in various spellings that ibsim allows.
TEST(ReadNet, LineEndsAndSpelling) {
  const std::string plain = R"(# a comment
Switch 3 "A"
[1] "B"[1]
# in between
[2] "h"

Switch	3	"B"	# spine two  lid 7 lmc 0
[1]	"A" [1]
[3]	"i"[2]

Ca 1 "h"
[1] "A"[2]

hca	2 "i"
[2]	"B"[3])";
  std::string crlf = "\xef\xbb\xbf";
  for (const char c : plain) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const FabricFile file = read_fabric(plain, "plain");
  const Fabric& f = file.fabric;
  EXPECT_EQ(file.form, FabricFile::Form::kNet);
  EXPECT_FALSE(file.has_lids);
  EXPECT_TRUE(file.remarks.empty());
  EXPECT_EQ(f, read_fabric(crlf, "crlf").fabric);
  EXPECT_EQ(f, read_fabric(plain + "\n\n", "more ends").fabric);
  EXPECT_EQ(f.node(0).name, "A");
  EXPECT_EQ(f.node(1).name, "spine two");
  EXPECT_EQ(f.node(1).lid, 7);
  EXPECT_EQ(far_end(f, "A", 2), "h:1");
  EXPECT_EQ(far_end(f, "spine two", 3), "i:2");
  // The GUIDs that ibsim assigns.
  EXPECT_EQ(f.node(0).guid, 0x200000u);
  EXPECT_EQ(f.node(1).guid, 0x200001u);
  EXPECT_EQ(f.host(0).node_guid, 0x100000u);
  EXPECT_EQ(f.host(0).guid, 0x100001u);
  EXPECT_EQ(f.host(1).node_guid, 0x100002u);
  EXPECT_EQ(f.host(1).guid, 0x100004u);
}

TEST(ReadNet, GuidsRatesAndModules) {
  const FabricFile file = read_fabric(R"(switchguid=0x500
width=1
speed=7
module="left"
Switch 8 "A" # "say "hi", # [1]" base port 0
[1] "right#A"[1]
[2] "A"[3] w=12 e=7
[3] "A"[2] w=8 e=3
switchguid+0x20
module = "right"
Switch 8 "A" # ""
[1] "left#A"[1] s=3
caguids=0x700
Ca 2 "x"
)",
                                      "f");
  const Fabric& f = file.fabric;
  EXPECT_EQ(f.node(0).guid, 0x500u);
  EXPECT_EQ(f.node(1).guid, 0x520u);
  EXPECT_EQ(f.node(0).name, "say \"hi\", # [1]");
  EXPECT_EQ(f.node(1).name, "");
  EXPECT_EQ(rate(f, f.node(0).name, 1), "1xDDR");
  EXPECT_EQ(rate(f, f.node(0).name, 2), "12xEDR");
  ASSERT_EQ(file.remarks.size(), 1u);
  EXPECT_EQ(file.remarks[0], "f:14: \"right#x\" has no cable; left out");
}

TEST(ReadNet, HostToHost) {
  const FabricFile file = sample("odd-names.net");
  const Fabric& f = file.fabric;
  EXPECT_EQ(file.remarks.size(), 2u);
  const HostId back = f.find_host("back to back");
  ASSERT_NE(back, kNoHost);
  EXPECT_FALSE(f.attached(back));
  EXPECT_EQ(f.host(back).at, kNoSwitch);
  EXPECT_NE(f.find_host("näme wïth ünïcode é漢"), kNoHost);
  EXPECT_EQ(rate(f, "MF0;sw-1:SX6036/U1", 5), "4xFDR10");
}

TEST(ReadFile, NamesTheFile) {
  EXPECT_PRED2(holds, error_of([] { read_fabric_file("/nonexistent/fabric"); }),
               "/nonexistent/fabric");
  EXPECT_PRED2(holds, error_of([] { read_fabric_file("/"); }), "cannot read the file");
}

struct Bad {
  const char* name;
  std::string text;
  const char* what;   // the beginning of the message
  const char* where;  // the place in the message
};

class BadFiles : public testing::TestWithParam<Bad> {};

TEST_P(BadFiles, OneErrorWithTheLine) {
  try {
    read_fabric(GetParam().text, "f");
    FAIL() << "was read";
  } catch (const InputError& e) {
    EXPECT_EQ(e.problem().rfind(GetParam().what, 0), 0u) << e.problem();
    EXPECT_EQ(e.where(), GetParam().where);
    EXPECT_FALSE(e.remedy().empty());
    EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
  }
}

const std::string kTwo = R"(Switch 3 "A"
[1] "B"[2]

Switch 3 "B"
[2] "A"[1]
)";

INSTANTIATE_TEST_SUITE_P(
    Read, BadFiles,
    testing::Values(
        Bad{"empty", "", "no section found", "f"},
        Bad{"prose", "hello\nworld\n", "no section found", "f"},
        Bad{"nothing_cabled", "Ca 1 \"h\"\n", "neither a switch nor a cabled host found", "f"},
        Bad{"binary", std::string("Switch 3 \"A\"\n\0\n", 15), "not a text file", "f"},
        Bad{"one_end", "Switch 3 \"A\"\n[1] \"B\"[2]\n\nSwitch 3 \"B\"\n", "a link with one end",
            "f:2"},
        Bad{"other_end_elsewhere", kTwo + "[3] \"A\"[1]\n", "a link with one end", "f:6"},
        Bad{"no_such_node", "Switch 3 \"A\"\n[1] \"B\"[2]\n",
            "port 1 of \"A\" is cabled to \"B\", which has no section", "f:2"},
        Bad{"own_port_beyond", "Switch 3 \"A\"\n[4] \"A\"[2]\n", "port 4 of \"A\" is cabled, but",
            "f:2"},
        Bad{"port_0", "Switch 3 \"A\"\n[0] \"A\"[2]\n", "port 0 of \"A\" is cabled, but", "f:2"},
        Bad{"far_port_beyond", "Switch 3 \"A\"\n[1] \"B\"[9]\n\nSwitch 3 \"B\"\n",
            "port 1 of \"A\" is cabled to port 9 of \"B\", which has 3", "f:2"},
        Bad{"port_twice", kTwo + "[2] \"A\"[1]\n", "port 2 of \"B\" is listed twice", "f:6"},
        Bad{"id_twice", kTwo + "\nSwitch 4 \"A\"\n", "the id \"A\" is used twice", "f:7"},
        Bad{"guid_twice", "switchguid=0x200001\n" + kTwo + "switchguid=0x200001\nSwitch 1 \"C\"\n",
            "GUID 0x0000000000200001 is used twice", "f:8"},
        Bad{"port_guid_twice",
            "Switch 3 \"A\"\n[1] \"h\"[1](5)\n[2] \"i\"[1](5)\n\nCa 1 \"h\"\n[1](5) \"A\"[1]\n\n"
            "Ca 1 \"i\"\n[1](5) \"A\"[2]\n",
            "GUID 0x0000000000000005 is used twice, first at line 6", "f:9"},
        Bad{"lid_twice",
            "Switch 1 \"A\" # \"a\" base port 0 lid 3 lmc 0\n\n"
            "Switch 1 \"B\" # \"b\" base port 0 lid 3 lmc 0\n",
            "LID 3 is used twice, first at line 1", "f:3"},
        Bad{"lid_too_large", "Switch 1 \"A\" # \"a\" base port 0 lid 49152 lmc 0\n",
            "LID 49152 is beyond the unicast range", "f:1"},
        Bad{"lid_range_too_large",
            "Switch 1 \"A\"\n[1] \"h\"[1]\n\nCa 1 \"h\"\n[1](5) \"A\"[1] # lid 49150 lmc 2 \"A\" "
            "lid "
            "0 4xSDR\n",
            "LID 49152 is beyond the unicast range", "f:5"},
        Bad{"lmc_too_large",
            "Switch 1 \"A\"\n[1] \"h\"[1]\n\nCa 1 \"h\"\n[1](5) \"A\"[1] # lid 4 lmc 8 \"A\" lid 0 "
            "4xSDR\n",
            "port 1 of \"h\" has LMC 8", "f:5"},
        Bad{"too_many_ports", "Switch 255 \"A\"\n", "malformed section", "f:1"},
        Bad{"no_ports", "Switch \"A\"\n", "malformed section", "f:1"},
        Bad{"header_cut", "Switch 36 \"A", "malformed section", "f:1"},
        Bad{"description_cut", "Switch 36 \"A\" # \"spi", "the description's quote is not closed",
            "f:1"},
        Bad{"port_cut", "Switch 36 \"A\"\n[12", "malformed port", "f:2"},
        Bad{"far_id_cut", "Switch 36 \"A\"\n[12] \"B", "malformed port", "f:2"},
        Bad{"far_port_cut", "Switch 36 \"A\"\n[12] \"B\"[1", "malformed port", "f:2"},
        Bad{"port_guid_cut", "Switch 36 \"A\"\n[12] \"B\"[1](2000", "malformed port", "f:2"},
        Bad{"port_guid_too_long", "Ca 1 \"A\"\n[1](12345678901234567) \"B\"[1]", "malformed port",
            "f:2"},
        Bad{"huge_port", "Switch 36 \"A\"\n[99999999999999999999] \"B\"[1]", "malformed port",
            "f:2"},
        Bad{"no_far_port_in_ibnetdiscover",
            "# Topology file: generated\nSwitch 36 \"A\" # \"a\"\n[1] \"A\"\n", "malformed port",
            "f:3"},
        Bad{"no_description_in_ibnetdiscover", "# Topology file: generated\nSwitch 36 \"A\"",
            "section without a description", "f:2"},
        Bad{"stray_port", kTwo + "\n[3] \"A\"[2]\n", "a port outside any section", "f:7"},
        Bad{"bad_guid", "switchguid=zebra\n" + kTwo, "no number in", "f:1"},
        Bad{"long_guid", "switchguid=0x11112222333344445\n" + kTwo, "no number in", "f:1"},
        Bad{"open_guid", "switchguid=0x1(5\n" + kTwo, "no GUID in the parentheses", "f:1"},
        Bad{"width", "width=32\n" + kTwo, "\"width=32\" is out of range", "f:1"},
        Bad{"option", "Switch 3 \"A\"\n[1] \"A\"[2] w=0\n", "w= is out of range at port 1", "f:2"},
        Bad{"alias", "Switch 3 \"A\"\n@[1] \"out\"\n", "port aliases (@) are not read", "f:2"},
        Bad{"include", "include \"other.net\"\n", "included files are not read", "f:1"}),
    [](const auto& param) { return param.param.name; });

// A file that is truncated anywhere is refused. Only if the end of a comment or empty lines are
// lost may it be read, and then as the same fabric. It is never read as a smaller fabric.
TEST(ReadIbnetdiscover, TruncatedAnywhere) {
  const std::string path = SELVEDGE_SOURCE_DIR "/tests/unit/fabric/data/tree-2-2.ibnetdiscover";
  const Fabric whole = read_fabric_file(path).fabric;
  std::string text;
  FILE* in = std::fopen(path.c_str(), "r");
  ASSERT_NE(in, nullptr);
  for (int c; (c = std::fgetc(in)) != EOF;) text += static_cast<char>(c);
  std::fclose(in);
  unsigned refused = 0, read = 0;
  for (std::size_t size = 0; size < text.size(); ++size) {
    try {
      const Fabric f = read_fabric(std::string_view(text).substr(0, size), "cut").fabric;
      ++read;
      EXPECT_EQ(f.num_switches(), whole.num_switches()) << size;
      EXPECT_EQ(f.num_hosts(), whole.num_hosts()) << size;
      EXPECT_EQ(f.links().size(), whole.links().size()) << size;
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, text.size() - 80);
  EXPECT_GT(read, 0u);
}

}  // namespace
}  // namespace selvedge
