// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/transport/verbs_paths.hpp"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "daemon/transport/ecn.hpp"

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
  a.grh.traffic_class = kEcnCapable;
  // Adapters that derive the UDP source port from the flow label then use another port for each
  // path.
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
  for (const Result& d : done_)
    if (d.handle != nullptr) ibv_destroy_ah(d.handle);
  if (done_fd_ >= 0) close(done_fd_);
}

void VerbsPaths::request_handles(Request request) {
  {
    const std::lock_guard lock(mutex_);
    // The last request for a peer replaces earlier ones.
    std::erase_if(requests_, [&](const Request& o) { return o.peer == request.peer; });
    requests_.push_back(std::move(request));
  }
  wake_.notify_one();
}

void VerbsPaths::set_port_state(const PortState& state, bool subnet_changed) {
  const std::lock_guard lock(mutex_);
  state_ = state;
  refresh_ |= subnet_changed;
}

std::vector<VerbsPaths::Result> VerbsPaths::take_results() {
  eventfd_t count = 0;
  if (eventfd_read(done_fd_, &count) != 0) return {};
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, {});
}

void VerbsPaths::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stop_ || !requests_.empty(); });
    if (stop_) return;
    const Request request = std::move(requests_.front());
    requests_.erase(requests_.begin());
    const PortState state = state_;
    const bool refresh = std::exchange(refresh_, false);
    lock.unlock();
    if (refresh && sa_) sa_->refresh();
    make(request, state);
    lock.lock();
  }
}

std::vector<ibv_ah_attr> VerbsPaths::over_infiniband(const Request& request, const PortState& state,
                                                     std::string& problem) {
  std::vector<ibv_ah_attr> routes;
  try {
    if (!sa_)
      sa_ = std::make_unique<SaPaths>(ibv_get_device_name(port_.context()->device), port_.number());
  } catch (const EnvironmentError& e) {
    problem = e.what();
    return routes;
  }
  const VerbsAddress& d = request.verbs_address;
  for (unsigned i = 0; i < (1u << d.lmc) && routes.size() < paths_; ++i) {
    PathRecord record;
    const auto dlid = static_cast<std::uint16_t>(d.lid + i);
    switch (sa_->find(dlid, record)) {
      case SaPaths::Answer::kPath:
        if (record.mtu_bytes >= state.mtu_bytes)
          routes.push_back(infiniband_attributes(port_.number(), record));
        else
          problem =
              fmt::format("the MTU of the path to LID {} is only {} bytes", dlid, record.mtu_bytes);
        break;
      case SaPaths::Answer::kNoPath:
        problem = fmt::format("the SA has no path to LID {}", dlid);
        break;
      case SaPaths::Answer::kNoAnswer:
        problem = "the SA does not answer";
        return routes;
    }
  }
  return routes;
}

std::vector<ibv_ah_attr> VerbsPaths::over_roce(const Request& request,
                                               const PortState& state) const {
  std::vector<ibv_ah_attr> routes;
  const std::vector<Gid>& theirs = request.verbs_address.gids;
  for (unsigned i = 0; i < paths_ && !state.gids.empty(); ++i) {
    const GidEntry& own = state.gids[i % state.gids.size()];
    routes.push_back(
        roce_attributes(port_.number(), own, theirs[nearest_gid(own.gid, theirs, i)], i));
  }
  return routes;
}

void VerbsPaths::deliver(Result done) {
  const std::lock_guard lock(mutex_);
  done_.push_back(std::move(done));
  eventfd_write(done_fd_, 1);
}

void VerbsPaths::make(const Request& request, const PortState& state) {
  std::string problem;
  std::vector<ibv_ah_attr> routes;
  if (request.verbs_address.link != state.link)
    problem = "the link layers differ: one daemon is on InfiniBand, the other on RoCE";
  else
    routes = state.link == Link::kInfiniBand ? over_infiniband(request, state, problem)
                                             : over_roce(request, state);
  std::vector<Gid> silent;  // GIDs that did not answer: a handle for one would block again
  for (unsigned i = 0; i < paths_; ++i) {
    Result done{.peer = request.peer,
                .number = request.number,
                .path = i,
                .last = i + 1 == paths_,
                .handle = nullptr,
                .problem = {}};
    if (!routes.empty()) {
      ibv_ah_attr& route = routes[i % routes.size()];
      Gid to;
      std::memcpy(to.data(), route.grh.dgid.raw, to.size());
      const bool roce = route.is_global != 0;
      if (!roce || std::ranges::find(silent, to) == silent.end()) {
        done.handle = ibv_create_ah(port_.domain(), &route);
        if (done.handle == nullptr) {
          problem = fmt::format("no path to {}: {}",
                                roce ? to_string(to) : fmt::format("LID {}", route.dlid),
                                std::strerror(errno));
          silent.push_back(to);
        }
      }
    }
    if (done.last) done.problem = problem;
    deliver(std::move(done));
  }
}

}  // namespace selvedge::transport
