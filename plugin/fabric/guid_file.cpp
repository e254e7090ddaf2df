// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/guid_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/error.hpp"
#include "plugin/fabric/lexer.hpp"
#include "plugin/fabric/naming.hpp"
#include "plugin/fabric/tree_form.hpp"

namespace selvedge {
namespace {

constexpr std::size_t kMaxShown = 32;  // bytes of a wrong line that are shown

template <class Id>
void each_once(std::vector<Id>& ids) {
  std::ranges::sort(ids);
  const auto twice = std::ranges::unique(ids);
  ids.erase(twice.begin(), twice.end());
}

std::string hex(Guid guid) { return fmt::format("0x{:016x}", guid); }

}  // namespace

GuidFile parse_guid_file(std::string_view text, const std::string& path) {
  GuidFile file;
  file.path = path;
  lex::Lines lines(text);
  for (std::string_view line; lines.next(line);) {
    lex::Cursor at(line);
    at.spaces();
    if (at.done() || at.peek() == '#') continue;
    const std::optional<Guid> guid = at.hex();
    if (!guid || *guid == 0 || (!at.done() && at.peek() != '#' && !lex::is_space(at.peek())))
      throw InputError(fmt::format("'{}' is no GUID", line.substr(0, kMaxShown)),
                       fmt::format("{}:{}", path, lines.number()),
                       "write 0x and up to 16 hexadecimal digits, one GUID a line");
    file.lines.push_back({*guid, lines.number()});
  }
  if (file.lines.empty())
    throw InputError("no GUID is in the file", path, "write one a line, or do not name the file");
  return file;
}

GuidFile read_guid_file(const std::string& path) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  const auto refuse = [&] {
    throw InputError(fmt::format("cannot read the GUIDs ({})",
                                 errno != 0 ? std::strerror(errno) : "unknown error"),
                     path, "name a readable file");
  };
  if (!in) refuse();
  std::string text;
  std::array<char, 1 << 12> part{};
  while (in.read(part.data(), part.size()), in.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMaxGuidFileBytes)
      throw InputError("the file has over 16 MiB", path, "name a file of GUIDs, one a line");
  }
  if (!in.eof()) refuse();
  return parse_guid_file(text, path);
}

bool HintFiles::empty() const {
  return std::ranges::none_of(of, [](const auto& file) { return file.has_value(); });
}

LevelHints HintFiles::find(const Fabric& fabric) const {
  std::vector<UnknownGuids> unknown;
  return find(fabric, unknown);
}

LevelHints HintFiles::find(const Fabric& fabric, std::vector<UnknownGuids>& unknown) const {
  LevelHints hints;
  if (empty()) return hints;
  boost::unordered_flat_map<Guid, SwitchId> switches;
  boost::unordered_flat_map<Guid, std::vector<HostId>> hosts;
  for (SwitchId s = 0; s < fabric.num_switches(); ++s) switches.emplace(fabric.node(s).guid, s);
  for (HostId h = 0; h < fabric.num_hosts(); ++h) {
    const Host& host = fabric.host(h);
    hosts[host.guid].push_back(h);
    if (host.node_guid != host.guid) hosts[host.node_guid].push_back(h);
  }
  for (std::size_t i = 0; i < kHintRoles; ++i) {
    if (!of[i]) continue;
    UnknownGuids lacking;
    lacking.role = static_cast<HintRole>(i);
    const bool roots = lacking.role == HintRole::kRoots;
    std::vector<HostId>& into =
        lacking.role == HintRole::kCompute ? hints.compute : hints.not_compute;
    for (const GuidFile::Line& line : of[i]->lines) {
      const auto s = switches.find(line.guid);
      const auto h = hosts.find(line.guid);
      if (roots && s != switches.end()) {
        if (!fabric.node(s->second).failed) hints.roots.push_back(s->second);
      } else if (!roots && h != hosts.end()) {
        into.insert(into.end(), h->second.begin(), h->second.end());
      } else if (lacking.count++ == 0) {
        lacking.first = line;
        if (s != switches.end()) lacking.is = "switch " + switch_label(fabric, s->second);
        if (h != hosts.end()) lacking.is = "adapter " + host_label(fabric, h->second.front());
      }
    }
    if (lacking.count > 0) unknown.push_back(std::move(lacking));
  }
  each_once(hints.roots);
  each_once(hints.compute);
  each_once(hints.not_compute);
  return hints;
}

std::string describe(const UnknownGuids& unknown, const GuidFile& file) {
  const char* kind = unknown.role == HintRole::kRoots ? "switch" : "adapter";
  const std::string is = unknown.is.empty() ? "" : fmt::format(" ({})", unknown.is);
  if (file.lines.size() == 1)
    return fmt::format("GUID {}{} is of no {} in this fabric", hex(unknown.first.guid), is, kind);
  return fmt::format("{} of {} GUIDs are of no {} in this fabric, the first {}{}", unknown.count,
                     file.lines.size(), kind, hex(unknown.first.guid), is);
}

std::vector<std::string> contradictions(const Fabric& fabric, const LevelHints& hints) {
  std::vector<std::string> lines;
  if (hints.empty()) return lines;

  std::vector<HostId> both;
  std::ranges::set_intersection(hints.compute, hints.not_compute, std::back_inserter(both));
  // Adds the switch and its port, since on some clusters many adapters have the same description.
  const auto place = [&](HostId h) {
    const std::string& name = fabric.host(h).name;
    const Host& host = fabric.host(h);
    return fabric.attached(h)
               ? fmt::format("{} at {}:{}", name, switch_label(fabric, host.at), host.port)
               : name;
  };
  if (!both.empty())
    lines.push_back(
        fmt::format("{} adapter port{} given both as compute and as I/O node, the first {}: the "
                    "list of compute nodes wins",
                    both.size(), both.size() == 1 ? " is" : "s are", place(both.front())));

  LevelClash clash{};
  const std::optional<Levels> levels = find_levels(fabric, hints, clash);
  if (!levels) return lines;

  // Counts the cables whose direction changes because of the given roots or, without roots, of the
  // given compute nodes.
  LevelHints rest = hints;
  rest.roots.clear();
  if (hints.roots.empty()) rest.compute.clear();
  const char* given = hints.roots.empty() ? "compute nodes" : "roots";
  if (const std::optional<Levels> bare = find_levels(fabric, rest, clash); bare && rest != hints) {
    std::size_t turned = 0;
    Channel first = kNoChannel;
    for (const Channel c : fabric.links()) {
      const SwitchId a = fabric.switch_of(c), b = fabric.target(c);
      if ((levels->level[a] < levels->level[b]) == (bare->level[a] < bare->level[b])) continue;
      if (turned++ == 0) first = c;
    }
    if (turned > 0)
      lines.push_back(fmt::format(
          "the given {} reverse the direction of {} of {} cables, the first {}: the given {} win",
          given, turned, fabric.links().size(), cable_label(fabric, Labels(fabric), first), given));
  }

  std::size_t above = 0;
  HostId first = kNoHost;
  for (const HostId h : hints.compute) {
    if (!fabric.attached(h) || levels->level[fabric.host(h).at] <= 0) continue;
    if (above++ == 0) first = h;
  }
  if (above > 0)
    lines.push_back(
        fmt::format("{} of {} given compute nodes {} above the leaf switches, the first {}: the {}",
                    above, hints.compute.size(), above == 1 ? "is" : "are", place(first),
                    hints.roots.empty() ? "levels of the cables win" : "roots win"));
  return lines;
}

}  // namespace selvedge
