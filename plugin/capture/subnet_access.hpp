// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// plugin/capture: reads what a running subnet manager, of any kind, has put into a fabric, without
// changing anything: topology, LFTs, SL2VL tables, and the SLs of path records. Reading order: this
// header, which says what a subnet is asked; switch_tables.hpp; path_sls.hpp; capture.hpp, which
// reads until nothing changes meanwhile. umad_access.hpp is the real subnet, by libibumad and
// ibnetdiscover.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "plugin/control/smp_transport.hpp"
#include "plugin/fabric/fabric.hpp"

namespace selvedge::capture {

/// A question to the subnet administration (SA): the path record from one LID to another.
struct SlQuestion {
  Lid from, to;
};

struct SlAnswer {
  enum class Kind : std::uint8_t {
    kSl,
    kNoRecord,  // the SA knows no path
    kNone       // the SA did not answer, or with an error
  };
  Kind kind = Kind::kNone;
  Sl sl = 0;
};

class SubnetAccess {
 public:
  virtual ~SubnetAccess() = default;
  /// The topology with its LIDs, as it is now. Throws EnvironmentError.
  virtual Fabric discover() = 0;
  /// The GUID of the port from which the subnet is asked, where directed routes begin.
  virtual Guid port() = 0;
  virtual SmpTransport& smps() = 0;
  /// An answer for each question.
  virtual std::vector<SlAnswer> ask(std::span<const SlQuestion> questions) = 0;
  /// The LID of the subnet manager; kNoLid if there is none.
  virtual Lid manager() = 0;
  /// Waits before the subnet is read once more.
  virtual void wait() = 0;
};

/// Thrown inside this folder: what was read does not fit together, so all is read once more.
struct Unsettled {
  std::string what;
};

}  // namespace selvedge::capture
