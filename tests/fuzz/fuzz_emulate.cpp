// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever clients send and whatever is typed at the console, the emulator does not crash, answers
// every request once, and still answers another client. Its capture of MADs consists of whole
// pcapng blocks. The input is a sequence of entries: a byte for the kind (a control message, a MAD
// as it is, a MAD whose header is made valid, time that passes; from 128 on a command), a byte for
// the client, two bytes of length, and that many bytes.
#include <algorithm>
#include <cstring>
#include <sstream>

#include "plugin/fabric/generators.hpp"
#include "sim/emulate/console.hpp"
#include "sim/emulate/hop_by_hop.hpp"
#include "tests/fuzz/die.hpp"

namespace {

using namespace selvedge;
using namespace selvedge::sim;

struct Box : ClientOutput {
  void deliver(ClientId c, const MadDatagram& d) override {
    if (c >= kMostClients) die("no such client");
    ++count;
    last = d;
  }
  std::size_t count = 0;
  MadDatagram last;
};

/// Checks that each block of a pcapng file ends with its length, and that the last block ends the
/// file.
void check_blocks(const std::string& file) {
  for (std::size_t at = 0; at < file.size();) {
    std::uint32_t length = 0, again = 0;
    if (at + 12 > file.size()) die("a block is cut off");
    std::memcpy(&length, &file[at + 4], sizeof length);
    if (length < 12 || length % 4 != 0 || length > file.size() - at) die("a block's length");
    std::memcpy(&again, &file[at + length - 4], sizeof again);
    if (again != length) die("a block's two lengths differ");
    at += length;
  }
}

const Fabric& fabric() {
  static const Fabric f = assign_lids(mesh({3}), 1);
  return f;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  EmulatedSubnet subnet(fabric(), true);
  HopByHop transport(subnet, 1);
  Box box;
  Core core(subnet, transport, transport, box, {}, 1);
  Console console(core);
  std::ostringstream recorded;
  MadCapture capture(recorded, subnet);
  core.capture_to(capture);
  std::string why;
  std::vector<ClientId> clients;
  for (std::uint32_t i = 0; i < 3; ++i)
    clients.push_back(
        core.connect({.id = 1 + i, .queue_pair = 0, .is_sm = i == 0, .node = {}}, why));

  for (std::size_t at = 0; at + 4 <= size;) {
    const bool command = data[at] >= 128;
    const unsigned kind = data[at] % 4;
    const ClientId c = clients[data[at + 1] % clients.size()];
    const std::size_t length =
        std::min<std::size_t>(data[at + 2] << 8 | data[at + 3], size - at - 4);
    const std::uint8_t* bytes = data + at + 4;
    at += 4 + length;
    if (command) {
      const std::string_view line(reinterpret_cast<const char*>(bytes), length);
      const Console::Reply reply = console.run(line);
      if (!reply.waiting && !reply.text.ends_with("ok\n") && !reply.text.starts_with("error: "))
        die("a reply without an end");
    } else if (kind == 0) {
      if (auto m = parse_control({bytes, length}, why)) {
        core.control(*m, why);
      } else if (length > 0) {
        ControlMessage made;
        std::memcpy(reinterpret_cast<std::uint8_t*>(&made) + 4, bytes,
                    std::min<std::size_t>(length, 76));
        if (made.type == ControlType::kConnect)
          core.connect(read_data<ClientInfo>(made), why);
        else
          core.control(made, why);
      }
    } else if (kind == 3) {
      core.set_now(core.now() + std::chrono::milliseconds(length));
      console.on_time();
      core.on_time();
    } else {
      MadDatagram d;
      if (length > 0)
        std::memcpy(reinterpret_cast<std::uint8_t*>(&d) + 0, bytes, std::min(length, sizeof d));
      if (kind == 2) {
        d.mad.bytes[0] = 1;
        d.mad.bytes[2] = 1;
        d.mad.bytes[7] &= 63;
        if (d.mad.directed() && (d.mad.bytes[32] & 1) == 0) {
          std::memset(&d.mad.bytes[32], 0xff, 4);
          d.mad.set_hop_pointer(0);
          d.mad.bytes[4] &= 0x7f;
        }
      }
      core.from_client(c, d);
    }
    core.subnet_changed();
  }
  // Every request ends: it is answered, or given up after its time-outs.
  for (unsigned i = 0; i < 200 && core.waiting() > 0; ++i) {
    core.set_now(core.now() + std::chrono::milliseconds(100));
    core.on_time();
  }
  if (core.waiting() > 0) die("a request is never given up");
  // By now ports may be disabled, and the agent of the client's own node may be locked by an M_Key.
  // A client must get an answer nevertheless, if only a time-out.
  const ClientId c = core.connect({.id = 99, .queue_pair = 0, .is_sm = 0, .node = {}}, why);
  MadDatagram d;
  d.dlid = d.slid = wire_lid(kPermissiveLid);
  d.mad.bytes[0] = d.mad.bytes[2] = 1;
  d.mad.bytes[1] = mad_class::kSubnetDirected;
  d.mad.bytes[3] = mad_method::kGet;
  d.mad.bytes[17] = smp_attribute::kNodeInfo;
  std::memset(&d.mad.bytes[32], 0xff, 4);
  const std::size_t before = box.count;
  core.from_client(c, d);
  for (unsigned i = 0; i < 20 && core.waiting() > 0; ++i) {
    core.set_now(core.now() + std::chrono::milliseconds(100));
    core.on_time();
  }
  if (core.waiting() > 0 || box.count == before) die("the other client is not served");
  check_blocks(recorded.str());
  return 0;
}
