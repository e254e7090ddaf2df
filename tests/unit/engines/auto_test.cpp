// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What `auto` chooses, and that its tables are those of the chosen engine.
#include <gtest/gtest.h>

#include "plugin/engines/engine.hpp"
#include "plugin/fabric/generators.hpp"
#include "plugin/fabric/spec.hpp"
#include "plugin/tables/bandwidth.hpp"

namespace selvedge {
namespace {

struct AutoCase {
  const char* fabric;
  unsigned lmc, max_vls, max_sls;
  std::string chosen;
};

TEST(Auto, ChoosesByTheKindOfFabric) {
  for (const AutoCase& c : {
           AutoCase{"tree:k=3,n=2", 0, 8, 16, "dmodk"},
           {"tree:k=3,n=2", 2, 1, 1, "dmodk"},
           {"torus:5x5", 0, 8, 16, "balanced"},
           {"torus:5x5", 1, 8, 16, "spftr"},
           {"torus:5x5", 3, 8, 16, "ist"},
           {"torus:5x5", 4, 8, 16, "spftr"},
           {"torus:5x5", 3, 1, 16, "balanced"},
           {"torus:5x5", 3, 8, 1, "balanced"},
           {"mesh:4x4", 0, 8, 16, "balanced"},
           {"mesh:4x4", 2, 8, 16, "balanced"},
           {"irregular:switches=20,degree=4,seed=5", 1, 8, 16, "balanced"},
           {"irregular:switches=20,degree=4,seed=5", 0, 1, 1, "balanced"},
           {"mesh:40x26", 0, 8, 16, "updn"},  // over 1,000 switches
       }) {
    SCOPED_TRACE(std::string(c.fabric) + ", LMC " + std::to_string(c.lmc));
    const Fabric fabric = assign_lids(make_fabric(c.fabric), c.lmc);
    EngineRequest request;
    request.max_vls = c.max_vls;
    request.max_sls = c.max_sls;
    const Routing routing = find_engine("auto").compute(fabric, request);
    EXPECT_EQ(routing.chosen, c.chosen);
    EXPECT_TRUE(routing.remarks.front().starts_with(c.chosen + " was chosen: the fabric is "))
        << routing.remarks.front();
    EXPECT_EQ(routing.tables, find_engine(c.chosen).compute(fabric, request).tables);
  }
}

// What the choice is for: no engine that it took before carries more.
TEST(Auto, IsNeverLessEvenThanWhatItTookBefore) {
  for (const auto& [spec, before] : {std::pair{"torus:6x6", "ist"},
                                     {"torus:8x8", "ist"},
                                     {"torus:3x4x5", "ist"},
                                     {"mesh:5x6", "updn"},
                                     {"irregular:switches=30,degree=4,hosts=2,seed=3", "updn"},
                                     {"hyperx:3x3x3", "updn"},
                                     {"dragonfly:a=4,h=2,p=2", "updn"},
                                     {"slimfly:q=5", "updn"},
                                     {"random-regular:switches=30,degree=5,seed=2", "updn"}}) {
    const Fabric fabric = assign_lids(make_fabric(spec), 0);
    const auto ebb = [&](const char* engine) {
      return effective_bandwidth(fabric, find_engine(engine).compute(fabric, {}).tables, 100, 1);
    };
    EXPECT_GE(ebb("auto"), ebb(before)) << spec;
  }
}

}  // namespace
}  // namespace selvedge
