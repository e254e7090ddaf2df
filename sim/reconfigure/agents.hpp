// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The management agents of all switches and hosts: what they hold, and what they do with a write.
// They know the state of their own ports. A write takes effect in the tick after the SMP's arrival
// (docs/simulator.md, "Management by a subnet manager").
#pragma once

#include <map>
#include <set>
#include <vector>

#include "sim/reconfigure/subnet.hpp"
#include "sim/reconfigure/writes.hpp"

namespace selvedge::sim {

class Agents {
 public:
  /// `tables`: what the switches hold at first, as the network does.
  Agents(const Fabric& fabric, const Tables& tables, Subnet& subnet, unsigned token_bytes);

  void apply(const Write& write);
  /// The switches that have something to say to the manager from now on: they have found VL 1
  /// empty, have their next table whole, and use it on VL 1; or all their tokens have passed, and
  /// the next table is the present one.
  std::vector<SwitchId> look();
  /// Whether some switch waits for that.
  bool wait() const { return draining_ + separating_ > 0; }
  /// The change of which this switch says that, as long as nothing has followed.
  unsigned says(SwitchId at) const {
    if (separations_[at].ended) return separations_[at].change;
    return layers_[at].state == Layer::State::kEmptied ? layers_[at].change : 0;
  }
  /// A cable that has been restored carries data in a direction when its near end is told tables
  /// that may use it, as from the port state Init (schemes with tokens).
  void close(Channel restored);
  /// The port of this channel of a switch has gone down or come up at this tick.
  void set_port(Channel port, bool down, Tick at);

  /// What the switches hold; SLs of paths are those that hosts have been told.
  const Tables& tables() const { return tables_; }
  struct PortState {
    Channel port;
    bool down;
    Tick since;  // 0: from the start
  };
  /// The ports of a switch whose state has ever changed.
  std::vector<PortState> changed_ports(SwitchId at) const;

 private:
  /// A switch's or host's part in the double scheme.
  struct Layer {
    enum class State : std::uint8_t { kUsed, kDraining, kEmptied } state = State::kUsed;
    unsigned change = 0;
    std::map<unsigned, Write> parts = {};  // of the next table
  };

  /// A switch's part in Simple Reconfiguration.
  struct Separation {
    unsigned change = 0;
    bool told = false, begun = false, ended = false;
    std::map<unsigned, Write> parts = {};  // of the next table
    bool has_table() const { return !parts.empty() && parts.size() == parts.begin()->second.parts; }
  };

  void take_effect(const Write& write);
  void apply_token(const Write& write);
  void begin(SwitchId at);
  void open(Channel c);
  std::vector<SwitchId> look_at_layers();
  std::vector<SwitchId> look_at_tokens();
  void write_next_table(SwitchId at, const std::map<unsigned, Write>& parts);
  void apply_layer(const Write& write);
  bool is_emptied(SwitchId at) const;

  const Fabric& fabric_;
  Tables tables_;
  Subnet& subnet_;
  std::map<Channel, PortState> ports_;
  /// Parts that wait for the others, by switch. All are of one epoch.
  std::map<SwitchId, std::map<unsigned, Write>> parts_;
  std::vector<Epoch> epochs_;                // per switch
  std::vector<Layer> layers_, host_layers_;  // per switch, per host
  unsigned draining_ = 0;                    // switches in State::kDraining
  const unsigned token_bytes_;
  std::vector<Separation> separations_;  // per switch
  std::vector<unsigned> tokens_of_;      // per host: the change in which it sent tokens last
  unsigned separating_ = 0;              // switches that have begun and not ended
  std::set<Channel> closed_;
};

}  // namespace selvedge::sim
