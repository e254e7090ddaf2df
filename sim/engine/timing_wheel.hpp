// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The queue of pending events. A timing wheel (Varghese & Lauck 1987) has one slot for each of the
// next 2^k ticks. Later events wait in a heap and move into the wheel when their tick comes within
// its range. Two levels of bitmaps mark the slots that are not empty, so the next tick with events
// is found quickly even in a sparse wheel. All events of a tick are returned together. Their order
// has no meaning, and a simulation must not depend on it (docs/simulator.md, "Time").
//
// Event is a small trivially copyable value. Memory is reused: nothing is allocated once the
// largest number of pending events has been reached.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "base/prefetch_line.hpp"
#include "sim/engine/large_array.hpp"
#include "sim/engine/ticks.hpp"

namespace selvedge::sim {

template <class Event>
class TimingWheel {
  static_assert(std::is_trivially_copyable_v<Event>);

 public:
  /// The wheel gets a slot for each of the next `horizon` ticks, but at most 2^18 slots. Events
  /// further ahead go into the heap.
  explicit TimingWheel(Tick horizon) {
    const auto wanted =
        static_cast<std::uint64_t>(std::clamp<Tick>(horizon + 1, 64, Tick{1} << 18));
    slots_.assign(std::bit_ceil(wanted), Slot{});
    mask_ = slots_.size() - 1;
    words_.assign((slots_.size() + 63) / 64, 0);
    summary_.assign((words_.size() + 63) / 64, 0);
  }

  Tick now() const { return now_; }
  bool empty() const { return pending_ == 0 && overflow_.empty(); }
  std::size_t pending() const { return pending_ + overflow_.size(); }

  /// Adds an event. `at` ≥ now(); `at` = now() only before advance() has taken this tick's events.
  void schedule(Tick at, Event event) {
    if (static_cast<std::uint64_t>(at - now_) <= mask_) return put(at, event);
    put_overflow(at, event);
  }

  /// The tick of the next event; kNever if there is none.
  Tick next() const { return std::min(pending_ == 0 ? kNever : first_pending(), overflow_next_); }

  /// Sets now() to `at` ≤ next() and takes out every event of that tick. The span is valid until
  /// the next call of advance() or remove_if().
  std::span<const Event> advance(Tick at) {
    now_ = at;
    if (static_cast<std::uint64_t>(overflow_next_ - at) <= mask_) refill_from_overflow(at);
    take_slot(static_cast<std::size_t>(at) & mask_);
    return {batch_.data(), batched_};
  }

  /// Prefetch the events of the next tick that has any, which are in a list of chunks.
  /// prefetch_first() prefetches the first chunk, each prefetch_next() the next one. A chunk holds
  /// the index of the next, so it should have arrived before prefetch_next() is called.
  void prefetch_first() {
    prefetched_ =
        pending_ == 0 ? kNone : slots_[static_cast<std::size_t>(first_pending()) & mask_].chunk;
    prefetch_chunk();
  }
  void prefetch_next() {
    if (prefetched_ == kNone) return;
    prefetched_ = chunks_[prefetched_].next;
    prefetch_chunk();
  }

  /// Sets now() to `at` ≤ next(), and leaves the events of that tick in the wheel.
  void set_now(Tick at) { now_ = at; }

  /// Removes every pending event for which `matches` is true; the order of the calls is
  /// unspecified. It scans all pending events, so it is for rare use.
  template <class Matches>
  void remove_if(Matches&& matches) {
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      if (slots_[slot].chunk == kNone) continue;
      const Tick at = now_ + static_cast<Tick>((slot - static_cast<std::size_t>(now_)) & mask_);
      take_slot(slot);
      for (const Event& event : std::span(batch_.data(), batched_))
        if (!matches(event)) put(at, event);
    }
    std::erase_if(overflow_,
                  [&](const Overflow& later_event) { return matches(later_event.event); });
    std::make_heap(overflow_.begin(), overflow_.end(), later);
    overflow_next_ = overflow_.empty() ? kNever : overflow_.front().at;
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  /// A chunk of events is two cache lines, prefetched together. It is large enough that many events
  /// of a tick need few steps from chunk to chunk, and small enough that a tick with few events
  /// wastes little memory.
  static constexpr std::size_t kChunkBytes = 128;
  static constexpr unsigned kPerChunk = (kChunkBytes - sizeof(std::uint32_t)) / sizeof(Event);
  struct alignas(64) Chunk {
    std::uint32_t next;
    Event events[kPerChunk];
  };
  static_assert(kPerChunk >= 1 && sizeof(Chunk) == kChunkBytes);
  struct Slot {
    std::uint32_t chunk = kNone;  // the first chunk of its list; all others are full
    std::uint32_t count = 0;      // number of events in the first chunk
  };
  struct Overflow {
    Tick at;
    Event event;
  };
  static bool later(const Overflow& a, const Overflow& b) { return a.at > b.at; }

  void prefetch_chunk() const {
    if (prefetched_ == kNone) return;
    const char* const lines = reinterpret_cast<const char*>(&chunks_[prefetched_]);
    for (std::size_t i = 0; i < sizeof(Chunk); i += 64) prefetch_line(lines + i);
  }

  void put(Tick at, Event event) {
    const std::size_t slot = static_cast<std::size_t>(at) & mask_;
    Slot& of = slots_[slot];
    if (of.chunk == kNone || of.count == kPerChunk) {
      if (of.chunk == kNone) set_bit(slot);
      if (free_ == kNone) more_chunks();
      const std::uint32_t chunk = free_;
      free_ = chunks_[chunk].next;
      chunks_[chunk].next = of.chunk;
      of = {chunk, 0};
    }
    chunks_[of.chunk].events[of.count++] = event;
    ++pending_;
  }

  /// Moves a slot's events into batch_. Chunks are copied whole, which is faster than copying the
  /// used part; each chunk overwrites the unused end of the chunk before.
  void take_slot(std::size_t slot) {
    batched_ = 0;
    std::uint32_t chunk = slots_[slot].chunk;
    if (chunk == kNone) return;
    std::size_t count = slots_[slot].count;
    slots_[slot] = {};
    clear_bit(slot);
    for (;;) {
      Chunk& of = chunks_[chunk];
      if (batch_.size() < batched_ + kPerChunk) more_batch();
      std::memcpy(batch_.data() + batched_, of.events, sizeof(of.events));
      batched_ += count;
      count = kPerChunk;
      const std::uint32_t after = of.next;
      of.next = free_;
      free_ = chunk;
      if (after == kNone) break;
      chunk = after;
    }
    pending_ -= batched_;
  }

  [[gnu::noinline]] void put_overflow(Tick at, Event event) {
    overflow_.push_back({at, event});
    std::push_heap(overflow_.begin(), overflow_.end(), later);
    overflow_next_ = overflow_.front().at;
  }

  [[gnu::noinline, gnu::cold]] void more_batch() { batch_.resize(2 * (batched_ + kPerChunk)); }

  [[gnu::noinline, gnu::cold]] void more_chunks() {
    const std::size_t before = chunks_.size();
    chunks_.resize(std::max<std::size_t>(64, 2 * before));
    for (std::size_t i = chunks_.size(); i-- > before; free_ = static_cast<std::uint32_t>(i))
      chunks_[i].next = free_;
  }

  /// Moves the events that are now within the wheel's range from the heap into the wheel.
  [[gnu::noinline]] void refill_from_overflow(Tick at) {
    while (!overflow_.empty() && static_cast<std::uint64_t>(overflow_.front().at - at) <= mask_) {
      put(overflow_.front().at, overflow_.front().event);
      std::pop_heap(overflow_.begin(), overflow_.end(), later);
      overflow_.pop_back();
    }
    overflow_next_ = overflow_.empty() ? kNever : overflow_.front().at;
  }

  void set_bit(std::size_t slot) {
    words_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    summary_[slot / 4096] |= std::uint64_t{1} << (slot / 64 % 64);
  }
  void clear_bit(std::size_t slot) {
    words_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    if (words_[slot / 64] == 0) summary_[slot / 4096] &= ~(std::uint64_t{1} << (slot / 64 % 64));
  }

  /// The tick of the first slot in use, from now() on around the wheel. At least one slot is in
  /// use.
  Tick first_pending() const {
    const std::size_t from = static_cast<std::size_t>(now_) & mask_;
    const std::uint64_t here = words_[from / 64] >> (from % 64);
    if (here != 0) return now_ + std::countr_zero(here);
    const std::size_t slot = first_after(from / 64);
    return now_ + static_cast<Tick>((slot - from) & mask_);
  }

  /// The first slot in use after the 64 slots of `word` (an index into words_), around the wheel;
  /// the slots of `word` itself come last.
  std::size_t first_after(std::size_t word) const {
    std::size_t top = word / 64;
    std::uint64_t bits =
        word % 64 == 63 ? 0 : summary_[top] & (~std::uint64_t{0} << (word % 64 + 1));
    while (bits == 0) {
      top = top + 1 == summary_.size() ? 0 : top + 1;
      bits = summary_[top];
    }
    const std::size_t found = top * 64 + static_cast<std::size_t>(std::countr_zero(bits));
    return found * 64 + static_cast<std::size_t>(std::countr_zero(words_[found]));
  }

  LargeArray<Slot> slots_;
  std::uint64_t mask_ = 0;
  std::vector<std::uint64_t> words_, summary_;
  LargeArray<Chunk> chunks_;
  std::uint32_t free_ = kNone;        // the first chunk that is not in use
  std::uint32_t prefetched_ = kNone;  // the chunk that was prefetched last
  std::size_t pending_ = 0;           // number of events in the wheel
  std::vector<Event> batch_;          // its first batched_ events are in use
  std::size_t batched_ = 0;
  std::vector<Overflow> overflow_;
  Tick overflow_next_ = kNever;
  Tick now_ = 0;
};

}  // namespace selvedge::sim
