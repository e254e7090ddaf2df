// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Who may write LFTs and SL2VL tables: a sweep, from the moment that it plans until the subnet
// manager reports its tables sent, or the fast path, for one piece of work. Never both: a sweep
// plans from what the fast path has left, and the fast path starts from what a sweep has written.
//
// Not synchronised, and nobody waits in here: the caller has a lock and, where it runs in threads,
// something to wait on.
#pragma once

namespace selvedge {

class WriterLock {
 public:
  bool free() const { return holder_ == Holder::kNobody; }
  bool held_by_fast_path() const { return holder_ == Holder::kFastPath; }

  /// A sweep may take it twice: OpenSM may begin one anew without an end of the one before.
  bool try_sweep() {
    if (held_by_fast_path()) return false;
    holder_ = Holder::kSweep;
    return true;
  }
  bool try_fast_path() {
    if (!free()) return false;
    holder_ = Holder::kFastPath;
    return true;
  }
  /// Nothing where the other one has it.
  void end_sweep() { end(Holder::kSweep); }
  void end_fast_path() { end(Holder::kFastPath); }

 private:
  enum class Holder { kNobody, kSweep, kFastPath };
  void end(Holder holder) {
    if (holder_ == holder) holder_ = Holder::kNobody;
  }
  Holder holder_ = Holder::kNobody;
};

}  // namespace selvedge
