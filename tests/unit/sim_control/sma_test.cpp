// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The subnet management agent (sim/control/sma.hpp), attribute by attribute, compared with bytes
// laid out as in IBA 1.3 §14.2.5. The switch has 4 ports, the adapter 2.
#include "sim/control/sma.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace selvedge::sim {
namespace {

namespace attr = smp_attribute;
using Status = SmpStatus;

NodeModel switch_model() {
  NodeModel m;
  m.ports = 4;
  m.guid = 0x0002c90300abcdef;
  m.description = "leaf-01";
  return m;
}
NodeModel adapter_model() {
  NodeModel m;
  m.is_switch = false;
  m.ports = 2;
  m.guid = 0x0002c90300000010;
  m.description = "node-7 HCA-1";
  m.port_guids = {0, 0x0002c90300000011, 0x0002c90300000012};
  m.rates = {{}, LinkRate{4, 7}, LinkRate{4, 4}};  // HDR, FDR10
  return m;
}

struct Reply {
  Status status;
  Attribute data;
  SmaChange change;
};

struct Agent {
  explicit Agent(NodeModel model) : sma(std::move(model)) {}

  Reply ask(std::uint8_t method, std::uint16_t attribute, std::uint32_t modifier, Attribute data) {
    Reply r{Status::kGood, data, {}};
    SmaRequest q{method, attribute, modifier, m_key, arrival, now_ms};
    r.status = sma.execute(q, r.data.data(), r.change);
    return r;
  }
  Reply get(std::uint16_t attribute, std::uint32_t modifier = 0) {
    return ask(mad_method::kGet, attribute, modifier, {});
  }
  Reply set(std::uint16_t attribute, std::uint32_t modifier, const Attribute& data) {
    return ask(mad_method::kSet, attribute, modifier, data);
  }
  /// Reads PortInfo, lets `edit` change it with PortState "no change", writes it.
  template <class Edit>
  Reply edit_port(std::uint32_t number, Edit edit) {
    Attribute info = get(attr::kPortInfo, number).data;
    info[32] &= 0xf0;
    info[33] &= 0x0f;
    edit(info);
    return set(attr::kPortInfo, number, info);
  }
  Reply set_state(std::uint32_t number, unsigned state) {
    return edit_port(number,
                     [&](Attribute& i) { i[32] = static_cast<std::uint8_t>(i[32] | state); });
  }

  Sma sma;
  std::uint64_t m_key = 0;
  PortNum arrival = 1;
  std::uint64_t now_ms = 0;
};

std::string text(const std::uint8_t* p) { return reinterpret_cast<const char*>(p); }

TEST(SmaNode, NodeInfoOfASwitch) {
  Agent a(switch_model());
  a.arrival = 3;
  const Reply r = a.get(attr::kNodeInfo);
  EXPECT_EQ(r.status, Status::kGood);
  const Attribute expected = {1, 1,    2,    4,                          // versions, type, ports
                              0, 0x02, 0xc9, 0x03, 0, 0xab, 0xcd, 0xef,  // SystemImageGUID
                              0, 0x02, 0xc9, 0x03, 0, 0xab, 0xcd, 0xef,  // NodeGUID
                              0, 0x02, 0xc9, 0x03, 0, 0xab, 0xcd, 0xef,  // PortGUID
                              0, 8,    0,    0,                          // PartitionCap, DeviceID
                              0, 0,    0,    0xa1,                       // Revision
                              3, 0,    0,    0};                         // LocalPortNum, VendorID
  EXPECT_EQ(r.data, expected);
}

TEST(SmaNode, NodeInfoOfAnAdapterNamesThePortOfArrival) {
  Agent a(adapter_model());
  a.arrival = 2;
  const Attribute data = a.get(attr::kNodeInfo).data;
  EXPECT_EQ(data[2], 1);
  EXPECT_EQ(data[3], 2);
  EXPECT_EQ(get64(&data[12]), 0x0002c90300000010U);
  EXPECT_EQ(get64(&data[20]), 0x0002c90300000012U);
  EXPECT_EQ(get16(&data[28]), 64);
  EXPECT_EQ(data[36], 2);
}

TEST(SmaNode, NodeDescriptionIsCutAt64BytesAndCannotBeSet) {
  NodeModel m = switch_model();
  EXPECT_EQ(text(Agent(m).get(attr::kNodeDescription).data.data()), "leaf-01");
  m.description = std::string(70, 'x');
  Agent a(m);
  EXPECT_EQ(a.get(attr::kNodeDescription).data[63], 'x');
  EXPECT_EQ(a.set(attr::kNodeDescription, 0, {}).status, Status::kUnsupportedAttribute);
  EXPECT_EQ(a.set(attr::kNodeInfo, 0, {}).status, Status::kUnsupportedAttribute);
}

TEST(SmaNode, RefusesWhatItDoesNotServe) {
  Agent a(switch_model()), h(adapter_model());
  for (const std::uint16_t attribute : {0x0002, 0x0020, 0x0030, 0x0031, 0x1234})
    EXPECT_EQ(a.get(attribute).status, Status::kUnsupportedAttribute);
  for (const std::uint16_t attribute : {0x0012, 0x0019, 0x001b})
    EXPECT_EQ(h.get(attribute).status, Status::kUnsupportedAttribute);
  EXPECT_EQ(a.ask(0x06, attr::kNodeInfo, 0, {}).status, Status::kUnsupportedMethod);
}

TEST(SmaSwitchInfo, CapacitiesAndPortStateChange) {
  Agent a(switch_model());
  Reply r = a.get(attr::kSwitchInfo);
  EXPECT_EQ(get16(&r.data[0]), 0xc000);
  EXPECT_EQ(get16(&r.data[4]), 1024);
  EXPECT_EQ(get16(&r.data[14]), 64);
  EXPECT_EQ(r.data[16], 0x30);
  EXPECT_EQ(r.data[11], 0);

  a.sma.link(2, true);
  EXPECT_EQ(a.get(attr::kSwitchInfo).data[11], 4);
  Attribute info = a.get(attr::kSwitchInfo).data;
  put16(&info[6], 77);
  info[11] = 0x12 << 3U;  // LifeTimeValue, and no 1 in PortStateChange: it stays
  r = a.set(attr::kSwitchInfo, 0, info);
  EXPECT_EQ(r.change.what, SmaChange::What::kSwitchInfo);
  EXPECT_EQ(r.change.bits, switch_change::kLftTop | switch_change::kPacketLife);
  EXPECT_EQ(r.data[11], (0x12 << 3U) | 4);
  EXPECT_EQ(a.set(attr::kSwitchInfo, 0, info).change.what, SmaChange::What::kNothing);
  info[11] = 0x13 << 3U;
  EXPECT_EQ(a.set(attr::kSwitchInfo, 0, info).change.bits, switch_change::kPacketLife);
  info[11] = 0x12 << 3U;
  info[11] |= 4;
  EXPECT_EQ(a.set(attr::kSwitchInfo, 0, info).data[11], 0x12 << 3U);
  EXPECT_EQ(a.sma.packet_life(), 0x12U);
  put16(&info[6], 0xc000);
  EXPECT_EQ(a.set(attr::kSwitchInfo, 0, info).status, Status::kInvalidValue);
}

TEST(SmaPortInfo, AsAPortBegins) {
  Agent a(switch_model());
  const Attribute down = a.get(attr::kPortInfo, 1).data;
  EXPECT_EQ(down[32], 0x71);  // LinkSpeedSupported 2.5, 5 and 10 Gbps; PortState Down
  EXPECT_EQ(down[33], 0x22);  // PortPhysicalState and LinkDownDefaultState: Polling
  a.sma.link(1, true);
  const Attribute up = a.get(attr::kPortInfo, 1).data;
  EXPECT_EQ(up[32], 0x72);
  EXPECT_EQ(up[33], 0x52);
  EXPECT_EQ(up[28], 1);        // LocalPortNum: by which the SMP came
  EXPECT_EQ(up[30], 0x1f);     // all widths
  EXPECT_EQ(up[31], 2);        // 4x
  EXPECT_EQ(up[36], 4 << 4U);  // NeighborMTU 2048
  EXPECT_EQ(up[37], 4 << 4U);  // VLCap: VL 0…7
  EXPECT_EQ(up[39], 8);
  EXPECT_EQ(up[40], 8);
  EXPECT_EQ(up[41], 4);
  EXPECT_EQ(up[43], 4 << 4U);
  const Attribute management = a.get(attr::kPortInfo, 0).data;
  EXPECT_EQ(management[32], 0x74);
  EXPECT_EQ(get32(&management[20]), 0xc048U);
  EXPECT_EQ(a.get(attr::kPortInfo, 5).status, Status::kInvalidValue);
  EXPECT_EQ(a.get(attr::kPortInfo, 0x80000001).status, Status::kGood);  // SMSupportExtendedSpeeds
}

TEST(SmaPortInfo, RatesOfACable) {
  Agent a(adapter_model());
  const Attribute hdr = a.get(attr::kPortInfo, 1).data;
  EXPECT_EQ(hdr[35] >> 4U, 4);  // 10 Gbps under the extended speed
  EXPECT_EQ(hdr[62], 4 << 4U | 7);
  EXPECT_EQ(hdr[63], 7);
  a.arrival = 2;
  EXPECT_EQ(a.get(attr::kMellanoxExtPortInfo, 2).data[15], 1);  // FDR10 active
  EXPECT_EQ(a.get(attr::kPortInfo, 2).data[62], 0);
}

TEST(SmaPortInfo, StatesFollowEachOther) {
  Agent a(switch_model());
  EXPECT_EQ(a.set_state(1, 3).status, Status::kInvalidValue);  // no link
  EXPECT_EQ(a.set_state(1, 1).status, Status::kGood);          // the port is Down already
  a.sma.link(1, true);
  EXPECT_EQ(a.set_state(1, 4).status, Status::kInvalidValue);  // Armed comes first
  EXPECT_EQ(a.set_state(1, 2).status, Status::kInvalidValue);  // only a link event leads to Init
  const Reply armed = a.set_state(1, 3);
  EXPECT_EQ(armed.status, Status::kGood);
  EXPECT_EQ(armed.change.bits, port_change::kState);
  EXPECT_EQ(armed.data[32] & 0xf, 3);
  EXPECT_EQ(a.set_state(1, 3).change.bits, 0);  // no change
  EXPECT_EQ(a.set_state(1, 4).data[32] & 0xf, 4);
  EXPECT_EQ(a.set_state(1, 3).status, Status::kInvalidValue);
  EXPECT_EQ(a.set_state(1, 0).data[32] & 0xf, 4);
  EXPECT_EQ(a.set_state(1, 1).change.bits, port_change::kState | port_change::kRetrain);
  a.sma.link(1, false);
  EXPECT_EQ(a.sma.port(1).state(), PortState::kDown);
}

TEST(SmaPortInfo, APortIsDisabledAndEnabled) {
  Agent a(switch_model());
  a.sma.link(1, true);
  Reply r = a.edit_port(1, [](Attribute& i) { i[33] |= 3 << 4U, i[32] |= 1; });
  EXPECT_TRUE(r.change.bits & port_change::kDisable);
  EXPECT_EQ(r.data[33] >> 4U, 3);
  EXPECT_EQ(r.data[32] & 0xf, 1);
  a.sma.link(1, false);  // a link event does not make a disabled port poll
  EXPECT_EQ(a.sma.port(1).physical(), PhysicalState::kDisabled);
  r = a.edit_port(1, [](Attribute& i) { i[33] |= 2 << 4U; });
  EXPECT_TRUE(r.change.bits & port_change::kEnable);
}

TEST(SmaPortInfo, FieldsThatASetWrites) {
  Agent a(adapter_model());
  a.sma.link(1, true);
  const Reply r = a.edit_port(0, [](Attribute& i) {
    put64(&i[8], 0xfe80000000000000);
    put16(&i[16], 0x124);
    put16(&i[18], 7);
    i[34] = 2;     // LMC
    i[36] = 0x35;  // NeighborMTU 1024, SM's SL 5
    i[38] = 9;
    i[42] = 0x65;       // VLStallCount 3, HOQLife 5
    i[43] = 3 << 4U;    // VL 0…3
    i[29] = 0xff;       // all widths
    i[35] |= 0xf;       // all speeds
    i[51] = 0x80 | 18;  // ClientReregister is not kept
  });
  ASSERT_EQ(r.status, Status::kGood);
  const PortAttributes& p = a.sma.port(1);
  EXPECT_EQ(p.lid(), 0x124);
  EXPECT_EQ(p.sm_lid(), 7);
  EXPECT_EQ(p.lmc(), 2U);
  EXPECT_TRUE(p.owns(0x127));
  EXPECT_FALSE(p.owns(0x128));
  EXPECT_EQ(p.sm_sl(), 5);
  EXPECT_EQ(p.vl_high_limit(), 9U);
  EXPECT_EQ(p.hoq_life(), 5U);
  EXPECT_EQ(p.vl_stall(), 3U);
  EXPECT_EQ(p.operational_vls(), 3U);
  EXPECT_EQ(p.width_enabled(), 0x1fU);
  EXPECT_EQ(p.speed_enabled(), 7U);
  EXPECT_EQ(p.subnet_timeout(), 18U);
  EXPECT_EQ(r.data[51], 18);
  EXPECT_EQ(r.change.bits, port_change::kLid | port_change::kVls | port_change::kHoqLife |
                               port_change::kVlHighLimit | port_change::kReregister);
  EXPECT_EQ(p.usable_widths(), 3U);  // the cable's 4x and 1x
}

/// How a manager says that what it told the port's clients may no longer hold.
TEST(SmaPortInfo, ClientsRegisterAgain) {
  Agent a(adapter_model());
  const auto bits = [&](auto edit) { return a.edit_port(1, edit).change.bits; };
  EXPECT_EQ(bits([](Attribute& i) { put16(&i[18], 7); }), port_change::kReregister);  // SM's LID
  EXPECT_EQ(bits([](Attribute& i) { put16(&i[18], 7); }), 0);
  EXPECT_EQ(bits([](Attribute& i) { i[36] = static_cast<std::uint8_t>((i[36] & 0xf0) | 3); }),
            port_change::kReregister);  // its SL
  EXPECT_EQ(bits([](Attribute& i) { i[51] |= 0x80; }), port_change::kReregister);
  EXPECT_EQ(a.get(attr::kPortInfo, 1).data[51] & 0x80, 0);  // ClientReregister acts at once
  EXPECT_EQ(bits([](Attribute&) {}), 0);
  Agent external(switch_model());
  EXPECT_EQ(external.edit_port(1, [](Attribute& i) { i[51] |= 0x80; }).change.bits, 0);
}

TEST(SmaPortInfo, RefusesBadValuesWhole) {
  Agent a(adapter_model());
  a.sma.link(1, true);
  const Attribute before = a.get(attr::kPortInfo, 1).data;
  const auto bad = [&](auto edit) {
    const Reply r = a.edit_port(1, edit);
    EXPECT_EQ(r.status, Status::kInvalidValue);
    EXPECT_EQ(a.get(attr::kPortInfo, 1).data, before);
  };
  bad([](Attribute& i) { put16(&i[16], 0xc000); });  // a multicast LID
  // The last LID of the range is multicast.
  bad([](Attribute& i) { put16(&i[16], 0xbffe), i[34] = 7; });
  bad([](Attribute& i) { put16(&i[18], 0xffff); });
  bad([](Attribute& i) { i[36] = 5 << 4U; });  // beyond MTUCap
  bad([](Attribute& i) { i[43] = 5 << 4U; });  // beyond VLCap
  bad([](Attribute& i) { i[29] = 0x20; });     // a width that is not supported
  bad([](Attribute& i) { i[35] = static_cast<std::uint8_t>((i[35] & 0xf0) | 8); });
  bad([](Attribute& i) { i[33] |= 5 << 4U; });
  EXPECT_EQ(a.set_state(2, 1).status, Status::kInvalidValue);  // not the port of arrival
}

TEST(SmaTables, Lft) {
  Agent a(switch_model());
  EXPECT_EQ(a.get(attr::kLinearForwarding, 5).data[0], 0xff);
  Attribute block;
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<std::uint8_t>(i % 5);
  const Reply r = a.set(attr::kLinearForwarding, 5, block);
  EXPECT_EQ(r.data, block);
  EXPECT_EQ(r.change.what, SmaChange::What::kLftBlock);
  EXPECT_EQ(r.change.block, 5);
  EXPECT_EQ(a.get(attr::kLinearForwarding, 5).data, block);
  EXPECT_EQ(a.get(attr::kLinearForwarding, 4).data[63], 0xff);
  EXPECT_EQ(a.sma.lft(5 * 64 + 3), 3);
  EXPECT_EQ(a.sma.lft(0xbfff), kNoPort);
  EXPECT_EQ(a.sma.forward(5 * 64 + 3), kNoPort);  // beyond LinearFDBTop
  EXPECT_EQ(a.get(attr::kLinearForwarding, 767).status, Status::kGood);
  EXPECT_EQ(a.get(attr::kLinearForwarding, 768).status, Status::kInvalidValue);
  a.sma.restart();
  EXPECT_EQ(a.sma.lft(5 * 64 + 3), kNoPort);
}

TEST(SmaTables, Mft) {
  NodeModel m = switch_model();
  m.ports = 36;
  Agent a(m);
  Attribute block{};
  put16(&block[2 * 7], 1U << 3U);  // MLID 0xc007, port 16 + 3
  EXPECT_EQ(a.set(attr::kMulticastForwarding, 1U << 28U, block).status, Status::kGood);
  EXPECT_TRUE(a.sma.multicast(0xc007, 19));
  EXPECT_FALSE(a.sma.multicast(0xc007, 3));
  EXPECT_FALSE(a.sma.multicast(0xc027, 19));
  EXPECT_EQ(a.get(attr::kMulticastForwarding, 1U << 28U).data, block);
  EXPECT_EQ(a.get(attr::kMulticastForwarding, 3U << 28U).data, Attribute{});  // no such ports
}

TEST(SmaTables, Sl2Vl) {
  Agent a(switch_model());
  const Reply first = a.get(attr::kSl2Vl, 1U << 8U | 2);
  EXPECT_EQ(get64(first.data.data()), 0x0123456789abcde7U);
  Attribute row{};
  put64(row.data(), 0x0011223344556677);
  const Reply r = a.set(attr::kSl2Vl, 1U << 8U | 2, row);
  EXPECT_EQ(r.change.what, SmaChange::What::kSl2Vl);
  EXPECT_EQ(r.change.in, 1);
  EXPECT_EQ(r.change.port, 2);
  EXPECT_EQ(a.sma.sl2vl(1, 2)[3], 1);
  EXPECT_EQ(a.sma.sl2vl(2, 1)[3], 3);
  EXPECT_EQ(a.get(attr::kSl2Vl, 5U << 8U).status, Status::kInvalidValue);
}

TEST(SmaTables, VlArbitration) {
  Agent a(switch_model());
  const Reply low = a.get(attr::kVlArbitration, 1U << 16U | 2);
  EXPECT_EQ(low.data[0], 0);
  EXPECT_EQ(low.data[1], 0);
  EXPECT_EQ(low.data[2], 1);
  EXPECT_EQ(low.data[3], 4);
  EXPECT_EQ(low.data[16], 0);  // 8 entries
  EXPECT_EQ(a.get(attr::kVlArbitration, 2U << 16U | 2).status, Status::kInvalidValue);
  Attribute table{};
  table[0] = 3, table[1] = 200;
  EXPECT_EQ(a.set(attr::kVlArbitration, 3U << 16U | 2, table).change.port, 2);
  EXPECT_EQ(a.sma.arbitration(2, true)[1], 200);
  EXPECT_EQ(a.sma.arbitration(2, false)[3], 4);
  EXPECT_EQ(a.get(attr::kVlArbitration, 5U << 16U).status, Status::kInvalidValue);
  EXPECT_EQ(a.get(attr::kVlArbitration, 0).status, Status::kInvalidValue);
}

TEST(SmaTables, PKeysAndGuids) {
  Agent a(adapter_model());
  EXPECT_EQ(get16(a.get(attr::kPKeyTable).data.data()), 0xffff);
  Attribute keys{};
  put16(&keys[2], 0x8001);
  a.set(attr::kPKeyTable, 1, keys);
  EXPECT_EQ(a.get(attr::kPKeyTable, 1).data, keys);
  EXPECT_EQ(a.get(attr::kPKeyTable, 2).status, Status::kInvalidValue);
  Agent s(switch_model());
  EXPECT_EQ(s.get(attr::kPKeyTable, 1).status, Status::kInvalidValue);  // port 0 has 8
  EXPECT_EQ(s.get(attr::kPKeyTable, 2U << 16U | 1).status, Status::kGood);

  Attribute guids{};
  put64(&guids[0], 1);
  put64(&guids[8], 2);
  const Attribute kept = a.set(attr::kGuidInfo, 0, guids).data;
  EXPECT_EQ(get64(&kept[0]), 0x0002c90300000011U);  // the port's own stays
  EXPECT_EQ(get64(&kept[8]), 2U);
  EXPECT_EQ(a.get(attr::kGuidInfo, 4).status, Status::kInvalidValue);
}

// IBA 1.3 §14.2.4: what a request with a wrong M_Key may do, for each value of the protect bits.
TEST(SmaMKey, ProtectBits) {
  for (unsigned bits = 0; bits < 4; ++bits) {
    Agent a(switch_model());
    ASSERT_EQ(a.edit_port(0,
                          [&](Attribute& i) {
                            put64(&i[0], 0x1234);
                            put16(&i[26], 0);
                            i[34] = static_cast<std::uint8_t>(bits << 6U);
                          })
                  .status,
              Status::kGood);
    const Reply r = a.get(attr::kPortInfo, 0);
    EXPECT_EQ(r.status, bits <= 1 ? Status::kGood : Status::kNoAnswer) << bits;
    if (bits <= 1) {
      EXPECT_EQ(get64(r.data.data()), bits == 0 ? 0x1234U : 0U);
    }
    EXPECT_EQ(a.set(attr::kLinearForwarding, 0, {}).status, Status::kNoAnswer) << bits;
    a.m_key = 0x1234;
    const Reply own = a.get(attr::kPortInfo, 0);
    EXPECT_EQ(get64(own.data.data()), 0x1234U);
    EXPECT_EQ(get16(&own.data[44]), bits <= 1 ? 1 : 2);  // violations
  }
}

TEST(SmaMKey, TheLeaseRunsOut) {
  Agent a(switch_model());
  a.edit_port(0, [](Attribute& i) {
    put64(&i[0], 0x1234);
    put16(&i[26], 5);
    i[34] = 2 << 6U;
  });
  EXPECT_EQ(a.get(attr::kPortInfo, 0).status, Status::kNoAnswer);  // starts the lease
  a.now_ms = 4'900;
  EXPECT_EQ(a.get(attr::kPortInfo, 0).status, Status::kNoAnswer);
  a.now_ms = 5'100;
  EXPECT_EQ(a.get(attr::kPortInfo, 0).status, Status::kGood);
}

// Whatever request comes, the agent answers with a defined status, and a Get changes nothing.
RC_GTEST_PROP(SmaProperty, AnyRequestIsAnswered, ()) {
  Agent a(*rc::gen::arbitrary<bool>() ? switch_model() : adapter_model());
  for (unsigned p = 1; p <= a.sma.num_ports(); ++p) a.sma.link(static_cast<PortNum>(p), true);
  const auto requests =
      *rc::gen::container<std::vector<std::tuple<bool, std::uint8_t, std::uint32_t>>>(
          rc::gen::tuple(rc::gen::arbitrary<bool>(), rc::gen::inRange<std::uint8_t>(0x10, 0x22),
                         rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, 6),
                                        rc::gen::arbitrary<std::uint32_t>())));
  for (const auto& [set, attribute, modifier] : requests) {
    Attribute data;
    const auto bytes =
        *rc::gen::container<std::vector<std::uint8_t>>(64, rc::gen::arbitrary<std::uint8_t>());
    std::ranges::copy(bytes, data.begin());
    const Reply r = set ? a.set(attribute, modifier, data) : a.get(attribute, modifier);
    RC_ASSERT(set || r.change.what == SmaChange::What::kNothing);
    if (r.status == Status::kGood && !set) {
      RC_ASSERT(a.get(attribute, modifier).data == r.data);
    }
    for (unsigned p = 1; p <= a.sma.num_ports(); ++p) {
      const unsigned state = static_cast<unsigned>(a.sma.port(static_cast<PortNum>(p)).state());
      RC_ASSERT(state >= 1 && state <= 4);
    }
  }
}

}  // namespace
}  // namespace selvedge::sim
