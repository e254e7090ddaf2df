// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The LFT blocks and SL2VL rows that the switches should hold after a send plan, built up phase by
// phase, and the SMPs that write them and read them back.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "plugin/control/change.hpp"
#include "plugin/control/directed_routes.hpp"
#include "plugin/control/smp_settings.hpp"

namespace selvedge {

class TableImages {
 public:
  TableImages(const Fabric& fabric, const SmpSettings& smp);

  /// Adds an image for every LFT block of the plan at switches to which there is a directed route.
  /// The caller must then fill in the entries that the switches hold. (A switch without a route
  /// cannot be written: an SMP without hops would be executed by the subnet manager's own node.)
  void gather(const SendPlan& plan);
  std::vector<BlockImage>& blocks() { return blocks_; }
  const std::vector<BlockImage>& blocks() const { return blocks_; }
  const std::vector<RowImage>& rows() const { return rows_; }

  SmpRequest request(SmpMethod method, const BlockImage& image) const;
  SmpRequest request(SmpMethod method, const RowImage& image) const;
  SmpRequest request(SmpMethod method, const MftImage& image) const;
  bool reaches(SwitchId at) const { return routes_->reaches(at); }
  bool reaches(const BlockImage& block) const { return reaches(block.at); }
  bool reaches(const RowImage& row) const {
    return reaches(row.host == kNoHost ? row.at : fabric_.host(row.host).at);
  }
  /// The writes of one phase, which also change the images. Sets `blocks` to the index of each
  /// request's block in blocks(); SIZE_MAX for a row.
  std::vector<SmpRequest> writes(const SendPhase& phase, std::vector<std::size_t>& blocks);

  /// The fabric over which the directed routes lead.
  const Fabric& routed() const { return damaged_ ? *damaged_ : fabric_; }
  /// The switches that the request's route enters, in order.
  std::vector<SwitchId> entered_by(const SmpRequest& request) const {
    return routes_->entered_by(request.path);
  }
  /// From now on no route uses the components of `fault`.
  void avoid(const Fault& fault);
  /// Leads a request, made before avoid(), to its node by a new route. `entered`: entered_by() of
  /// the request before avoid(). False if no route leads there any more.
  bool lead_again(SmpRequest& request, const std::vector<SwitchId>& entered) const;

 private:
  SmpRequest to(SmpMethod method, SmpAttribute attribute, SwitchId at,
                std::uint32_t modifier) const;

  const Fabric& fabric_;
  const SmpSettings smp_;
  std::unique_ptr<const Fabric> damaged_;  // fabric_ without what has failed since; or null
  std::unique_ptr<const DirectedRoutes> routes_;
  /// Maps (switch, block) to the index into blocks_.
  std::map<std::pair<SwitchId, std::uint32_t>, std::size_t> place_;
  std::vector<BlockImage> blocks_;
  /// Maps (switch, host, port in, port out) to the index into rows_.
  std::map<std::tuple<SwitchId, HostId, PortNum, PortNum>, std::size_t> row_place_;
  std::vector<RowImage> rows_;
};

}  // namespace selvedge
