// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What providers write to each other over a connection: a header of 32 bytes, then the payload. A
// message is longer than a record of the connection may be, so it is one record or several; only
// the first has the header. Numbers are little-endian.
//
//    0      1       2        8        16      24      32
//   | kind | flags | zeros  | length | tag   | data  | payload, payload_bytes(header) bytes ...
//
//   connecting side                         accepting side
//   hello (tag: version, data: magic,  ---> finds the endpoint, learns who is at the other end
//          payload: its endpoint, ours)
//   message, tagged ...                <--> from now on both sides send over this connection
//                                      <--> processed: the oldest message with kAnswer that was
//                                           not answered yet has been placed or stored
//   message, tagged with kOffered      <--> only the header: the payload stays with the sender.
//                                           The n-th offer over a connection has the number n
//                                      <--> fetch (tag: number, data: how many bytes are wanted)
//                                      <--> payload (tag: number)
//                                      <--> credit (tag: end of the grant, unexpected.hpp)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "daemon/provider/address.hpp"

namespace selvedge::provider {

enum class Kind : std::uint8_t {
  kHello = 1,
  kMessage,
  kTagged,
  kProcessed,
  kPayload,
  kFetch,
  kCredit
};

/// Bits of Header::flags: `data` is for the receiver's completion; the sender wants to know when
/// the message has been processed; the payload is fetched later.
inline constexpr std::uint8_t kHasData = 1, kAnswer = 2, kOffered = 4;

struct Header {
  Kind kind = Kind::kMessage;
  std::uint8_t flags = 0;
  std::uint64_t length = 0, tag = 0, data = 0;
  bool operator==(const Header&) const = default;
};
inline constexpr std::size_t kHeaderBytes = 32;
inline constexpr std::uint64_t kVersion = 2, kMagic = 0x53454c56'45444745;  // "SELVEDGE"
inline constexpr std::size_t kHelloBytes = 2 * Address::kBytes;
/// The longest message.
inline constexpr std::uint64_t kMessageBytesMax = std::uint64_t{1} << 32;

/// How many bytes follow a header.
constexpr std::uint64_t payload_bytes(const Header& header) {
  return (header.flags & kOffered) != 0 ? 0 : header.length;
}

using HeaderBytes = std::array<std::byte, kHeaderBytes>;
HeaderBytes encode(const Header& header);
/// Returns whether `bytes` are a header that a peer may send, and puts it into `header`.
bool decode(const HeaderBytes& bytes, Header& header);

/// Who a hello is for and from whom it is.
struct Hello {
  Address to, from;
};
Header hello_header();
std::array<std::byte, kHelloBytes> encode(const Hello& hello);
/// Nothing if the peer speaks another version, or if the bytes are no addresses.
std::optional<Hello> decode_hello(const Header& header, std::span<const std::byte> payload);

/// Takes the bytes of a connection as they come and finds the messages in them.
class MessageReader {
 public:
  /// Learns of each message: begin, append for each part of its payload, end.
  class Sink {
   public:
    virtual ~Sink() = default;
    /// begin() and end() return false to refuse the message, after which nothing more is read.
    virtual bool begin(const Header& header) = 0;
    virtual void append(std::span<const std::byte> bytes) = 0;
    virtual bool end() = 0;
  };
  /// Returns false if the peer broke the format, or if the sink refused.
  bool read(std::span<const std::byte> bytes, Sink& sink);

 private:
  HeaderBytes header_{};
  std::size_t header_read_ = 0;  ///< how many of its bytes have been read
  std::uint64_t left_ = 0;       ///< bytes of the payload that have not been read
};

}  // namespace selvedge::provider
