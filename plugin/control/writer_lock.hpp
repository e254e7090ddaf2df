// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The lock for writing LFTs and SL2VL tables. A sweep holds it from the computation of its tables
// until the subnet manager reports them sent. The fast path holds it for one fault, one restoration
// or one order. Sweep and fast path never hold it together, because each starts from the tables
// that the other has written.
//
// A WriterLock is not thread-safe, and no call blocks: the caller has a mutex and, if several
// threads use the lock, a condition variable.
#pragma once

namespace selvedge {

class WriterLock {
 public:
  bool free() const { return holder_ == Holder::kNone; }
  bool held_by_fast_path() const { return holder_ == Holder::kFastPath; }

  /// Takes the lock for a sweep; false if the fast path holds it. Succeeds also if a sweep holds
  /// the lock, because OpenSM may begin a sweep without reporting the end of the one before.
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
  /// end_sweep() releases the lock if a sweep holds it, end_fast_path() if the fast path does.
  void end_sweep() { end(Holder::kSweep); }
  void end_fast_path() { end(Holder::kFastPath); }

 private:
  enum class Holder { kNone, kSweep, kFastPath };
  void end(Holder holder) {
    if (holder_ == holder) holder_ = Holder::kNone;
  }
  Holder holder_ = Holder::kNone;
};

}  // namespace selvedge
