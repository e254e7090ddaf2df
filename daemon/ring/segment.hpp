// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A segment is the memory that an application and the daemon share for one connection. Each of them
// reads and writes it without trusting the other.
//
//   +---------+----------------+----------------+     a memfd with file seals, made by the daemon;
//   | Control | tx: to be sent | rx: received   |     each ring is mapped twice in a row, so that
//   +---------+----------------+----------------+     no record ever has to be split at the end
//    1 page     2^k bytes        2^k bytes
//
// A ring contains records. A record is a header of 8 bytes (length and flags), the data, and
// padding to a multiple of 8. Records are appended at the ring's tail and removed at its head. Head
// and tail are 64-bit counts of bytes that only grow, so the ring contains tail − head bytes. Only
// one process writes each of these counts. A record of rx is the payload of one packet, so a
// received message is one record or several. A record of tx is a whole message, or a part of one if
// both ends can do that (kHeads of control.hpp). Then a message may also begin with a head of 16
// bytes:
//
//   tag (8 bytes, big-endian) | length of the message, the head left out (8 bytes, big-endian)
//
// The other process may be hostile. So read_record() copies a header from shared memory once,
// checks it against the ring's size, and uses only the checked copy. The seals of the memfd prevent
// the application from truncating the file while the daemon has it mapped.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace selvedge::ring {

inline constexpr std::uint32_t kMagic = 0x53564452;  // "SVDR"
inline constexpr std::uint32_t kLayoutVersion = 1;
inline constexpr std::size_t kControlBytes = 4'096;
inline constexpr std::size_t kRingBytesMin = 2 << 20;
inline constexpr std::size_t kRingBytesMax = std::size_t{1} << 30;
inline constexpr std::size_t kRecordHeaderBytes = 8;

/// Bits of a record's flags, the same as on the wire: the record is the first, the last of its
/// message; it begins with the message's head.
inline constexpr std::uint32_t kFirst = 1, kLast = 2, kHead = 8;

enum class State : std::uint32_t {
  kOpening,
  kOpen,
  kPeerClosed,  ///< the peer has closed; sending still works
  kClosed,      ///< Control::error says why
};

/// What an application waits for. Room: a daemon that still has packets to send may let a sixteenth
/// of the ring become free first, so that an application which fills its ring with short messages
/// is not woken for each of them.
enum class Waits : std::uint32_t { kNo, kForAnything, kForRoom };

// Fields that the application writes and fields that the daemon writes are on separate cache lines.
struct Control {  // NOLINT(clang-analyzer-optin.performance.Padding)
  std::uint32_t magic, version;
  std::uint64_t tx_bytes, rx_bytes;
  // Written by the application.
  alignas(64) std::atomic<std::uint64_t> tx_tail;
  alignas(64) std::atomic<std::uint64_t> rx_head;
  std::atomic<Waits> application_waits;  ///< to be woken by its eventfd
  std::atomic<std::uint32_t> closing;    ///< 1: sends no more; 2: nor reads
  // Written by the daemon.
  alignas(64) std::atomic<std::uint64_t> tx_head;  ///< the peer has acknowledged all before this
  alignas(64) std::atomic<std::uint64_t> rx_tail;
  alignas(64) std::atomic<std::uint32_t> daemon_waits;  ///< 1: to be woken by its eventfd
  std::atomic<State> state;
  std::atomic<std::uint32_t> error;
  std::atomic<std::uint64_t> retransmitted, rejected;  ///< packets of this connection
};
static_assert(sizeof(Control) <= kControlBytes);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

constexpr std::size_t record_bytes(std::size_t length) {
  return kRecordHeaderBytes + (length + 7) / 8 * 8;
}
/// The longest message, in bytes. It fits a ring of any permitted size, even if it is received as
/// one record for each of its packets.
inline constexpr std::size_t kMessageBytesMax = 512 << 10;
static_assert(2 * kMessageBytesMax <= kRingBytesMin);

/// The head of a message.
struct Head {
  std::uint64_t tag = 0, length = 0;
};
inline constexpr std::size_t kHeadBytes = 16;
/// The longest message with a head. One that exceeds kHeadedWholeMax may not fit a ring, so it is
/// received as it comes.
inline constexpr std::uint64_t kLengthMax = std::uint64_t{1} << 32;
inline constexpr std::size_t kHeadedWholeMax = kMessageBytesMax - kHeadBytes;
inline void put_head(const Head& head, std::byte* to) {
  for (unsigned i = 0; i < 8; ++i) {
    to[i] = static_cast<std::byte>(head.tag >> (56 - 8 * i));
    to[8 + i] = static_cast<std::byte>(head.length >> (56 - 8 * i));
  }
}
/// Reads the head at the beginning of a record; false if there is none that a sender may write.
inline bool read_head(std::span<const std::byte> record, Head& head) {
  if (record.size() < kHeadBytes) return false;
  head = {};
  for (unsigned i = 0; i < 8; ++i) {
    head.tag = head.tag << 8 | std::to_integer<std::uint64_t>(record[i]);
    head.length = head.length << 8 | std::to_integer<std::uint64_t>(record[8 + i]);
  }
  return head.length <= kLengthMax;
}

struct Record {
  std::span<const std::byte> bytes;
  std::uint32_t flags = 0;
  std::uint64_t end = 0;  ///< the position after the record
};

/// What read_record() finds at a position of a ring, whose writer is not trusted.
enum class ReadResult : std::uint8_t { kEmpty, kRecord, kCorrupt };
inline ReadResult read_record(const std::byte* ring, std::size_t ring_bytes, std::uint64_t position,
                              std::uint64_t tail, Record& record) {
  const std::uint64_t held = tail - position;
  if (held == 0) return ReadResult::kEmpty;
  if (held > ring_bytes || held < kRecordHeaderBytes || position % 8 != 0)
    return ReadResult::kCorrupt;
  const std::byte* at = ring + (position & (ring_bytes - 1));
  std::uint32_t header[2];
  std::memcpy(header, at, sizeof header);  // one copy: the writer may change the header at any time
  if (header[0] > kMessageBytesMax || record_bytes(header[0]) > held) return ReadResult::kCorrupt;
  record = {{at + kRecordHeaderBytes, header[0]}, header[1], position + record_bytes(header[0])};
  return ReadResult::kRecord;
}

/// Returns where to write the data of the next record, or null if it does not fit. `tail` and
/// `head` are the writer's own copies.
inline std::byte* reserve_record(std::byte* ring, std::size_t ring_bytes, std::uint64_t tail,
                                 std::uint64_t head, std::size_t length) {
  if (tail - head > ring_bytes || record_bytes(length) > ring_bytes - (tail - head)) return nullptr;
  return ring + (tail & (ring_bytes - 1)) + kRecordHeaderBytes;
}
/// Writes the header of the record whose data begins at `bytes`, and returns the new tail.
inline std::uint64_t commit_record(std::byte* bytes, std::uint64_t tail, std::size_t length,
                                   std::uint32_t flags) {
  const std::uint32_t header[2] = {static_cast<std::uint32_t>(length), flags};
  std::memcpy(bytes - kRecordHeaderBytes, header, sizeof header);
  return tail + record_bytes(length);
}

/// A segment that is mapped into this process; the destructor unmaps it.
class Segment {
 public:
  Segment() = default;
  ~Segment();
  Segment(Segment&& other) noexcept { *this = static_cast<Segment&&>(other); }
  Segment& operator=(Segment&& other) noexcept;

  /// Makes a segment in a new memfd, whose descriptor is put into `fd`. The sizes of the rings are
  /// powers of two from kRingBytesMin to kRingBytesMax. Returns an empty Segment and sets errno if
  /// the system refuses.
  static Segment make(std::size_t tx_bytes, std::size_t rx_bytes, int& fd);
  /// Maps a segment that the daemon has made. Returns an empty Segment if `fd` is no segment of
  /// this version.
  static Segment map(int fd);

  explicit operator bool() const { return control_ != nullptr; }
  Control& control() const { return *control_; }
  std::byte* tx() const { return tx_; }
  std::byte* rx() const { return rx_; }
  std::size_t tx_bytes() const { return tx_bytes_; }
  std::size_t rx_bytes() const { return rx_bytes_; }

 private:
  bool map_all(int fd);

  Control* control_ = nullptr;
  std::byte* tx_ = nullptr;
  std::byte* rx_ = nullptr;
  std::size_t tx_bytes_ = 0, rx_bytes_ = 0;  // checked once, never read again from the segment
};

}  // namespace selvedge::ring
