// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The functions that start and stop the transport Verbs.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "daemon/transport/verbs.hpp"

namespace selvedge::transport {
namespace {

PortState first_state(const VerbsPort& port) {
  const auto state = port.query();
  if (!state) throw EnvironmentError("the port cannot be read", port.name(), "see ibv_devinfo");
  if (!state->up)
    throw EnvironmentError("the port is down", port.name(),
                           "see ibv_devinfo -v: connect it, and start a subnet manager");
  return *state;
}

std::uint32_t make_qkey(const protocol::SipKey& secret) {
  const std::array<std::byte, 4> input{};  // no other input hashed with the secret has this length
  // Only privileged users may set a Q_Key whose highest bit is set, so that bit is cleared.
  return static_cast<std::uint32_t>(protocol::siphash(secret, input)) & 0x7fffffff;
}

}  // namespace

Verbs::Verbs(const VerbsConfig& config, std::shared_ptr<VerbsTeam> team, Log log,
             std::unique_ptr<protocol::Seal> seal)
    : BurstWriter(config.impair, std::move(seal),
                  {.worker = config.worker, .workers = team->workers()}),
      log_(std::move(log)),
      team_(std::move(team)),
      port_(config.port),
      state_(first_state(port_)),
      cnp_(port_.counters_directory()),
      qkey_(make_qkey(team_->secret())),
      exchange_(team_->secret()),
      worker_(config.worker) {
  try {
    start(config);
  } catch (...) {
    stop();
    throw;
  }
}

Verbs::~Verbs() { stop(); }

void Verbs::start(const VerbsConfig& config) {
  const auto refused = [&](const std::string& what, const std::string& remedy) {
    return EnvironmentError(fmt::format("{}: {}", what, std::strerror(errno)), port_.name(),
                            remedy);
  };
  const std::string memory_remedy =
      "let selvedged lock memory (LimitMEMLOCK=infinity in its unit, or ulimit -l unlimited)";
  const std::size_t packet_bytes = std::size_t{protocol::kHeaderBytes} + payload_bytes() +
                                   (seal() != nullptr ? protocol::kSealBytes : protocol::kCrcBytes);
  memory_bytes_ = config.paths * UdQueue::memory_bytes(packet_bytes);
  void* memory =
      mmap(nullptr, memory_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw refused("no memory for packets", memory_remedy);
  memory_ = static_cast<std::byte*>(memory);
  region_ = ibv_reg_mr(port_.domain(), memory_, memory_bytes_, IBV_ACCESS_LOCAL_WRITE);
  if (region_ == nullptr) throw refused("cannot register memory for packets", memory_remedy);
  channel_ = ibv_create_comp_channel(port_.context());
  const int flags = channel_ == nullptr ? -1 : fcntl(channel_->fd, F_GETFL);
  // The completion queues have twice the depth of the queue pairs, because completions from before
  // a reset() may still be in them.
  const auto entries = [&](unsigned each) { return static_cast<int>(2 * config.paths * each); };
  if (flags >= 0 && fcntl(channel_->fd, F_SETFL, flags | O_NONBLOCK) == 0) {
    sent_ = ibv_create_cq(port_.context(), entries(kSendPackets), nullptr, nullptr, 0);
    received_ = ibv_create_cq(port_.context(), entries(kReceivePackets), nullptr, channel_, 0);
  }
  if (sent_ == nullptr || received_ == nullptr)
    throw refused("cannot create completion queues", "reduce [verbs] paths");
  const UdQueue::Shared shared{.domain = port_.domain(),
                               .sent = sent_,
                               .received = received_,
                               .port = port_.number(),
                               .qkey = qkey_,
                               .lkey = region_->lkey,
                               .packet_bytes = packet_bytes};
  for (unsigned i = 0; i < config.paths; ++i)
    queues_.push_back(std::make_unique<UdQueue>(shared, static_cast<std::uint8_t>(i),
                                                memory_ + i * UdQueue::memory_bytes(packet_bytes)));
  paths_ = std::make_unique<VerbsPaths>(port_, config.paths);
  paths_->set_port_state(state_, false);
  std::vector<std::uint32_t> numbers;
  for (const auto& q : queues_) numbers.push_back(q->number());
  team_->set_queues(worker_, std::move(numbers));
}

void Verbs::stop() {
  if (paths_)
    for (const VerbsPaths::Result& done : paths_->take_results()) retire(done.path, done.handle);
  paths_.reset();
  for (auto& [address, r] : routes_) retire(r.handles);
  queues_.clear();  // ends outstanding sends, which may use the handles
  for (const Retired& r : retired_) ibv_destroy_ah(r.handle);
  retired_.clear();
  if (received_ != nullptr) ibv_destroy_cq(received_);
  if (sent_ != nullptr) ibv_destroy_cq(sent_);
  if (channel_ != nullptr) ibv_destroy_comp_channel(channel_);
  if (region_ != nullptr) ibv_dereg_mr(region_);
  if (memory_ != nullptr) munmap(memory_, memory_bytes_);
}

}  // namespace selvedge::transport
