// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/verify/verify.hpp"

#include <utility>

#include "plugin/verify/further.hpp"
#include "plugin/verify/revise.hpp"
#include "plugin/verify/state.hpp"

namespace selvedge {

std::optional<ReplyGrade> Verdict::grade() const {
  if (!deadlock_free || !deadlock_free_base || !deadlock_free_replies) return std::nullopt;
  if (!*deadlock_free_base || dropped_base != 0) return ReplyGrade::kOwnSl;
  return *deadlock_free_replies && dropped_replies == 0 ? ReplyGrade::kSameSl : ReplyGrade::kBase;
}

bool Verdict::holds(const VerifyOptions& asked) const {
  return connected && loop_free && deadlock_free && multicast_faults == 0 &&
         (!asked.replies || (grade() && *grade() >= asked.grade)) &&
         (!asked.any_sl || deadlock_free_any_sl == true) &&
         (asked.disjoint == 0 || (disjoint_min && *disjoint_min >= asked.disjoint));
}

Proof::Proof() : state(std::make_unique<State>()) {}
Proof::Proof(Proof&&) noexcept = default;
Proof& Proof::operator=(Proof&&) noexcept = default;
Proof::Proof(const Proof& other) : state(std::make_unique<State>(*other.state)) {}
Proof& Proof::operator=(const Proof& other) {
  if (this != &other) state = std::make_unique<State>(*other.state);
  return *this;
}
Proof::~Proof() = default;

const Verdict& Proof::verdict() const { return state->verdict; }

Proof verify(const Fabric& fabric, const Tables& tables, const VerifyOptions& options) {
  Proof proof;
  proof.state->options = options;
  prover::prove(*proof.state, fabric, tables);
  return proof;
}

Proof verify(const Fabric& fabric, const Tables& tables, const FurtherSls& further,
             const VerifyOptions& options) {
  Proof proof;
  proof.state->options = options;
  prover::prove(*proof.state, fabric, tables, &further);
  return proof;
}

Proof verify(Proof proof, const Fabric& fabric, const Tables& tables, const Delta& delta,
             const std::vector<Channel>& changed) {
  // A change of what is spare changes which pairs fail, at any switch.
  if (proof.state->spare != tables.spare_lids() ||
      !prover::revise(*proof.state, fabric, tables, delta, changed))
    prover::prove(*proof.state, fabric, tables);
  return proof;
}

}  // namespace selvedge
