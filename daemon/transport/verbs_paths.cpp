// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/verbs_paths.hpp"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace selvedge::transport {

namespace {
constexpr std::uint8_t kHopsMax = 64;
}

ibv_ah_attr infiniband_attributes(std::uint8_t port, const PathRecord& record) {
  ibv_ah_attr a{};
  a.port_num = port;
  a.dlid = record.dlid;
  a.sl = record.sl;
  a.static_rate = record.rate;
  a.src_path_bits = 0;  // always the base LID: the path record's SL is for that source
  return a;
}

ibv_ah_attr roce_attributes(std::uint8_t port, const GidEntry& own, const Gid& theirs,
                            unsigned path) {
  ibv_ah_attr a{};
  a.port_num = port;
  a.is_global = 1;
  std::memcpy(a.grh.dgid.raw, theirs.data(), theirs.size());
  a.grh.sgid_index = static_cast<std::uint8_t>(own.index);
  a.grh.hop_limit = kHopsMax;
  // Adapters that derive the UDP source port from the flow label then have one for each path.
  a.grh.flow_label = (path + 1) * 0x9e3b & 0xfffff;
  return a;
}

VerbsPaths::VerbsPaths(const VerbsPort& port, unsigned paths)
    : port_(port),
      paths_(paths),
      done_fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this] { work(); }) {}

VerbsPaths::~VerbsPaths() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
  for (const Done& d : done_)
    if (d.handle != nullptr) ibv_destroy_ah(d.handle);
  if (done_fd_ >= 0) close(done_fd_);
}

void VerbsPaths::order(Order order) {
  {
    const std::lock_guard lock(mutex_);
    // The last order of a peer replaces earlier ones.
    std::erase_if(orders_, [&](const Order& o) { return o.peer == order.peer; });
    orders_.push_back(std::move(order));
  }
  wake_.notify_one();
}

void VerbsPaths::port_is(const PortState& state, bool subnet_changed) {
  const std::lock_guard lock(mutex_);
  state_ = state;
  forget_ |= subnet_changed;
}

std::vector<VerbsPaths::Done> VerbsPaths::collect_events() {
  eventfd_t count = 0;
  if (eventfd_read(done_fd_, &count) != 0) return {};
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, {});
}

void VerbsPaths::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stop_ || !orders_.empty(); });
    if (stop_) return;
    const Order order = std::move(orders_.front());
    orders_.erase(orders_.begin());
    const PortState state = state_;
    const bool forget = std::exchange(forget_, false);
    lock.unlock();
    if (forget && sa_) sa_->forget();
    make(order, state);
    lock.lock();
  }
}

std::vector<ibv_ah_attr> VerbsPaths::over_infiniband(const Order& order, const PortState& state,
                                                     std::string& trouble) {
  std::vector<ibv_ah_attr> ways;
  try {
    if (!sa_)
      sa_ = std::make_unique<SaPaths>(ibv_get_device_name(port_.context()->device), port_.number());
  } catch (const EnvironmentError& e) {
    trouble = e.what();
    return ways;
  }
  const Description& d = order.description;
  for (unsigned i = 0; i < (1u << d.lmc) && ways.size() < paths_; ++i) {
    PathRecord record;
    const auto dlid = static_cast<std::uint16_t>(d.lid + i);
    switch (sa_->find(dlid, record)) {
      case SaPaths::Answer::kPath:
        if (record.mtu_bytes >= state.mtu_bytes)
          ways.push_back(infiniband_attributes(port_.number(), record));
        else
          trouble = fmt::format("the path to LID {} carries {} bytes only", dlid, record.mtu_bytes);
        break;
      case SaPaths::Answer::kNoPath:
        trouble = fmt::format("the SA has no path to LID {}", dlid);
        break;
      case SaPaths::Answer::kNoAnswer:
        trouble = "the SA does not answer";
        return ways;
    }
  }
  return ways;
}

std::vector<ibv_ah_attr> VerbsPaths::over_roce(const Order& order, const PortState& state) const {
  std::vector<ibv_ah_attr> ways;
  const std::vector<Gid>& theirs = order.description.gids;
  for (unsigned i = 0; i < paths_ && !state.gids.empty(); ++i) {
    const GidEntry& own = state.gids[i % state.gids.size()];
    ways.push_back(
        roce_attributes(port_.number(), own, theirs[nearest_gid(own.gid, theirs, i)], i));
  }
  return ways;
}

void VerbsPaths::give(Done done) {
  const std::lock_guard lock(mutex_);
  done_.push_back(std::move(done));
  eventfd_write(done_fd_, 1);
}

void VerbsPaths::make(const Order& order, const PortState& state) {
  std::string trouble;
  std::vector<ibv_ah_attr> ways;
  if (order.description.link != state.link)
    trouble = "one of us is on InfiniBand, the other on RoCE";
  else
    ways = state.link == Link::kInfiniBand ? over_infiniband(order, state, trouble)
                                           : over_roce(order, state);
  std::vector<Gid> silent;  // GIDs that did not answer: a further path to one would block as long
  for (unsigned i = 0; i < paths_; ++i) {
    Done done{.peer = order.peer,
              .number = order.number,
              .path = i,
              .last = i + 1 == paths_,
              .handle = nullptr,
              .trouble = {}};
    if (!ways.empty()) {
      ibv_ah_attr& way = ways[i % ways.size()];
      Gid to;
      std::memcpy(to.data(), way.grh.dgid.raw, to.size());
      const bool roce = way.is_global != 0;
      if (!roce || std::ranges::find(silent, to) == silent.end()) {
        done.handle = ibv_create_ah(port_.domain(), &way);
        if (done.handle == nullptr) {
          trouble = fmt::format("no way to {}: {}",
                                roce ? to_string(to) : fmt::format("LID {}", way.dlid),
                                std::strerror(errno));
          silent.push_back(to);
        }
      }
    }
    if (done.last) done.trouble = trouble;
    give(std::move(done));
  }
}

}  // namespace selvedge::transport
