// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The throughput of libfabric's reliable datagrams over UDP (provider udp;ofi_rxd), measured as
// stream_udp.cpp measures our protocol: two processes, a core each, messages in order over
// loopback, counted at the receiver.
//
//   stream_rxd [--bytes N] [--seconds S]
#include <fmt/format.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

constexpr std::size_t kOutstanding = 64;

struct Shared {
  std::atomic<std::uint64_t> delivered{0}, wrong{0};
  std::atomic<bool> ready{false}, stop{false};
  std::size_t address_bytes = 0;
  char address[256];
};

[[noreturn]] void fail(const char* what, int error) {
  fmt::print(stderr, "error: {}: {}: see whether libfabric has udp;ofi_rxd\n", what,
             fi_strerror(-error));
  std::_Exit(3);
}
void check(const char* what, int result) {
  if (result < 0) fail(what, result);
}

struct Fabric {
  fi_info* info = nullptr;
  fid_fabric* fabric = nullptr;
  fid_domain* domain = nullptr;
  fid_ep* ep = nullptr;
  fid_cq* cq = nullptr;
  fid_av* av = nullptr;

  Fabric() {
    fi_info* hints = fi_allocinfo();
    hints->caps = FI_MSG;
    hints->ep_attr->type = FI_EP_RDM;
    hints->fabric_attr->prov_name = strdup("udp;ofi_rxd");
    hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS;
    check("fi_getinfo",
          fi_getinfo(FI_VERSION(1, 15), "127.0.0.1", nullptr, FI_SOURCE, hints, &info));
    check("fi_fabric", fi_fabric(info->fabric_attr, &fabric, nullptr));
    check("fi_domain", fi_domain(fabric, info, &domain, nullptr));
    fi_cq_attr cq_attr{};
    cq_attr.format = FI_CQ_FORMAT_CONTEXT;
    cq_attr.size = 1'024;
    check("fi_cq_open", fi_cq_open(domain, &cq_attr, &cq, nullptr));
    fi_av_attr av_attr{};
    check("fi_av_open", fi_av_open(domain, &av_attr, &av, nullptr));
    check("fi_endpoint", fi_endpoint(domain, info, &ep, nullptr));
    check("fi_ep_bind", fi_ep_bind(ep, &av->fid, 0));
    check("fi_ep_bind", fi_ep_bind(ep, &cq->fid, FI_TRANSMIT | FI_RECV));
    check("fi_enable", fi_enable(ep));
  }
  int completions(fi_cq_entry* entries, std::size_t count) {
    const ssize_t n = fi_cq_read(cq, entries, count);
    if (n == -FI_EAGAIN) return 0;
    check("fi_cq_read", static_cast<int>(n));
    return static_cast<int>(n);
  }
};

void pin(unsigned core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core % static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))), &set);
  sched_setaffinity(0, sizeof set, &set);
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void receive(Shared& shared, std::size_t bytes) {
  pin(1);
  Fabric f;
  shared.address_bytes = sizeof shared.address;
  check("fi_getname", fi_getname(&f.ep->fid, shared.address, &shared.address_bytes));
  std::vector<char> buffers(2 * kOutstanding * bytes);
  std::vector<fi_context> contexts(2 * kOutstanding);
  const auto post = [&](std::size_t i) {
    check("fi_recv", static_cast<int>(fi_recv(f.ep, buffers.data() + i * bytes, bytes, nullptr,
                                              FI_ADDR_UNSPEC, &contexts[i])));
  };
  for (std::size_t i = 0; i < contexts.size(); ++i) post(i);
  shared.ready = true;
  std::uint64_t delivered = 0;
  fi_cq_entry entries[64];
  while (!shared.stop) {
    const int n = f.completions(entries, 64);
    for (int k = 0; k < n; ++k) {
      const auto i = static_cast<std::size_t>(static_cast<fi_context*>(entries[k].op_context) -
                                              contexts.data());
      std::uint64_t number = 0;
      std::memcpy(&number, buffers.data() + i * bytes, sizeof number);
      if (number != delivered) ++shared.wrong;
      ++delivered;
      post(i);
    }
    shared.delivered.store(delivered, std::memory_order_relaxed);
  }
}

void send(Shared& shared, std::size_t bytes, double seconds) {
  pin(0);
  while (!shared.ready) usleep(1'000);
  Fabric f;
  fi_addr_t peer = 0;
  if (fi_av_insert(f.av, shared.address, 1, &peer, 0, nullptr) != 1) fail("fi_av_insert", -1);
  std::vector<char> buffers(kOutstanding * bytes);
  std::vector<fi_context> contexts(kOutstanding);
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < kOutstanding; ++i) free.push_back(i);
  std::uint64_t sent = 0, warm = 0;
  const double began = now();
  double from = 0, at = began;
  fi_cq_entry entries[64];
  for (; at < began + 1 + seconds; at = now()) {
    if (from == 0 && at >= began + 1) {
      from = at;
      warm = shared.delivered;
    }
    while (!free.empty()) {
      const std::size_t i = free.back();
      std::memcpy(buffers.data() + i * bytes, &sent, sizeof sent);
      const ssize_t result =
          fi_send(f.ep, buffers.data() + i * bytes, bytes, nullptr, peer, &contexts[i]);
      if (result == -FI_EAGAIN) break;
      check("fi_send", static_cast<int>(result));
      ++sent;
      free.pop_back();
    }
    const int n = f.completions(entries, 64);
    for (int k = 0; k < n; ++k)
      free.push_back(static_cast<std::size_t>(static_cast<fi_context*>(entries[k].op_context) -
                                              contexts.data()));
  }
  const std::uint64_t messages = shared.delivered - warm;
  shared.stop = true;
  fmt::print(
      "{{\"bytes\": {}, \"messages\": {}, \"seconds\": {:.3f}, \"messages_per_s\": {:.0f}, "
      "\"gigabytes_per_s\": {:.3f}, \"wrong\": {}}}\n",
      bytes, messages, at - from, static_cast<double>(messages) / (at - from),
      static_cast<double>(messages * bytes) / (at - from) * 1e-9, shared.wrong.load());
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t bytes = 4'096;
  double seconds = 3;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--bytes") bytes = std::max<std::size_t>(8, std::strtoul(argv[i + 1], nullptr, 10));
    if (name == "--seconds") seconds = std::atof(argv[i + 1]);
  }
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* shared = new (memory) Shared;
  if (fork() == 0) {
    receive(*shared, bytes);
    std::_Exit(0);
  }
  send(*shared, bytes, seconds);
  fflush(stdout);
  wait(nullptr);
  std::_Exit(shared->delivered == 0 || shared->wrong != 0 ? 1 : 0);
}
