// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/repair/fresh_paths.hpp"

#include <set>

#include "base/error.hpp"
#include "plugin/repair/pinned_tree.hpp"
#include "plugin/repair/readdress_state.hpp"
#include "plugin/repair/tree_join.hpp"

namespace selvedge {

class FreshPaths::Work {
 public:
  Work(const Fabric& fabric, const Tables& tables, const std::optional<ParentChannels>& multicast,
       const RepairRequest& request, bool responses)
      : fabric_(fabric), state_(fabric_, tables, request) {
    if (multicast) add_multicast(*multicast);
    if (responses) pin_responses();
  }

  ReaddressState& state() { return state_; }
  const ReaddressState& state() const { return state_; }
  ReaddressState::Changes changes;

 private:
  void add_multicast(const ParentChannels& tree) {
    if (!add_tree(state_.order(), fabric_, state_.tables(), tree))
      throw InputError("paths and multicast tree close a cycle of dependencies", "fresh LIDs",
                       "start from tables that 'selvedge-route verify' proves");
    std::set<std::size_t> pinned;
    pin_tree(state_, fabric_, tree, pinned);
  }

  /// Responses between base LIDs are as safe beside fresh paths as without them. On SLs that the
  /// paths themselves have they are paths, and counted already.
  void pin_responses() {
    if (state_.tables().one_sl()) return;
    const auto base = [&](HostId h) { return fabric_.host(h).lid; };
    for (HostId to = 0; to < fabric_.num_hosts(); ++to) {
      if (!fabric_.attached(to) || base(to) == kNoLid) continue;
      const SwitchId at = fabric_.host(to).at;
      for (SwitchId s = 0; s < fabric_.num_switches(); ++s)
        for (const HostId from : fabric_.hosts_at(s)) {
          const Sl sl = state_.tables().sl(s, base(to));
          if (s != at && base(from) != kNoLid && sl != state_.tables().sl(at, base(from)))
            state_.pin_response(at, base(from), sl);
        }
    }
  }

  const Fabric fabric_;
  ReaddressState state_;
};

FreshPaths::FreshPaths(const Fabric& fabric, const Tables& tables,
                       const std::optional<ParentChannels>& multicast, const RepairRequest& request,
                       bool responses)
    : work_(std::make_unique<Work>(fabric, tables, multicast, request, responses)) {}
FreshPaths::FreshPaths(FreshPaths&&) noexcept = default;
FreshPaths& FreshPaths::operator=(FreshPaths&&) noexcept = default;
FreshPaths::~FreshPaths() = default;

std::optional<Readdressed> FreshPaths::add(SwitchId source, Lid before) {
  return work_->state().add_fresh_path(source, before, work_->changes);
}
bool FreshPaths::keep(SwitchId source, Lid lid, Sl sl, std::span<const Channel> channels) {
  return work_->state().keep_path(source, lid, sl, channels, work_->changes);
}
const Tables& FreshPaths::tables() const { return work_->state().tables(); }

}  // namespace selvedge
