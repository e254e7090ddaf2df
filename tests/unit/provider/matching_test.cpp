// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Matching is compared with the rule of fi_tagged(3), applied to the list of all that happened.
#include "daemon/provider/matching.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <numeric>
#include <string>
#include <vector>

#include "daemon/provider/peer.hpp"

namespace selvedge::provider {
namespace {

struct Event {
  bool is_receive;
  std::size_t id;
  std::uint64_t tag, ignore;
  int source;  // of a message; of a receive −1 means any
};

/// For each receive the message that it takes, or −1.
std::vector<long> by_the_rule(const std::vector<Event>& events) {
  std::vector<long> taken(events.size(), -1);
  std::list<Event> posted, waiting;
  const auto fits = [](const Event& r, const Event& m) {
    return (r.source < 0 || r.source == m.source) && (r.tag | r.ignore) == (m.tag | r.ignore);
  };
  for (const Event& e : events) {
    auto& others = e.is_receive ? waiting : posted;
    const auto found = std::ranges::find_if(
        others, [&](const Event& o) { return e.is_receive ? fits(e, o) : fits(o, e); });
    if (found == others.end()) {
      (e.is_receive ? posted : waiting).push_back(e);
      continue;
    }
    taken[e.is_receive ? e.id : found->id] = static_cast<long>(e.is_receive ? found->id : e.id);
    others.erase(found);
  }
  return taken;
}

RC_GTEST_PROP(Matching, follows_the_rule, ()) {
  Peer peers[3] = {Peer({}), Peer({}), Peer({})};
  const auto count = *rc::gen::inRange<std::size_t>(0, 60);
  std::vector<Event> events;
  for (std::size_t id = 0; id < count; ++id) {
    const bool is_receive = *rc::gen::arbitrary<bool>();
    events.push_back({is_receive, id, *rc::gen::inRange<std::uint64_t>(0, 4),
                      is_receive ? *rc::gen::inRange<std::uint64_t>(0, 4) : 0,
                      *rc::gen::inRange(is_receive ? -1 : 0, 3)});
  }
  Matching matching;
  std::vector<long> taken(count, -1);
  for (const Event& e : events) {
    if (e.is_receive) {
      Receive receive{.buffer = {},
                      .source = e.source < 0 ? nullptr : &peers[e.source],
                      .tag = e.tag,
                      .ignore = e.ignore,
                      .context = reinterpret_cast<void*>(e.id)};
      const ArrivalPtr arrival = matching.find(receive);
      if (arrival == nullptr) {
        matching.post(receive);
      } else {
        taken[e.id] = static_cast<long>(arrival->header.data);
        matching.remove(arrival);
      }
    } else {
      const Header header{.kind = Kind::kTagged, .tag = e.tag, .data = e.id};
      if (const auto receive = matching.take_receive(header, &peers[e.source])) {
        taken[reinterpret_cast<std::size_t>(receive->context)] = static_cast<long>(e.id);
      } else {
        auto arrival = std::make_shared<Arrival>();
        arrival->header = header;
        arrival->from = &peers[e.source];
        matching.wait(std::move(arrival));
      }
    }
  }
  RC_ASSERT(taken == by_the_rule(events));
}

TEST(Matching, a_cancelled_receive_takes_nothing) {
  Matching matching;
  int a = 0, b = 0;
  matching.post({.buffer = {}, .context = &a});
  matching.post({.buffer = {}, .context = &b});
  EXPECT_TRUE(matching.cancel(&a));
  EXPECT_FALSE(matching.cancel(&a));
  const auto taken = matching.take_receive({}, nullptr);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->context, &b);
}

RC_GTEST_PROP(Buffer, is_the_bytes_of_its_parts, ()) {
  std::vector<std::string> parts;
  std::vector<iovec> vectors;
  for (std::size_t i = *rc::gen::inRange<std::size_t>(0, kVectorMax + 1); i != 0; --i)
    parts.emplace_back(*rc::gen::inRange(0, 20), '.');
  for (std::string& part : parts) vectors.push_back({part.data(), part.size()});
  const Buffer buffer(vectors.data(), vectors.size());
  const std::string all = std::accumulate(parts.begin(), parts.end(), std::string());
  RC_ASSERT(buffer.bytes == all.size());
  const auto offset = *rc::gen::inRange<std::size_t>(0, 100);
  std::string text(*rc::gen::inRange<std::size_t>(0, 100), '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>('a' + i % 26);
  buffer.scatter(offset, std::as_bytes(std::span(text)));
  std::string wanted = all;
  const std::size_t kept = offset < all.size() ? std::min(text.size(), all.size() - offset) : 0;
  if (kept != 0) wanted.replace(offset, kept, text, 0, kept);
  RC_ASSERT(std::accumulate(parts.begin(), parts.end(), std::string()) == wanted);
  std::string back(kept, '\0');
  buffer.gather(offset, std::as_writable_bytes(std::span(back)));
  RC_ASSERT(back == text.substr(0, kept));
}

}  // namespace
}  // namespace selvedge::provider
