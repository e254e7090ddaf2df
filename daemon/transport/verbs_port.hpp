// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// VerbsPort is one port of a verbs device: it finds and opens the port, and reads its attributes
// and events. After an event the attributes must be read again, because the port or the subnet
// manager may have changed them.
#pragma once

#include <infiniband/verbs.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/transport/gids.hpp"

namespace selvedge::transport {

struct VerbsPortConfig {
  std::string device;               ///< empty: the first device with a port that is up
  unsigned port = 0;                ///< 0: the first port that is up
  std::vector<std::uint32_t> gids;  ///< RoCE only: indices of the GIDs to use; empty: choose_gids()
};

/// The attributes of a port that the daemon needs, from ibv_query_port() and the port's GID table.
/// (Of IBA's attribute PortState only `up`, Active, is kept.)
struct PortState {
  bool up = false;
  Link link = Link::kRoce;
  std::uint16_t lid = 0, sm_lid = 0;
  std::uint8_t lmc = 0;
  unsigned mtu_bytes = 0;      ///< of a UD packet's payload, which includes the protocol's header
  std::vector<GidEntry> gids;  ///< RoCE: those of the paths. InfiniBand: the port's first GID
  friend bool operator==(const PortState&, const PortState&);
};

class VerbsPort {
 public:
  /// Throws EnvironmentError if there is no such device or port, if no port is named and none is
  /// up, if no GID can be used, or if the MTU is below kMtuBytesMin.
  explicit VerbsPort(const VerbsPortConfig& config);
  ~VerbsPort();
  VerbsPort(const VerbsPort&) = delete;
  VerbsPort& operator=(const VerbsPort&) = delete;

  ibv_context* context() const { return context_; }
  ibv_pd* domain() const { return domain_; }
  std::uint8_t number() const { return number_; }
  std::string name() const;  ///< as "mlx5_0 port 1"
  /// Where the kernel shows the counters of the hardware; it may not exist.
  std::string counters_directory() const;

  /// Queries the device for the port's attributes; nullopt if the query fails.
  std::optional<PortState> query() const;

  enum class Event : std::uint8_t {
    kNone,         ///< no event is pending
    kPort,         ///< its state, LID, P_Key or a GID has changed: call query()
    kSubnet,       ///< new subnet manager, or it requests that clients register again
    kQueue,        ///< a queue pair has failed
    kDeviceFatal,  ///< the device is gone
    kOther,
  };
  /// The next pending event; does not block.
  Event next_event();
  /// This descriptor is readable when an event is pending.
  int descriptor() const { return context_->async_fd; }

 private:
  [[noreturn]] static void throw_unavailable(const std::string& what, const std::string& where,
                                             const std::string& remedy);

  std::vector<std::uint32_t> wanted_gids_;
  ibv_context* context_ = nullptr;
  ibv_pd* domain_ = nullptr;
  std::uint8_t number_ = 0;
};

}  // namespace selvedge::transport
