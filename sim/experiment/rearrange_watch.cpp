// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/rearrange_watch.hpp"

#include <algorithm>

#include "sim/traffic/packets.hpp"

namespace selvedge::sim {

namespace {
constexpr std::size_t kCompactAt = 256;
}

Message RearrangeWatch::next(HostId from) {
  expect(from);  // all packets of the message before have entered the queue
  const Message message = traffic_.next(from);
  if (message.at != kNever) {
    sources_[from].packets = packets_of(message.bytes, model_);
    sources_[from].to = message.to;
  }
  return message;
}

void RearrangeWatch::put_back(HostId from) {
  sources_[from].packets = 0;  // it is not due, so none of its packets has entered
  traffic_.put_back(from);
}

void RearrangeWatch::delivered(const Delivery& packet, std::vector<HostId>& woken) {
  take(packet, false);
  if (traffic_.wants_deliveries()) traffic_.delivered(packet, woken);
}

void RearrangeWatch::lost(const Delivery& packet, std::vector<HostId>& woken) {
  take(packet, true);
  if (traffic_.wants_deliveries()) traffic_.lost(packet, woken);
}

/// The pending message's packets are on their way, or will be.
void RearrangeWatch::expect(HostId from) {
  Source& source = sources_[from];
  if (source.packets == 0) return;
  Pair& pair = pairs_[key(from, source.to)];
  for (; source.packets > 0; --source.packets)
    pair.packets.push_back({source.sequence++, 0, false});
}

void RearrangeWatch::take(const Delivery& packet, bool lost) {
  if (packet.sequence >= sources_[packet.from].sequence) expect(packet.from);
  const auto found = pairs_.find(key(packet.from, packet.to));
  Pair& pair = found->second;
  std::size_t at = pair.first;
  while (pair.packets[at].sequence != packet.sequence) ++at;
  const std::size_t ahead = at - pair.first;
  if (!lost) {
    ++counted_.received;
    if (ahead > 0) {
      ++counted_.early;
      counted_.distance.add(static_cast<Tick>(ahead));
      pair.packets[at].bytes = packet.bytes - std::min<unsigned>(packet.bytes, model_.header_bytes);
      pair.bytes += pair.packets[at].bytes;
      store(packet.to, packet.delivered, pair.packets[at].bytes);
      counted_.connection_bytes_max = std::max(counted_.connection_bytes_max, pair.bytes);
    }
  }
  pair.packets[at].here = true;
  std::uint64_t released = 0;
  for (; pair.first < pair.packets.size() && pair.packets[pair.first].here; ++pair.first)
    released += pair.packets[pair.first].bytes;
  if (released > 0) {
    pair.bytes -= released;
    store(packet.to, packet.delivered, -static_cast<std::int64_t>(released));
  }
  if (pair.first == pair.packets.size()) {
    pairs_.erase(found);
  } else if (pair.first >= kCompactAt && 2 * pair.first > pair.packets.size()) {
    pair.packets.erase(pair.packets.begin(),
                       pair.packets.begin() + static_cast<std::ptrdiff_t>(pair.first));
    pair.first = 0;
  }
}

void RearrangeWatch::store(HostId at, Tick now, std::int64_t more) {
  Receiver& receiver = receivers_[at];
  receiver.byte_ticks +=
      static_cast<double>(receiver.bytes) * static_cast<double>(now - receiver.since);
  receiver.since = now;
  receiver.bytes += static_cast<std::uint64_t>(more);
  counted_.bytes_max = std::max(counted_.bytes_max, receiver.bytes);
}

void RearrangeWatch::begin(Tick now) {
  began_ = now;
  counted_ = Rearranged();
  for (Receiver& receiver : receivers_) {
    receiver.byte_ticks = 0;
    receiver.since = now;
    counted_.bytes_max = std::max(counted_.bytes_max, receiver.bytes);
  }
  for (const auto& [hosts, pair] : pairs_)
    counted_.connection_bytes_max = std::max(counted_.connection_bytes_max, pair.bytes);
}

Rearranged RearrangeWatch::end(Tick now, unsigned hosts) const {
  Rearranged result = counted_;
  for (const Receiver& r : receivers_)
    result.bytes_mean +=
        r.byte_ticks + static_cast<double>(r.bytes) * static_cast<double>(now - r.since);
  result.bytes_mean /= static_cast<double>(now - began_) * hosts;
  return result;
}

}  // namespace selvedge::sim
