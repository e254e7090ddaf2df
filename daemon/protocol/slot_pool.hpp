// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The slot pool is the memory of a daemon's rearrange buffers, which store packets that arrive
// early. It consists of small slots. A packet takes a chain of as many slots as its payload needs,
// so small packets take little memory, and memory cannot be fragmented: any free slots will do.
// Slots that were given back together are taken together again, so a chain mostly lies in one piece
// while packets have the same length.
//
// A daemon of one thread has one pool, with all memory that there is. Each worker of others has a
// pool of its own, and the pools share the memory by need (slot_depot.hpp).
//
// Under the static policy a connection owns a fixed number of slots from its opening to its end.
// Under the dynamic policy all connections share the slots, each up to a limit (Martínez 2005 §3.2,
// §4.3, §4.4).
//
// A receiver grants its sender slots before the sender may use them (receiver.hpp). The pool keeps
// count of what all receivers have promised: never more slots than the pool has. Under the dynamic
// policy each active receiver may be promised the same share, of all pools' memory. If that would
// be less than a turn, kTurnPackets long packets, receivers take turns (deficit round robin with
// one quantum): each is promised as much at a time, and once its sender has used that up, it waits
// behind all others.
//
// A simulator has packets without bytes. It runs the same protocol on a pool that counts slots and
// stores where a payload is, in place of its bytes (PayloadStorage::kReferences).
//
// A full pool must not block the next expected packet of any connection. That packet is delivered
// to the application from the buffer in which it was received (the reception buffer of Martínez
// 2005 Fig. 1), so it needs no slot.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "daemon/protocol/limits.hpp"
#include "daemon/protocol/slot_depot.hpp"

namespace selvedge::protocol {

enum class MemoryPolicy : std::uint8_t { kDynamic, kStatic };

/// The slots of one stored packet.
struct SlotChain {
  std::uint32_t first = kNoSlot;
  bool one_piece = false;  ///< the slots are consecutive in memory
};

class SlotShare;

class SlotPool {
 public:
  /// A pool alone: as the constructor of SlotDepot.
  SlotPool(std::size_t total_bytes, std::size_t packet_bytes,
           PayloadStorage storage = PayloadStorage::kBytes)
      : SlotPool(std::make_shared<SlotDepot>(total_bytes, packet_bytes, 1, storage), 0) {}
  /// The pool of that number, below depot->pools(). There may be one of each number.
  SlotPool(std::shared_ptr<SlotDepot> depot, unsigned number);

  const std::shared_ptr<SlotDepot>& depot() const { return depot_; }
  std::size_t slot_bytes() const { return depot_->slot_bytes(); }
  std::size_t packet_bytes() const { return depot_->packet_bytes(); }
  /// How many slots the longest packet takes.
  std::uint32_t packet_slots() const { return packet_slots_; }
  /// How many slots the pool has now.
  std::uint32_t slots() const { return slots_; }
  /// The number of slots in use now, and the highest number so far.
  std::uint32_t used() const { return slots_ - free_count_; }
  std::uint32_t used_max() const { return used_max_; }
  /// The number of free slots that no connection owns by the static policy.
  std::uint32_t shared_free() const { return free_count_ - owned_free_; }
  /// The slots promised to senders by the dynamic policy, and to how many connections.
  std::uint64_t promised() const { return promised_; }
  std::uint32_t active() const { return active_; }
  /// Limits what is promised to the bytes that the network's queues of received packets hold: what
  /// arrives must have room there too. To be called before the first connection opens.
  void limit_promises(std::size_t bytes);
  /// Limits what senders may have under way (bandwidth.hpp), to at least kTurnPacketsLeast of the
  /// longest packets: the sum of all turns, without what is stored, and each fair share. A turn is
  /// an eighth of it, kTurnPacketsLeast to kTurnPackets of the longest packets. What was promised
  /// before is left alone.
  void limit_flow(std::uint32_t slots) { flow_limit_ = slots; }
  void unlimit_flow() { flow_limit_ = 0xffff'ffff; }

  /// Returns to the depot what this pool need not keep, or owes to another one. Then gives turns to
  /// the shares that wait longest, as far as slots are promised to nobody. f: is called with the
  /// owner of each, whose receiver must then report.
  template <class F>
  void serve(F&& f) {
    if (depot_->pools() > 1) share();
    while (SlotShare* share = next_turn()) f(owner_of(*share));
  }

 private:
  friend class SlotShare;

  SlotChain take(std::uint32_t count);
  void give(SlotChain chain, std::uint32_t count);
  void write(SlotChain chain, std::span<const std::byte> payload);
  std::span<const std::byte> read(SlotChain chain, std::size_t length);
  std::byte* bytes(std::uint32_t slot) { return depot_->arena_.get() + slot * slot_bytes_; }
  bool by_reference() const { return depot_->arena_ == nullptr; }
  void add(SlotDepot::Batch batch);
  /// Takes a batch from the depot, if there is one.
  bool fetch();
  /// Takes batches until so many slots are promised to nobody, as far as there are any.
  void fetch_unpromised(std::uint32_t slots);
  /// Tells the depot how this pool stands, and returns what it need not keep.
  void share();
  /// Whether another pool is to get a batch from this one.
  bool owes() const;
  bool has_spare_batch() const;
  /// Whether so many slots are at least what the pool's connections may have of all memory.
  bool has_fair_part(std::uint32_t slots) const;
  /// The free slots that the pool keeps for packets that nothing was promised for.
  std::uint32_t unsolicited_slots() const {
    return base_slots_ < kUnsolicitedSlots ? base_slots_ : kUnsolicitedSlots;
  }
  /// How many more slots may be promised under the dynamic policy. What is promised may exceed
  /// shared(), since a sender may hold more than its grant.
  std::uint32_t unpromised() const {
    return promised_ < shared() ? static_cast<std::uint32_t>(shared() - promised_) : 0;
  }
  std::uint32_t turn_slots() const;
  /// How many more slots may be promised by turns, for what may be under way.
  std::uint32_t turn_room() const {
    const std::uint64_t room = std::uint64_t{flow_limit_} + used() - (owned_ - owned_free_);
    return turn_promised_ < room ? static_cast<std::uint32_t>(
                                       std::min<std::uint64_t>(room - turn_promised_, 0xffff'ffff))
                                 : 0;
  }
  std::uint32_t fair_share() const;
  SlotShare* next_turn();
  static std::uint32_t owner_of(const SlotShare& share);
  void wait(SlotShare& share);
  void leave(SlotShare& share);
  /// Adds to the slots owned by the static policy, and to the receivers with a promise, here and in
  /// the depot. Modulo 2^32: what is given back is added, too.
  void own(std::uint32_t n) {
    owned_ += n;
    depot_->add_owned(n);
  }
  void activate(std::uint32_t n) {
    active_ += n;
    depot_->add_active(n);
  }
  std::uint32_t shared() const { return slots_ - owned_ < limit_ ? slots_ - owned_ : limit_; }

  std::shared_ptr<SlotDepot> depot_;
  unsigned number_;
  std::size_t slot_bytes_;
  std::uint32_t packet_slots_;
  std::uint32_t base_slots_ = 0;  // never returned
  std::uint32_t slots_ = 0;
  std::uint32_t free_count_ = 0;
  std::uint32_t owned_ = 0;       // slots that connections own by the static policy
  std::uint32_t owned_free_ = 0;  // those of them that are free
  std::uint32_t used_max_ = 0;
  std::uint32_t limit_ = 0xffff'ffff;
  std::uint32_t flow_limit_ = 0xffff'ffff;
  std::uint32_t active_ = 0, in_turn_ = 0;
  std::uint64_t promised_ = 0, turn_promised_ = 0;  // in all, and by turns
  SlotShare* first_waiting_ = nullptr;              // for a turn, as a list in both directions
  SlotShare* last_waiting_ = nullptr;
  std::uint32_t free_ = kNoSlot;           // the first free slot
  std::uint32_t* next_;                    // SlotDepot::next_
  std::unique_ptr<std::byte[]> gathered_;  // the last packet read that did not lie in one piece
};

/// One connection's share of the pool's slots. The pool must outlive the share.
class SlotShare {
 public:
  /// slots: how many the connection owns (static policy) or may hold at most (dynamic policy).
  /// owner: for SlotPool::serve().
  SlotShare(SlotPool& pool, MemoryPolicy policy, std::uint32_t slots, std::uint32_t owner = 0);
  ~SlotShare();
  SlotShare(const SlotShare&) = delete;
  SlotShare& operator=(const SlotShare&) = delete;

  /// False if the policy is static and the pool had too few free slots; the share then has no
  /// slots.
  bool granted() const { return granted_; }
  std::uint32_t held() const { return held_; }
  /// How many slots could be taken now.
  std::uint32_t available() const;
  std::size_t packet_bytes() const { return pool_.packet_bytes(); }
  std::uint32_t packet_slots() const { return pool_.packet_slots(); }

  /// Stores a payload, for which slots_of(its length) slots must be available.
  SlotChain store(std::span<const std::byte> payload);
  /// The bytes of a stored payload; valid until the next call.
  std::span<const std::byte> read(SlotChain chain, std::size_t length) {
    return pool_.read(chain, length);
  }
  void give(SlotChain chain, std::size_t length);

  /// Renews what the sender is promised: `kept` slots have been promised and are not used up yet.
  /// Returns the new number. Under the static policy that is all the connection owns. Under the
  /// dynamic policy it grows up to the need, at most to the fair share, as long as the pool has
  /// slots that are promised to nobody. It is less than `kept` only if the connection begins to
  /// wait for its turn, with less than one of the longest packets left.
  std::uint32_t promise(std::uint32_t kept);
  /// While memory is scarce, connections are promised slots in turn. Whether this one waits for its
  /// turn, and whether that has come: the next promise() uses it.
  bool waiting() const { return waiting_; }
  bool turn() const { return turn_; }
  /// From now on no more is promised than the sender has shown to need: kUnsolicitedSlots at first,
  /// twice as much after each demand(), and as at first after retire(). Half as much after two
  /// turns without a demand, at least one of the longest packets. Turns cost reports, so also at
  /// least a quarter of the fair share, up to kUnsolicitedSlots.
  void grow_on_demand() { on_demand_ = policy_ == MemoryPolicy::kDynamic; }
  void demand() { demanded_ = on_demand_; }
  /// There was a demand since the last promise().
  bool demanded() const { return demanded_; }
  /// Likewise, and a promise that is made now is longer for it.
  bool may_grow() const;
  /// How much the sender has shown to need.
  std::uint32_t need() const { return on_demand_ ? need_ : slots_; }
  /// To be called when the sender has given its grant up: its slots may then be promised to others,
  /// and it no longer waits for a turn.
  void retire();

 private:
  friend class SlotPool;

  void count(std::uint32_t promised);
  void begin_turn();
  void end_turn();

  SlotPool& pool_;
  MemoryPolicy policy_;
  bool granted_ = true;
  bool active_ = false;
  std::uint32_t slots_;
  std::uint32_t held_ = 0;
  std::uint32_t counted_ = 0;  // in the pool's promised_
  std::uint32_t owner_;
  std::uint32_t turn_slots_ = 0;  // of a turn that has come, for the next promise()
  std::uint32_t need_ = kUnsolicitedSlots;
  bool on_demand_ = false, demanded_ = false;
  bool demanded_before_ = false;  // in the turn before
  bool waiting_ = false, turn_ = false;
  bool in_turn_ = false;  // what it is promised came by turns
  SlotShare* before_ = nullptr;
  SlotShare* after_ = nullptr;
};

}  // namespace selvedge::protocol
