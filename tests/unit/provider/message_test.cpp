// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/provider/message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace selvedge::provider {
namespace {

struct Recorder : MessageReader::Sink {
  bool begin(const Header& header) override {
    headers.push_back(header);
    payloads.emplace_back();
    return true;
  }
  void append(std::span<const std::byte> bytes) override {
    payloads.back().insert(payloads.back().end(), bytes.begin(), bytes.end());
  }
  bool end() override {
    ++ended;
    return true;
  }
  std::vector<Header> headers;
  std::vector<std::vector<std::byte>> payloads;
  std::size_t ended = 0;
};

RC_GTEST_PROP(Message, is_read_however_it_is_cut, ()) {
  const auto count = *rc::gen::inRange(0, 6);
  std::vector<Header> headers;
  std::vector<std::vector<std::byte>> payloads;
  std::vector<std::byte> stream;
  for (int i = 0; i < count; ++i) {
    const auto length = *rc::gen::inRange<std::size_t>(0, 200);
    const auto flags = *rc::gen::element<std::uint8_t>(0, kHasData, kAnswer, kOffered);
    auto& payload = payloads.emplace_back(flags == kOffered ? 0 : length);
    for (std::byte& b : payload) b = static_cast<std::byte>(*rc::gen::arbitrary<std::uint8_t>());
    const auto kind = *rc::gen::element(Kind::kMessage, Kind::kTagged);
    headers.push_back({.kind = kind,
                       .flags = flags,
                       .length = length,
                       .tag = *rc::gen::arbitrary<std::uint64_t>(),
                       .data = *rc::gen::arbitrary<std::uint64_t>()});
    const HeaderBytes head = encode(headers.back());
    stream.insert(stream.end(), head.begin(), head.end());
    stream.insert(stream.end(), payload.begin(), payload.end());
  }
  Recorder recorder;
  MessageReader reader;
  for (std::span<const std::byte> rest(stream); !rest.empty();) {
    const auto n = std::min<std::size_t>(rest.size(), *rc::gen::inRange<std::size_t>(1, 100));
    RC_ASSERT(reader.read(rest.first(n), recorder));
    rest = rest.subspan(n);
  }
  RC_ASSERT(recorder.headers == headers);
  RC_ASSERT(recorder.payloads == payloads);
  RC_ASSERT(recorder.ended == headers.size());
}

TEST(Message, headers_that_no_peer_may_send_are_refused) {
  Header header;
  for (const Header& wrong :
       {Header{.kind = static_cast<Kind>(0)}, Header{.kind = static_cast<Kind>(8)},
        Header{.flags = 8}, Header{.kind = Kind::kPayload, .flags = kOffered},
        Header{.kind = Kind::kPayload, .length = kMessageBytesMax + 1},
        Header{.kind = Kind::kFetch, .length = 1}, Header{.kind = Kind::kCredit, .length = 1},
        Header{.length = kMessageBytesMax + 1},
        Header{.kind = Kind::kHello, .length = kHelloBytes - 1},
        Header{.kind = Kind::kProcessed, .length = 1}})
    EXPECT_FALSE(decode(encode(wrong), header));
  HeaderBytes reserved = encode(Header{});
  EXPECT_TRUE(decode(reserved, header));
  reserved[5] = std::byte{1};
  EXPECT_FALSE(decode(reserved, header));
}

TEST(Message, a_hello_says_who_is_at_both_ends) {
  const Hello hello{*Address::make("127.0.0.1:47001", "ofi-1-0"),
                    *Address::make("[::1]:47001", "ofi-2-0")};
  const auto bytes = encode(hello);
  const auto read = decode_hello(hello_header(), bytes);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->to, hello.to);
  EXPECT_EQ(read->from, hello.from);
  Header other = hello_header();
  other.tag = kVersion + 1;
  EXPECT_FALSE(decode_hello(other, bytes));
  other = hello_header();
  other.data = 0;
  EXPECT_FALSE(decode_hello(other, bytes));
}

TEST(Address, holds_address_port_and_name) {
  const auto address = Address::make("127.0.0.1:47001", "ofi-1-0");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->view(), "127.0.0.1:47001/ofi-1-0");
  EXPECT_EQ(address->name(), "ofi-1-0");
  EXPECT_EQ(Address::read(address->c_str()), address);
  // The longest IPv6 address with the name of a process.
  EXPECT_TRUE(Address::make("[1111:2222:3333:4444:5555:6666:7777:8888]:47001", "ofi-4194304-0"));
  EXPECT_FALSE(Address::make("127.0.0.1:47001", std::string(48, 'x')));
  EXPECT_TRUE(Address::make("127.0.0.1:47001", std::string(47, 'x')));
  EXPECT_FALSE(Address::make("", "x"));
  EXPECT_FALSE(Address::make("a", ""));
  EXPECT_FALSE(Address::make("a/b", "c"));
}

TEST(Address, bytes_that_are_none_are_refused) {
  std::array<char, Address::kBytes> bytes{};
  EXPECT_FALSE(Address::read(bytes.data()));
  bytes.fill('x');  // no end
  bytes[5] = '/';
  EXPECT_FALSE(Address::read(bytes.data()));
  bytes.back() = 0;
  EXPECT_TRUE(Address::read(bytes.data()));
  bytes[20] = 0;  // something after the end
  EXPECT_FALSE(Address::read(bytes.data()));
}

}  // namespace
}  // namespace selvedge::provider
