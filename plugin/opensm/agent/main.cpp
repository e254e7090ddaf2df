// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The program `selvedge-smp-agent PORT_GUID`, which sends the plugin's SMPs. It reads requests from
// descriptor 3 (agent_socket.hpp), sends them as directed-route SMPs from the port with this GUID,
// and writes the answers to descriptor 3. It knows nothing of routing, has no state, and ends when
// the plugin closes its end of the socket.
//
// One thread sends and another one receives. A single thread would have to poll the socket and the
// umad descriptor together, which libumad2sim, the replacement of libibumad in simulations, does
// not support.
#include <infiniband/umad.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/program.hpp"
#include "plugin/control/smp.hpp"
#include "plugin/opensm/agent_socket.hpp"

namespace selvedge {
namespace {

constexpr int kSmpClass = 0x81;  // management class of directed-route SMPs
constexpr int kClassVersion = 1;
constexpr std::uint16_t kPermissiveLid = 0xffff;
constexpr std::uint8_t kResponseBit = 0x80;
constexpr std::size_t kMadBytes = 256;
constexpr unsigned kClosingS = 2;  // how long closing the umad port may take
constexpr int kTickMs = 200;       // how often the receiving thread checks `stop`

// Byte offsets in a directed-route SMP (IBA 1.3 figure 165).
constexpr std::size_t kStatusAt = 4, kHopCountAt = 7, kTidAt = 8, kAttributeAt = 16,
                      kModifierAt = 20, kMKeyAt = 24, kSourceLidAt = 32, kTargetLidAt = 34,
                      kDataAt = 64, kPathAt = 128;

template <class T>
void put(std::uint8_t* at, T value) {  // in big-endian order
  for (std::size_t i = 0; i < sizeof(T); ++i)
    at[i] = static_cast<std::uint8_t>(value >> (8 * (sizeof(T) - 1 - i)));
}
template <class T>
T get(const std::uint8_t* at) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) value = static_cast<T>(value << 8 | at[i]);
  return value;
}

void write_mad(std::uint8_t* mad, const SmpRequest& request) {
  std::fill_n(mad, kMadBytes, std::uint8_t{0});
  mad[0] = 1;
  mad[1] = kSmpClass;
  mad[2] = kClassVersion;
  mad[3] = static_cast<std::uint8_t>(request.method);
  mad[kHopCountAt] = request.path.hops;
  put(mad + kTidAt, std::uint64_t{request.tag});
  put(mad + kAttributeAt, static_cast<std::uint16_t>(request.attribute));
  put(mad + kModifierAt, request.modifier);
  std::memcpy(mad + kMKeyAt, &request.m_key, sizeof request.m_key);
  put(mad + kSourceLidAt, kPermissiveLid);
  put(mad + kTargetLidAt, kPermissiveLid);
  std::ranges::copy(request.data, mad + kDataAt);
  std::ranges::copy(request.path.ports, mad + kPathAt);
}

struct Place {
  std::string ca;
  int port = 0;
};

std::optional<Place> find_port(std::uint64_t guid) {
  char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
  const int cas = umad_get_cas_names(names, UMAD_MAX_DEVICES);
  for (int i = 0; i < cas; ++i) {
    umad_ca_t ca;
    if (umad_get_ca(names[i], &ca) < 0) continue;
    std::optional<Place> found;
    for (int p = 0; p <= ca.numports; ++p)
      if (ca.ports[p] != nullptr && be64toh(ca.ports[p]->port_guid) == guid)
        found = Place{names[i], p};
    umad_release_ca(&ca);
    if (found) return found;
  }
  return std::nullopt;
}

void answer(const SmpAnswer& message) {
  // An error is ignored: if the plugin has closed the socket, send_requests() notices that.
  (void)!send(kSmpAgentSocket, &message, sizeof message, MSG_NOSIGNAL);
}

void receive_answers(int umad_port, const std::atomic<bool>& stop) {
  std::vector<std::uint8_t> umad(umad_size() + kMadBytes);
  while (!stop) {
    int length = kMadBytes;
    const int from = umad_recv(umad_port, umad.data(), &length, kTickMs);
    if (from < 0) continue;  // a time-out: check `stop`
    const auto* mad = static_cast<const std::uint8_t*>(umad_get_mad(umad.data()));
    SmpAnswer message;
    // The kernel uses the upper half of the transaction id, so the tag is the lower half.
    message.tag = get<std::uint32_t>(mad + kTidAt + 4);
    const int failed = umad_status(umad.data());
    if (failed != 0) {
      message.status = kSmpNoAnswer;
    } else {
      message.status =
          get<std::uint16_t>(mad + kStatusAt) & 0x7fffU;  // without the D (direction) bit
      std::copy_n(mad + kDataAt, kSmpDataBytes, message.data.begin());
    }
    answer(message);
  }
}

void send_requests(int umad_port, int agent) {
  std::vector<std::uint8_t> umad(umad_size() + kMadBytes);
  for (;;) {
    SmpRequest request;
    const ssize_t got = recv(kSmpAgentSocket, &request, sizeof request, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got != sizeof request) return;  // the plugin has closed its end of the socket
    std::ranges::fill(umad, std::uint8_t{0});
    write_mad(static_cast<std::uint8_t*>(umad_get_mad(umad.data())), request);
    umad_set_addr(umad.data(), kPermissiveLid, 0, 0, 0);
    if (umad_send(umad_port, agent, umad.data(), kMadBytes, static_cast<int>(request.timeout_ms),
                  0) < 0)
      answer({.tag = request.tag, .status = kSmpNoAnswer, .data = {}});
  }
}

int run(std::string_view guid_text) {
  std::uint64_t guid = 0;
  const auto [end, bad] =
      std::from_chars(guid_text.data() + std::min<std::size_t>(guid_text.size(), 2),
                      guid_text.data() + guid_text.size(), guid, 16);
  if (!guid_text.starts_with("0x") || bad != std::errc{} ||
      end != guid_text.data() + guid_text.size()) {
    std::fprintf(stderr, "error: no port GUID: %.*s: give it as 0x and hexadecimal digits\n",
                 static_cast<int>(guid_text.size()), guid_text.data());
    return kBadInput;
  }
  if (umad_init() < 0) {
    std::fprintf(stderr, "error: no InfiniBand: libibumad: is ib_umad loaded?\n");
    return kLacksEnvironment;
  }
  const std::optional<Place> place = find_port(guid);
  const int port = place ? umad_open_port(place->ca.c_str(), place->port) : -1;
  const int agent = port < 0 ? -1 : umad_register(port, kSmpClass, kClassVersion, 0, nullptr);
  if (agent < 0) {
    std::fprintf(stderr,
                 "error: cannot send SMPs: port %.*s: is it a port of this host, and is opensm run "
                 "by root?\n",
                 static_cast<int>(guid_text.size()), guid_text.data());
    return kLacksEnvironment;
  }
  std::atomic<bool> stop = false;
  std::thread receiver(receive_answers, port, std::cref(stop));
  // Tells SmpAgent::start() that the agent is ready.
  answer({.tag = 0, .status = kSmpAgentProtocol, .data = {}});
  send_requests(port, agent);
  // In simulations, closing a port sends a request to the simulator and waits for its answer. The
  // simulator may have ended already, so SIGALRM ends this process if closing takes too long.
  alarm(kClosingS);
  stop = true;
  receiver.join();
  umad_unregister(port, agent);
  umad_close_port(port);
  umad_done();
  return kDone;
}

}  // namespace
}  // namespace selvedge

int main(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (argc == 2 && first == "--version") {
    std::printf("selvedge-smp-agent %s\n", SELVEDGE_VERSION);
    return 0;
  }
  if (argc != 2 || first == "--help") {
    std::printf(
        "usage: selvedge-smp-agent PORT_GUID\n"
        "Sends subnet management packets for Selvedge's plugin in opensm, which starts it; not\n"
        "for use by hand. Requests and answers go over descriptor %d.\n",
        selvedge::kSmpAgentSocket);
    return first == "--help" ? selvedge::kDone : selvedge::kBadInput;
  }
  return selvedge::run(first);
}
