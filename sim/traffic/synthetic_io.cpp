// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Synthetic requests to disks, in place of the HP cello traces of Gómez 2007 §5.1 and Martínez 2005
// §4.1, which are no longer available. The kinds of distributions are those found for storage in
// general (gaps: two-phase hyper-exponential, Wajahat et al. 2020). Their parameters are our
// choice.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/traffic/checks.hpp"
#include "sim/traffic/streams.hpp"
#include "sim/traffic/terminals.hpp"
#include "sim/traffic/trace.hpp"

namespace selvedge::sim {
namespace {

constexpr double kShortGaps = 0.9;  // share of gaps that are short (within a burst)
constexpr double kShortGap = 0.01;  // mean of the short gaps, as a share of the mean of all gaps
constexpr double kLongGap = (1 - kShortGaps * kShortGap) / (1 - kShortGaps);
constexpr double kReads = 0.45;
constexpr double kCached = 0.3;       // share of answers from the disk's cache
constexpr double kCachedNs = 0.5e6;   // mean time of an answer from the cache (exponential)
constexpr double kSeekLeastNs = 2e6;  // time of any other answer: uniform, from this …
constexpr double kSeekMostNs = 14e6;  // … to this
constexpr std::uint32_t kCommandBytes = 64;
constexpr std::uint64_t kMaxRequests = 100'000'000;
constexpr double kZipf = 1;  // exponent of the disks' popularity

struct Size {
  std::uint32_t bytes;
  double share;
};
constexpr std::array<Size, 6> kSizes = {
    {{1024, 0.15}, {2048, 0.10}, {4096, 0.15}, {8192, 0.50}, {16384, 0.05}, {65536, 0.05}}};

std::uint32_t draw_size(Stream& chance) {
  double left = chance.real();
  for (const Size& size : kSizes) {
    left -= size.share;
    if (left < 0) return size.bytes;
  }
  return kSizes.back().bytes;
}

/// The distribution (Zipf) by which requests choose their disk; disk 0 is the most popular.
class Popularity {
 public:
  explicit Popularity(std::uint32_t disks) : cumulative_(disks) {
    double sum = 0;
    for (std::uint32_t i = 0; i < disks; ++i) cumulative_[i] = sum += std::pow(i + 1, -kZipf);
  }
  std::uint32_t draw(Stream& chance) const {
    const double at = chance.real() * cumulative_.back();
    const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), at);
    return static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(
        found - cumulative_.begin(), static_cast<std::ptrdiff_t>(cumulative_.size()) - 1));
  }

 private:
  std::vector<double> cumulative_;
};

/// A host that sends requests, with the disk that its present burst of requests goes to.
struct Requester {
  double next_ns;
  Terminal host;
  std::uint32_t disk;

  static bool later(const Requester& a, const Requester& b) {
    return a.next_ns != b.next_ns ? a.next_ns > b.next_ns : a.host > b.host;
  }
};

}  // namespace

Trace synthetic_io(const TrafficSpec& spec, const Fabric& fabric, std::uint64_t seed) {
  const Terminals terminals(fabric);
  if (spec.disks < 1 || spec.disks >= terminals.count())
    throw bad_value("disks", spec.disks,
                    fmt::format("a number from 1 to {}: the others are hosts that send requests",
                                terminals.count() - 1));
  if (spec.io_requests < 1 || spec.io_requests > kMaxRequests)
    throw bad_value("io_requests", spec.io_requests,
                    fmt::format("a number from 1 to {}", kMaxRequests));
  check_between("io_rate_per_s", spec.io_rate_per_s, 1, 1e9);

  std::vector<Terminal> disks, hosts;
  disks.reserve(spec.disks);
  for (std::uint64_t i = 0; i < spec.disks; ++i)
    disks.push_back(static_cast<Terminal>(i * terminals.count() / spec.disks));
  for (Terminal e = 0; e < terminals.count(); ++e)
    if (!std::binary_search(disks.begin(), disks.end(), e)) hosts.push_back(e);

  Stream chance = stream_of(seed, StreamUse::kSyntheticIo);
  const Popularity popularity(spec.disks);
  const double gap = 1e9 / spec.io_rate_per_s * static_cast<double>(hosts.size());
  const auto long_gap = [&] { return chance.exponential(gap * kLongGap); };
  std::vector<Requester> requesters;
  requesters.reserve(hosts.size());
  for (const Terminal h : hosts) requesters.push_back({long_gap(), h, popularity.draw(chance)});
  std::make_heap(requesters.begin(), requesters.end(), Requester::later);

  Trace trace;
  for (std::uint64_t i = 0; i < spec.io_requests; ++i) {
    std::pop_heap(requesters.begin(), requesters.end(), Requester::later);
    Requester& requester = requesters.back();
    const bool read = chance.chance(kReads);
    const std::uint32_t data = draw_size(chance);
    const HostId host = terminals.host(requester.host),
                 disk = terminals.host(disks[requester.disk]);
    trace.add({.time_ns = requester.next_ns,
               .from = host,
               .to = disk,
               .bytes = read ? kCommandBytes : data});
    const std::uint32_t request[] = {static_cast<std::uint32_t>(2 * i)};
    const double service = chance.chance(kCached)
                               ? chance.exponential(kCachedNs)
                               : kSeekLeastNs + chance.real() * (kSeekMostNs - kSeekLeastNs);
    trace.add({.time_ns = service, .from = disk, .to = host, .bytes = read ? data : kCommandBytes},
              request);
    if (chance.chance(kShortGaps)) {
      requester.next_ns += chance.exponential(gap * kShortGap);
    } else {
      requester.next_ns += long_gap();
      requester.disk = popularity.draw(chance);
    }
    std::push_heap(requesters.begin(), requesters.end(), Requester::later);
  }
  return trace;
}

}  // namespace selvedge::sim
