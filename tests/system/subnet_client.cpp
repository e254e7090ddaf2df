// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Sends MADs into a subnet as a host may, or as an intruder would. System tests run this program on
// a simulated host (libumad2sim behind libibumad, SIM_HOST):
//
//   subnet_client join|leave [MGID]
//       Joins or leaves a multicast group as a full member: Set or Delete(MCMemberRecord) to the
//       SA. Without an MGID the group is the IPoIB broadcast group that OpenSM creates. Prints "ok"
//       and the group's MLID.
//   subnet_client entry SWITCH_LID DLID PORT
//       Changes one LFT entry of a switch, without the SM's knowledge. Prints "ok".
//   subnet_client ports
//       Reads lines "SWITCH_LID DLID", asks each switch for its LFT, and prints the port; one line
//       for each. (dump_fts leaves out a last LID that is a multiple of 64.)
//   subnet_client sls
//       Reads lines "SLID DLID", asks the SA for the path record of each pair, and prints its SL,
//       or "none" if there is no record; one line for each pair.
//   subnet_client rate OUTSTANDING COUNT
//       Sends COUNT Get(NodeInfo) over one link, at most OUTSTANDING of them unanswered at a time.
//       Prints how many were answered per second.
//   subnet_client traps COUNT
//       Sends COUNT traps to the SM, in turn number 128 and 144; their issuer LIDs are 1 to 60 in
//       turn. Prints "ok".
//
// After an error the exit status is 1, and a line on standard error says what failed.
#include <arpa/inet.h>
#include <infiniband/umad.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kTimeoutMs = 2000;
constexpr int kRetries = 3;
constexpr std::uint8_t kGet = 1, kSet = 2, kTrap = 5, kDelete = 0x15;
constexpr std::uint8_t kSmpClass = 0x01, kDirectedClass = 0x81, kSaClass = 0x03;
constexpr std::uint16_t kPathRecord = 0x0035;
constexpr std::uint16_t kNotice = 0x0002, kLft = 0x0019, kMcMemberRecord = 0x0038;
constexpr std::size_t kSmpData = 64, kSaData = 56;  // offsets into the MAD
constexpr std::size_t kSaComponentMask = 48;
constexpr std::uint32_t kQp1Key = 0x80010000;

using Mad = std::array<std::uint8_t, 256>;

template <class Number>
void put(Mad& mad, std::size_t at, Number value) {
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    mad[at + i] = static_cast<std::uint8_t>(value >> 8 * (sizeof(Number) - 1 - i));
}

unsigned get16(const Mad& mad, std::size_t at) { return mad[at] << 8u | mad[at + 1]; }

Mad request(std::uint8_t mgmt_class, std::uint8_t version, std::uint8_t method,
            std::uint16_t attribute, std::uint32_t modifier) {
  static std::uint64_t transaction = 0x5e1e0000;
  Mad mad{};
  mad[0] = 1;  // base version
  mad[1] = mgmt_class;
  mad[2] = version;
  mad[3] = method;
  put(mad, 8, ++transaction);
  put(mad, 16, attribute);
  put(mad, 20, modifier);
  return mad;
}

struct Refused : std::runtime_error {
  explicit Refused(unsigned status_)
      : std::runtime_error("refused with MAD status " + std::to_string(status_)), status(status_) {}
  unsigned status;
};

class Port {
 public:
  Port() {
    if (umad_init() != 0 || umad_get_port(nullptr, 0, &port_) != 0)
      throw std::runtime_error("no port");
    fd_ = umad_open_port(port_.ca_name, port_.portnum);
    if (fd_ < 0) throw std::runtime_error("cannot open the port");
  }
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;
  ~Port() {
    umad_close_port(fd_);
    umad_release_port(&port_);
    umad_done();
  }

  const umad_port_t& info() const { return port_; }

  int agent(int mgmt_class, int version) const {
    const int id = umad_register(fd_, mgmt_class, version, 0, nullptr);
    if (id < 0) throw std::runtime_error("cannot register an agent");
    return id;
  }

  void send(int agent, unsigned lid, unsigned qp, const Mad& mad, int timeout_ms) const {
    std::vector<std::uint8_t> packet(umad_size() + mad.size());
    umad_set_addr(packet.data(), static_cast<int>(lid), static_cast<int>(qp), 0,
                  qp == 0 ? 0 : static_cast<int>(kQp1Key));
    std::memcpy(umad_get_mad(packet.data()), mad.data(), mad.size());
    if (umad_send(fd_, agent, packet.data(), static_cast<int>(mad.size()), timeout_ms, kRetries) !=
        0)
      throw std::runtime_error("cannot send");
  }

  Mad ask(int agent, unsigned lid, unsigned qp, const Mad& mad) const {
    send(agent, lid, qp, mad, kTimeoutMs);
    return receive();
  }

  Mad receive() const {
    std::vector<std::uint8_t> packet(umad_size() + Mad{}.size());
    int length = static_cast<int>(Mad{}.size());
    if (umad_recv(fd_, packet.data(), &length, kTimeoutMs * (kRetries + 1)) < 0)
      throw std::runtime_error("no answer");
    if (const int status = umad_status(packet.data()); status != 0)
      throw std::runtime_error("no answer: status " + std::to_string(status));
    Mad answer{};
    std::memcpy(answer.data(), umad_get_mad(packet.data()), answer.size());
    constexpr unsigned kDirection = 0x8000;  // the D bit, which a directed-route answer has set
    if (const unsigned status = get16(answer, 4) & ~kDirection; status != 0) throw Refused(status);
    return answer;
  }

 private:
  umad_port_t port_{};
  int fd_ = -1;
};

void join(const Port& port, std::uint8_t method, const char* group) {
  Mad mad = request(kSaClass, 2, method, kMcMemberRecord, 0);
  constexpr std::uint64_t kMgid = 1, kPortGid = 2, kJoinState = 1u << 16;
  put(mad, kSaComponentMask, kMgid | kPortGid | kJoinState);
  if (inet_pton(AF_INET6, group, mad.data() + kSaData) != 1)
    throw std::runtime_error("an MGID is written like an IPv6 address");
  std::memcpy(mad.data() + kSaData + 16, &port.info().gid_prefix, 8);
  std::memcpy(mad.data() + kSaData + 24, &port.info().port_guid, 8);
  mad[kSaData + 48] = 1;  // join state: full member
  const Mad answer = port.ask(port.agent(kSaClass, 2), port.info().sm_lid, 1, mad);
  std::printf("ok 0x%04x\n", get16(answer, kSaData + 36));
}

/// All pairs are asked through one agent and one port. That allows thousands of questions a second;
/// running saquery for each pair would take minutes.
void ask_sls(const Port& port) {
  const int agent = port.agent(kSaClass, 2);
  constexpr std::uint64_t kDlid = 1u << 4, kSlid = 1u << 5, kNumbPath = 1u << 12;
  constexpr unsigned kNoRecords = 0x0300;
  constexpr std::size_t kDlidAt = 40, kSlidAt = 42, kNumbPathAt = 49, kSlAt = 53;
  unsigned slid = 0, dlid = 0;
  while (std::scanf("%u %u", &slid, &dlid) == 2) {
    Mad mad = request(kSaClass, 2, kGet, kPathRecord, 0);
    put(mad, kSaComponentMask, kDlid | kSlid | kNumbPath);
    put(mad, kSaData + kDlidAt, static_cast<std::uint16_t>(dlid));
    put(mad, kSaData + kSlidAt, static_cast<std::uint16_t>(slid));
    mad[kSaData + kNumbPathAt] = 1;
    Mad answer;
    try {
      answer = port.ask(agent, port.info().sm_lid, 1, mad);
    } catch (const Refused& e) {
      if (e.status != kNoRecords) throw;
      std::puts("none");
      continue;
    }
    if (get16(answer, kSaData + kDlidAt) != dlid || get16(answer, kSaData + kSlidAt) != slid)
      throw std::runtime_error("the record is of another pair");
    std::printf("%u\n", answer[kSaData + kSlAt] & 0xfu);
  }
}

void ask_ports(const Port& port) {
  const int agent = port.agent(kSmpClass, 1);
  unsigned switch_lid = 0, dlid = 0;
  while (std::scanf("%u %u", &switch_lid, &dlid) == 2) {
    const Mad block = port.ask(agent, switch_lid, 0, request(kSmpClass, 1, kGet, kLft, dlid / 64));
    std::printf("%u\n", static_cast<unsigned>(block[kSmpData + dlid % 64]));
  }
}

void change_entry(const Port& port, unsigned switch_lid, unsigned dlid, unsigned out) {
  const int agent = port.agent(kSmpClass, 1);
  Mad mad = port.ask(agent, switch_lid, 0, request(kSmpClass, 1, kGet, kLft, dlid / 64));
  mad[3] = kSet;
  mad[kSmpData + dlid % 64] = static_cast<std::uint8_t>(out);
  port.ask(agent, switch_lid, 0, mad);
  std::puts("ok");
}

void send_traps(const Port& port, unsigned count) {
  constexpr std::uint16_t kNodeInfo = 0x0011;
  constexpr unsigned kBurst = 20;
  const int agent = port.agent(kSmpClass, 1);
  // catch_up() asks the SM a question and waits for the answer, which comes after all traps that
  // were sent before. Without it ibsim may process this client's disconnect before traps that are
  // still under way. Also, ibsim and libumad2sim (in opensm) deadlock with some hundred traps under
  // way at once: ibsim keeps writing to opensm, and opensm, while it answers ibsim, holds the lock
  // that it needs for reading.
  const auto catch_up = [&] {
    port.ask(agent, port.info().sm_lid, 0, request(kSmpClass, 1, kGet, kNodeInfo, 0));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  for (unsigned i = 0; i < count; ++i) {
    const bool link = i % 2 == 0;
    Mad mad = request(kSmpClass, 1, kTrap, kNotice, 0);
    mad[kSmpData] = link ? 0x81 : 0x84;  // generic notice: urgent, or informational
    mad[kSmpData + 3] = link ? 2 : 1;    // producer type: switch, or channel adapter
    put(mad, kSmpData + 4, static_cast<std::uint16_t>(link ? 128 : 144));
    const auto issuer = static_cast<std::uint16_t>(1 + i % 60);
    put(mad, kSmpData + 6, issuer);
    put(mad, kSmpData + 10, issuer);
    port.send(agent, port.info().sm_lid, 0, mad, 0);
    if (i % kBurst == kBurst - 1) catch_up();
  }
  catch_up();
  std::puts("ok");
}

void measure_rate(const Port& port, unsigned outstanding, unsigned count) {
  constexpr std::uint16_t kNodeInfo = 0x0011;
  constexpr std::size_t kHopCount = 7, kDirectedLids = 32, kInitialPath = 128;
  const int agent = port.agent(kDirectedClass, 1);
  const auto begin = std::chrono::steady_clock::now();
  unsigned sent = 0, answered = 0;
  for (; answered < count; ++answered) {
    for (; sent < count && sent - answered < outstanding; ++sent) {
      Mad mad = request(kDirectedClass, 1, kGet, kNodeInfo, 0);
      mad[kHopCount] = 1;
      put(mad, kDirectedLids, std::uint32_t{0xffffffff});
      mad[kInitialPath + 1] = 1;
      port.send(agent, 0xffff, 0, mad, kTimeoutMs);
    }
    port.receive();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%.0f MADs/s\n", count / seconds.count());
}

unsigned number(const char* text) { return static_cast<unsigned>(std::strtoul(text, nullptr, 0)); }

}  // namespace

int main(int argc, char** argv) {
  constexpr const char* kBroadcast = "ff12:401b:ffff::ffff:ffff";
  const std::string verb = argc > 1 ? argv[1] : "";
  try {
    const Port port;
    if (verb == "join" || verb == "leave")
      join(port, verb == "join" ? kSet : kDelete, argc > 2 ? argv[2] : kBroadcast);
    else if (verb == "sls" && argc == 2)
      ask_sls(port);
    else if (verb == "ports" && argc == 2)
      ask_ports(port);
    else if (verb == "entry" && argc == 5)
      change_entry(port, number(argv[2]), number(argv[3]), number(argv[4]));
    else if (verb == "rate" && argc == 4)
      measure_rate(port, number(argv[2]), number(argv[3]));
    else if (verb == "traps" && argc == 3)
      send_traps(port, number(argv[2]));
    else
      throw std::runtime_error("see the head of subnet_client.cpp");
  } catch (const std::exception& e) {
    std::fprintf(stderr, "subnet_client: %s\n", e.what());
    return 1;
  }
}
