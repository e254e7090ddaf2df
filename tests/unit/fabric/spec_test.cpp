// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/spec.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "plugin/fabric/files.hpp"
#include "plugin/fabric/generators.hpp"

namespace selvedge {
namespace {

std::string problem(std::string_view spec, std::optional<unsigned> lmc = {}) {
  try {
    make_fabric(spec, lmc);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Spec, AnEngineMayChooseTheLmcWhereNoLidsAreGiven) {
  const auto by_size = [](const Fabric& bare) { return bare.num_switches() == 9 ? 3u : 0u; };
  EXPECT_EQ(make_fabric_choosing_lmc("torus:3x3", by_size), assign_lids(torus({3, 3}), 3));
  EXPECT_EQ(make_fabric_choosing_lmc("torus:4x4", by_size), assign_lids(torus({4, 4}), 0));
  EXPECT_THROW(make_fabric_choosing_lmc("torus:3x3", [](const Fabric&) { return 8u; }), InputError);
  const std::string data = SELVEDGE_SOURCE_DIR "/tests/unit/fabric/data/";
  const auto never = [](const Fabric&) -> unsigned { throw std::logic_error("has LIDs"); };
  const Fabric own =
      make_fabric_choosing_lmc("file:" + data + "torus-3x3-lmc2.ibnetdiscover", never);
  EXPECT_EQ(own.host(0).lmc, 2);
  const Fabric none =
      make_fabric_choosing_lmc("file:" + data + "odd-names.net", [](const Fabric&) { return 1u; });
  EXPECT_EQ(none.host(0).lmc, 1);
  EXPECT_NE(none.host(0).lid, kNoLid);
}

TEST(Spec, EveryForm) {
  EXPECT_EQ(make_fabric("torus:8x8"), assign_lids(torus({8, 8}), 0));
  EXPECT_EQ(make_fabric("torus:4x4x4,hosts=2"), assign_lids(torus({4, 4, 4}, 2), 0));
  EXPECT_EQ(make_fabric("torus:hosts=2,4x4x4"), assign_lids(torus({4, 4, 4}, 2), 0));
  EXPECT_EQ(make_fabric("torus:5"), assign_lids(torus({5}), 0));
  EXPECT_EQ(make_fabric("mesh:3x1x3", 2), assign_lids(mesh({3, 1, 3}), 2));
  EXPECT_EQ(make_fabric("tree:k=4,n=3"), assign_lids(k_ary_n_tree(4, 3), 0));
  EXPECT_EQ(make_fabric("tree:n=3,k=4"), assign_lids(k_ary_n_tree(4, 3), 0));
  EXPECT_EQ(make_fabric("clos:n=24,r=48,m=24"), assign_lids(clos(24, 48, 24), 0));
  EXPECT_EQ(make_fabric("xgft:m=4x4x8,w=1x4x4"), assign_lids(xgft({4, 4, 8}, {1, 4, 4}), 0));
  EXPECT_EQ(make_fabric("irregular:switches=16,degree=4,hosts=4,seed=7"),
            assign_lids(irregular(16, 4, 4, 7), 0));
  EXPECT_EQ(make_fabric("irregular:seed=7,degree=4,switches=16"),
            assign_lids(irregular(16, 4, 1, 7), 0));
  EXPECT_EQ(make_fabric("irregular:switches=16,degree=4,links=20"),
            assign_lids(irregular(16, 4, 1, 1, 20), 0));
  EXPECT_EQ(make_fabric("irregular:switches=16,degree=4"), assign_lids(irregular(16, 4, 1, 1), 0));
  EXPECT_EQ(make_fabric("irregular:switches=16,degree=4,seed=18446744073709551615"),
            assign_lids(irregular(16, 4, 1, UINT64_MAX), 0));
}

TEST(Spec, ErrorsNameTheNearestForm) {
  EXPECT_EQ(problem("tours:8x8"),
            "no such kind of fabric: 'tours:8x8': write something like torus:8x8,hosts=2");
  EXPECT_EQ(problem("fil:x.net"),
            "no such kind of fabric: 'fil:x.net': write something like file:PATH");
  EXPECT_EQ(problem("butterfly:a=4"),
            "no such kind of fabric: 'butterfly:a=4': the kinds are torus, mesh, tree, clos, xgft, "
            "irregular, random-regular, hyperx, dragonfly, slimfly, file; write something like "
            "torus:8x8,hosts=2");
  EXPECT_EQ(problem("torus"), "the sizes are missing: 'torus': write torus:8x8,hosts=2");
  EXPECT_EQ(problem("mesh:"), "the sizes are missing: 'mesh:': write mesh:3x3x3");
  EXPECT_EQ(problem("tree"), "k= is missing: 'tree': write tree:k=4,n=3");
  EXPECT_EQ(problem("torus:8x8,"),
            "there is nothing where an option should be: 'torus:8x8,': write torus:8x8,hosts=2");
  EXPECT_EQ(problem("torus:hosts=2"),
            "the sizes are missing: 'torus:hosts=2': write torus:8x8,hosts=2");
  EXPECT_EQ(problem("tree:k=4"), "n= is missing: 'tree:k=4': write tree:k=4,n=3");
  EXPECT_EQ(problem("tree:4x3"), "'4x3' has no name: 'tree:4x3': write tree:k=4,n=3");
  EXPECT_EQ(problem("torus:8x8,host=2"),
            "torus has no option 'host': 'torus:8x8,host=2': write torus:8x8,hosts=2");
  EXPECT_EQ(problem("file:"), "the path is missing: 'file:': write file:PATH");
}

TEST(Spec, BadText) {
  for (const char* spec : {"",
                           ":",
                           "torus:",
                           "torus:8x",
                           "torus:x8",
                           "torus:8xx8",
                           "torus:8x8,",
                           "torus:,8x8",
                           "torus:8x8,8x8",
                           "torus:8x8,hosts=",
                           "torus:8x8,hosts=1,hosts=2",
                           "torus:8x8,=2",
                           "torus:-8x8",
                           "torus:+8x8",
                           "torus: 8x8",
                           "torus:8.5x8",
                           "torus:0x10x8",
                           "torus:8X8",
                           "TORUS:8x8",
                           "mesh:0",
                           "tree:k=4,n=3,hosts=2",
                           "tree:k=,n=3",
                           "clos:n=4,r=4",
                           "xgft:m=4x4,w=1",
                           "irregular:switches=16",
                           "irregular:switches=16,degree=4,seed=-1",
                           "irregular:switches=16,degree=4,seed=18446744073709551616",
                           "file",
                           "torus:8x8;hosts=2"})
    EXPECT_NE(problem(spec), "no error") << spec;
}

TEST(Spec, HugeSizesFailAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_NE(problem("torus:99999x99999").find("49151"), std::string::npos);
  EXPECT_NE(problem("torus:99999999999x3").find("too large a number"), std::string::npos);
  EXPECT_NE(problem("torus:4294967295x4294967295x4294967295").find("49151"), std::string::npos);
  EXPECT_NE(problem("mesh:8x8,hosts=4294967295").find("254"), std::string::npos);
  EXPECT_NE(problem("tree:k=127,n=4294967295"), "no error");
  EXPECT_NE(problem("irregular:switches=4294967295,degree=4294967294"), "no error");
  EXPECT_NE(problem("torus:64x64", 4).find("LMC 4"), std::string::npos);
  EXPECT_NE(problem("torus:4x4", 8).find("LMC"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

/// A file that is removed at the end of the test.
class Scratch {
 public:
  explicit Scratch(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("selvedge-spec-test-" + std::to_string(::getpid()) + ",a=b:c.net")) {
    std::ofstream(path_) << text;
  }
  ~Scratch() { std::filesystem::remove(path_); }
  std::string spec() const { return "file:" + path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(Spec, FilesGetLids) {
  const Fabric drawn = torus({3, 4}, 2);
  const Scratch file(write_net(drawn));  // its path holds a comma, an equals sign and a colon
  EXPECT_EQ(make_fabric(file.spec()), assign_lids(drawn, 0));
  EXPECT_EQ(make_fabric(file.spec(), 3), assign_lids(drawn, 3));
  EXPECT_NE(problem("file:/nonexistent/fabric.net").find("/nonexistent/fabric.net"),
            std::string::npos);
}

//   S1 (LID 7) ── S2 (LID 3)
//   │ LID 20–21   │ LID 12–13       as ibnetdiscover prints it, with LMC 1
//   H1            H2
constexpr const char* kWithLids = R"(vendid=0x2c9
devid=0xb924
sysimgguid=0x100003
switchguid=0x100000(100000)
Switch	4 "S-0000000000100000"		# "S1" enhanced port 0 lid 7 lmc 0
[1]	"S-0000000000200000"[1]		# "S2" lid 3 4xSDR
[2]	"H-0000000000300000"[1](300001) 		# "H1" lid 20 4xSDR

vendid=0x2c9
devid=0xb924
sysimgguid=0x200003
switchguid=0x200000(200000)
Switch	4 "S-0000000000200000"		# "S2" enhanced port 0 lid 3 lmc 0
[1]	"S-0000000000100000"[1]		# "S1" lid 7 4xSDR
[2]	"H-0000000000400000"[1](400001) 		# "H2" lid 12 4xSDR

vendid=0x2c9
devid=0x6274
sysimgguid=0x300003
caguid=0x300000
Ca	1 "H-0000000000300000"		# "H1"
[1](300001) 	"S-0000000000100000"[2]		# lid 20 lmc 1 "S1" lid 7 4xSDR

vendid=0x2c9
devid=0x6274
sysimgguid=0x400003
caguid=0x400000
Ca	1 "H-0000000000400000"		# "H2"
[1](400001) 	"S-0000000000200000"[2]		# lid 12 lmc 1 "S2" lid 3 4xSDR
)";

TEST(Spec, AFilesOwnLidsAreKept) {
  const Scratch file(kWithLids);
  const Fabric as_found = make_fabric(file.spec());
  EXPECT_EQ(as_found.node(as_found.find_switch("S1")).lid, 7);
  EXPECT_EQ(as_found.host(as_found.find_host("H2")).lid, 12);
  EXPECT_EQ(as_found.host(as_found.find_host("H2")).lmc, 1);
  EXPECT_EQ(make_fabric(file.spec(), 1), as_found);
  const Fabric other = make_fabric(file.spec(), 0);  // not the file's LMC: all LIDs are reassigned
  EXPECT_EQ(other.host(0).lmc, 0);
  EXPECT_EQ(other.node(0).lid, 1);
}

TEST(Spec, HelpHasEveryKind) {
  const std::string help = kFabricHelp;
  for (const char* kind : {"torus:", "mesh:", "tree:", "clos:", "xgft:", "irregular:", "file:"})
    EXPECT_NE(help.find(kind), std::string::npos) << kind;
}

}  // namespace
}  // namespace selvedge
