// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/apm.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "plugin/fabric/link_rate.hpp"

namespace selvedge::route {
namespace {

struct OffsetPath {
  unsigned offset = 0;
  Path path;
};

/// The paths that arrive. Of paths with the same cables and SL only that of the lowest offset.
std::vector<OffsetPath> distinct_paths(const Fabric& fabric, const Tables& tables, const Node& from,
                                       const Node& to) {
  std::vector<OffsetPath> paths;
  for (unsigned offset = 0; offset < to.lids; ++offset) {
    Path path = walk(fabric, tables, from.at, from.port, static_cast<Lid>(to.lid + offset));
    const auto same = [&](const OffsetPath& p) {
      return p.path.channels == path.channels && p.path.sl == path.sl;
    };
    if (path.arrives() && std::ranges::none_of(paths, same))
      paths.push_back({offset, std::move(path)});
  }
  return paths;
}

/// A path there and a path back, with the cables and switches that they use, sorted.
struct Candidate {
  const OffsetPath* forth = nullptr;
  const OffsetPath* home = nullptr;
  std::vector<Channel> cables;  // each by its lower channel
  std::vector<SwitchId> inner;  // the switches but those of the hosts
  bool reversed = false;
  std::size_t links() const { return forth->path.hops() + home->path.hops(); }
};

template <class Id>
void sort_once(std::vector<Id>& ids) {
  std::ranges::sort(ids);
  const auto twice = std::ranges::unique(ids);
  ids.erase(twice.begin(), twice.end());
}

Candidate make_candidate(const Fabric& fabric, const OffsetPath& forth, const OffsetPath& home) {
  Candidate c{.forth = &forth, .home = &home, .cables = {}, .inner = {}};
  const SwitchId ends[] = {forth.path.switches.front(), forth.path.switches.back()};
  for (const Path* path : {&forth.path, &home.path}) {
    for (const Channel channel : path->channels)
      c.cables.push_back(std::min(channel, fabric.peer(channel)));
    for (const SwitchId s : path->switches)
      if (s != ends[0] && s != ends[1]) c.inner.push_back(s);
  }
  sort_once(c.cables);
  sort_once(c.inner);
  c.reversed = reversed(fabric, forth.path, home.path);
  return c;
}

template <class Id>
bool share(const std::vector<Id>& a, const std::vector<Id>& b) {
  for (auto i = a.begin(), k = b.begin(); i != a.end() && k != b.end();) {
    if (*i == *k) return true;
    *i < *k ? ++i : ++k;
  }
  return false;
}

/// Whether responses on the request's SL are proved between these offsets.
bool answers_proved(const OffsetPath& forth, const OffsetPath& home, ReplyGrade grade) {
  return forth.path.sl == home.path.sl || grade == ReplyGrade::kSameSl ||
         (grade == ReplyGrade::kBase && forth.offset == 0 && home.offset == 0);
}

ConnectionRoute route_of(const Candidate& c) {
  return {c.forth->offset, c.home->offset,   c.forth->path,
          c.home->path,    c.forth->path.sl, c.reversed};
}

using Choice = std::pair<const Candidate*, const Candidate*>;

/// The best pair of candidates, which are sorted from the best to the worst.
Choice choose(const std::vector<Candidate>& sorted) {
  Choice best{nullptr, nullptr};
  std::tuple<bool, std::size_t, int> value{true, std::numeric_limits<std::size_t>::max(), 0};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Candidate& a = sorted[i];
    for (std::size_t k = i + 1; k < sorted.size(); ++k) {
      const Candidate& b = sorted[k];
      const std::size_t links = a.links() + b.links();
      // The candidates that follow are no shorter, so none is better.
      if (!std::get<0>(value) && links > std::get<1>(value)) break;
      if (share(a.cables, b.cables)) continue;
      const std::tuple<bool, std::size_t, int> found{share(a.inner, b.inner), links,
                                                     2 - a.reversed - b.reversed};
      if (found < value) {
        value = found;
        best = {&a, &b};
      }
    }
  }
  return best;
}

}  // namespace

ApmChoice choose_apm(const Fabric& fabric, const Tables& tables, const Node& source,
                     const Node& destination, ReplyGrade grade) {
  const auto forth = distinct_paths(fabric, tables, source, destination);
  const auto home = distinct_paths(fabric, tables, destination, source);
  ApmChoice choice;
  if (forth.empty() || home.empty()) {
    choice.reason = "there is no path in one direction";
    return choice;
  }
  std::vector<Candidate> proved;
  for (const OffsetPath& f : forth)
    for (const OffsetPath& h : home)
      if (answers_proved(f, h, grade)) proved.push_back(make_candidate(fabric, f, h));
  if (proved.empty()) {
    choice.reason = "no response on the request's SL is proved between the two hosts";
    return choice;
  }
  std::ranges::sort(proved, {}, [](const Candidate& c) {
    return std::tuple(c.links(), !c.reversed, c.forth->offset, c.home->offset);
  });
  choice.primary = route_of(proved.front());
  if (source.at == destination.at) {
    choice.reason = "both hosts are at one switch, so every path takes the same cables";
    return choice;
  }
  const auto [a, b] = choose(proved);
  if (a == nullptr) {
    choice.reason =
        "no two paths of these LIDs without a common cable have proved responses on their SL";
    return choice;
  }
  choice.primary = route_of(*a);
  choice.alternate = route_of(*b);
  choice.switches_disjoint = !share(a->inner, b->inner);
  return choice;
}

unsigned rate_code(const Fabric& fabric, const Node& source, const Node& destination,
                   const ConnectionRoute& route) {
  std::vector<Channel> channels{fabric.injection(source.host), fabric.injection(destination.host)};
  for (const Path* path : {&route.forth, &route.home})
    channels.insert(channels.end(), path->channels.begin(), path->channels.end());
  double least = std::numeric_limits<double>::max();
  for (const Channel c : channels) {
    const double gbps = nominal_gbps(fabric.rate(c));
    if (gbps == 0) return 0;
    least = std::min(least, gbps);
  }
  return code_of_rate(least);
}

}  // namespace selvedge::route
