// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What libselvedge-apm gives to verbs, and when. This program has verbs functions of its own in
// place of libibverbs', so that the attribute masks can be looked at. What a real adapter says is
// tested in the guest (tests/system/guest/verbs_cases.py).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "daemon/apm/selvedge_apm.h"

namespace {

struct Modification {
  ibv_qp_attr attributes;
  int mask;
};

/// What the adapter answers, and what it was told.
struct Adapter {
  unsigned capabilities = IBV_DEVICE_AUTO_PATH_MIG;
  std::uint8_t link_layer = IBV_LINK_LAYER_INFINIBAND;
  ibv_qp_state state = IBV_QPS_RTS;
  int refuses = 0;  // what ibv_modify_qp returns
  std::vector<Modification> told;
} adapter;

}  // namespace

// Visible, so that the library finds these and not libibverbs'.
#pragma GCC visibility push(default)
extern "C" int ibv_query_device(ibv_context*, ibv_device_attr* device) {
  *device = {};
  device->device_cap_flags = adapter.capabilities;
  return 0;
}
#undef ibv_query_port
extern "C" int ibv_query_port(ibv_context*, std::uint8_t, _compat_ibv_port_attr* port) {
  reinterpret_cast<ibv_port_attr*>(port)->link_layer = adapter.link_layer;
  return 0;
}
extern "C" int ibv_query_qp(ibv_qp*, ibv_qp_attr* now, int mask, ibv_qp_init_attr*) {
  EXPECT_EQ(mask, IBV_QP_STATE | IBV_QP_PKEY_INDEX);
  now->qp_state = adapter.state;
  now->pkey_index = 7;
  return 0;
}
extern "C" int ibv_modify_qp(ibv_qp*, ibv_qp_attr* attributes, int mask) {
  adapter.told.push_back({*attributes, mask});
  return adapter.refuses;
}
#pragma GCC visibility pop

namespace {

constexpr selvedge_apm_path kFirst{10, 1, 2, 3, 1, 19}, kSecond{11, 2, 4, 3, 1, 18},
    kThird{12, 3, 5, 7, 2, 17};

class Migration : public testing::Test {
 protected:
  Migration() {
    adapter = {};
    qp_.context = &context_;
    qp_.qp_type = IBV_QPT_RC;
  }
  int start(const selvedge_apm_path& alternate = kSecond) {
    return selvedge_apm_start(&apm_, &qp_, &kFirst, &alternate, why_.data(), why_.size());
  }
  int event(ibv_event_type type, ibv_qp* of) {
    ibv_async_event event = {};
    event.event_type = type;
    event.element.qp = of;
    return selvedge_apm_event(&apm_, &event, why_.data(), why_.size());
  }
  /// Asserts that the last modification loaded this alternate and armed migration, and did nothing
  /// else.
  static void loaded(const selvedge_apm_path& path) {
    ASSERT_FALSE(adapter.told.empty());
    const auto& [told, mask] = adapter.told.back();
    ibv_qp_attr wanted = {};
    wanted.path_mig_state = IBV_MIG_REARM;
    wanted.alt_ah_attr.dlid = path.dlid;
    wanted.alt_ah_attr.sl = path.sl;
    wanted.alt_ah_attr.src_path_bits = path.src_path_bits;
    wanted.alt_ah_attr.static_rate = path.static_rate;
    wanted.alt_ah_attr.port_num = path.port_num;
    wanted.alt_pkey_index = 7;
    wanted.alt_port_num = path.port_num;
    wanted.alt_timeout = path.timeout;
    EXPECT_EQ(mask, IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE);
    EXPECT_EQ(std::memcmp(&told, &wanted, sizeof told), 0);
  }

  ibv_context context_ = {};
  ibv_qp qp_ = {};
  selvedge_apm apm_ = {};
  std::array<char, 200> why_{};
};

TEST_F(Migration, LoadsTheAlternateAndArms) {
  ASSERT_EQ(start(), 0) << why_.data();
  ASSERT_EQ(adapter.told.size(), 1U);
  loaded(kSecond);
}

TEST_F(Migration, AfterAMigrationThePathsHaveChangedPlacesAndItIsArmedAgain) {
  ASSERT_EQ(start(), 0);
  EXPECT_EQ(event(IBV_EVENT_PATH_MIG, &qp_), 1);
  loaded(kFirst);
  EXPECT_EQ(event(IBV_EVENT_PATH_MIG, &qp_), 1);
  loaded(kSecond);
  EXPECT_EQ(apm_.migrations, 2U);
  EXPECT_EQ(selvedge_apm_load(&apm_, &kThird, nullptr, 0), 0);
  loaded(kThird);
  EXPECT_EQ(event(IBV_EVENT_PATH_MIG, &qp_), 1);
  loaded(kFirst);
  EXPECT_EQ(apm_.primary.dlid, kThird.dlid);
}

TEST_F(Migration, OtherEventsChangeNothing) {
  ASSERT_EQ(start(), 0);
  ibv_qp other = qp_;
  EXPECT_EQ(event(IBV_EVENT_PATH_MIG, &other), 0);
  EXPECT_EQ(event(IBV_EVENT_PATH_MIG_ERR, &other), 0);
  EXPECT_EQ(event(IBV_EVENT_COMM_EST, &qp_), 0);
  EXPECT_EQ(event(IBV_EVENT_PATH_MIG_ERR, &qp_), -EIO);
  EXPECT_EQ(adapter.told.size(), 1U);
  EXPECT_EQ(apm_.primary.dlid, kFirst.dlid);
}

TEST_F(Migration, WhatCannotMigrateIsSaidBeforeAnythingIsLoaded) {
  EXPECT_EQ(start(kFirst), -EINVAL);
  adapter.state = IBV_QPS_RTR;
  EXPECT_EQ(start(), -ENOTCONN);
  adapter = {};
  adapter.capabilities = 0;
  EXPECT_EQ(start(), -EOPNOTSUPP);
  EXPECT_STREQ(why_.data(), "the adapter has no automatic path migration");
  adapter = {};
  adapter.link_layer = IBV_LINK_LAYER_ETHERNET;
  EXPECT_EQ(start(), -EOPNOTSUPP);
  EXPECT_STREQ(why_.data(), "port 1 is RoCE, which has no automatic path migration");
  adapter = {};
  qp_.qp_type = IBV_QPT_UC;
  EXPECT_EQ(start(), -EINVAL);
  EXPECT_EQ(selvedge_apm_start(&apm_, nullptr, &kFirst, &kSecond, nullptr, 0), -EINVAL);
  EXPECT_EQ(selvedge_apm_load(&apm_, &kThird, nullptr, 0), -EINVAL);  // not started
  EXPECT_TRUE(adapter.told.empty());
}

TEST_F(Migration, ARefusalOfTheAdapterIsPassedOn) {
  adapter.refuses = ENOMEM;
  EXPECT_EQ(start(), -ENOMEM);
  EXPECT_TRUE(std::string(why_.data()).starts_with("ibv_modify_qp refuses")) << why_.data();
  EXPECT_EQ(apm_.qp, nullptr);
  adapter.refuses = -1;
  errno = EPERM;
  EXPECT_EQ(start(), -EPERM);
}

TEST_F(Migration, AReasonIsCutToItsBuffer) {
  std::array<char, 4> small{'x', 'x', 'x', 'x'};
  EXPECT_EQ(selvedge_apm_load(&apm_, &kThird, small.data(), 3), -EINVAL);
  EXPECT_STREQ(small.data(), "no");
  EXPECT_EQ(small[3], 'x');
}

bool equal(const selvedge_apm_path& a, const selvedge_apm_path& b) {
  return a.dlid == b.dlid && a.src_path_bits == b.src_path_bits && a.sl == b.sl &&
         a.static_rate == b.static_rate && a.port_num == b.port_num && a.timeout == b.timeout;
}

RC_GTEST_PROP(ApmPaths, ALineIsReadBack, ()) {
  const auto number = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
  const int dlid = number(1, 0xbfff), bits = number(0, 127), sl = number(0, 15),
            rate = number(0, 63), port = number(1, 255), timeout = number(0, 31);
  const bool primary = *rc::gen::arbitrary<bool>();
  const auto field = [](const char* name, int value) {
    return std::string(" ") + name + "=" + std::to_string(value);
  };
  const std::string line = std::string(primary ? "  primary " : "  alternate ") +
                           field("dlid", dlid) + field("src_path_bits", bits) + field("sl", sl) +
                           field("static_rate", rate) + field("port_num", port) +
                           field("timeout", timeout) + "\n";
  selvedge_apm_path path = {};
  RC_ASSERT(selvedge_apm_parse(line.c_str(), &path, nullptr, 0) ==
            (primary ? SELVEDGE_APM_PRIMARY : SELVEDGE_APM_ALTERNATE));
  const selvedge_apm_path wanted{
      static_cast<std::uint16_t>(dlid), static_cast<std::uint8_t>(bits),
      static_cast<std::uint8_t>(sl),    static_cast<std::uint8_t>(rate),
      static_cast<std::uint8_t>(port),  static_cast<std::uint8_t>(timeout)};
  RC_ASSERT(equal(path, wanted));
}

TEST(ApmPaths, WrongLinesAreRefused) {
  const std::string rest = " src_path_bits=0 sl=0 static_rate=0 port_num=1 timeout=19";
  std::array<char, 200> why{};
  selvedge_apm_path path{1, 2, 3, 4, 5, 6};
  const auto refused = [&](const std::string& line) {
    EXPECT_EQ(selvedge_apm_parse(line.c_str(), &path, why.data(), why.size()), -EINVAL) << line;
    EXPECT_EQ(path.dlid, 1);
    return std::string(why.data());
  };
  refused("");
  refused("# primary: S-0-0");
  EXPECT_EQ(refused("primary" + rest), "dlid is missing");
  EXPECT_EQ(refused("primary dlid=0" + rest), "dlid is no number from 1 to 49151");
  refused("primary dlid=49152" + rest);
  refused("primary dlid=" + rest);
  refused("primary dlid=-1" + rest);
  refused("primary dlid=5x" + rest);
  refused("primary dlid=99999999999" + rest);
  EXPECT_EQ(refused("primary dlid=5 dlid=5" + rest), "dlid is given twice");
  refused("primary dlid=5 mtu=4" + rest);
  refused("primary dlid" + rest);
  EXPECT_EQ(selvedge_apm_parse(nullptr, &path, nullptr, 0), -EINVAL);
}

TEST(ApmPaths, ARecordIsRead) {
  std::array<unsigned char, 64> record{};
  record[40] = 0x12, record[41] = 0x34;  // DLID
  record[42] = 0x01, record[43] = 0x03;  // SLID
  record[53] = 0xf9;                     // a QoS class above the SL
  record[55] = 0x80 | 7;                 // exactly 40 Gbit/s
  record[56] = 0x80 | 18;
  selvedge_apm_path path = {};
  ASSERT_EQ(selvedge_apm_from_record(record.data(), 0x100, 2, 2, &path, nullptr, 0), 0);
  EXPECT_TRUE(equal(path, {0x1234, 3, 9, 7, 2, 19}));
  record[56] = 0x80 | 63;
  ASSERT_EQ(selvedge_apm_from_record(record.data(), 0x100, 2, 2, &path, nullptr, 0), 0);
  EXPECT_EQ(path.timeout, 31);
  EXPECT_EQ(selvedge_apm_from_record(record.data(), 0x100, 1, 2, &path, nullptr, 0), -EINVAL);
  EXPECT_EQ(selvedge_apm_from_record(record.data(), 0x104, 2, 2, &path, nullptr, 0), -EINVAL);
  EXPECT_EQ(selvedge_apm_from_record(record.data(), 0x100, 2, 0, &path, nullptr, 0), -EINVAL);
  record[40] = 0xc0;
  EXPECT_EQ(selvedge_apm_from_record(record.data(), 0x100, 2, 2, &path, nullptr, 0), -EINVAL);
}

}  // namespace
