// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/apm_report.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/error.hpp"
#include "plugin/program/report.hpp"
#include "plugin/route/apm.hpp"

namespace selvedge::route {
namespace {

// A QP's time-out is 4.096 us * 2^timeout. OpenSM's default life time of a packet is 2^18; there
// and back take twice that (IBTA 1.4 §12.7.34).
constexpr unsigned kTimeout = 19;

/// What one end puts into ibv_ah_attr and ibv_qp_attr for one route.
struct EndAttributes {
  unsigned dlid, bits, sl, rate, port;
};

EndAttributes attributes(const Fabric& fabric, const Node& source, const Node& destination,
                         const ConnectionRoute& route, bool at_source) {
  const Node& own = at_source ? source : destination;
  const Node& peer = at_source ? destination : source;
  const unsigned peer_offset = at_source ? route.there : route.back;
  return {peer.lid + peer_offset, at_source ? route.back : route.there, route.sl,
          rate_code(fabric, source, destination, route), fabric.host(own.host).ca_port};
}

std::string line(std::string_view role, const EndAttributes& a) {
  return fmt::format(
      "  {:<9} dlid={} src_path_bits={} sl={} static_rate={} port_num={} timeout={}\n", role,
      a.dlid, a.bits, a.sl, a.rate, a.port, kTimeout);
}

Json attributes_json(const EndAttributes& a) {
  return Json{{"dlid", a.dlid},        {"src_path_bits", a.bits}, {"sl", a.sl},
              {"static_rate", a.rate}, {"port_num", a.port},      {"timeout", kTimeout},
              {"path_mtu", nullptr}};
}

std::string cables_text(const Fabric& fabric, const Path& path) {
  std::string text;
  for (const Channel c : path.channels) text += fabric.port_name(c) + " ";
  return printable(text + fabric.node(path.switches.back()).name);
}

std::string text_of(const Fabric& fabric, const Node& source, const Node& destination,
                    const ApmChoice& choice) {
  std::string text =
      fmt::format("from {} to {}\n", printable(source.name), printable(destination.name));
  if (choice.alternate)
    text += fmt::format("links disjoint, switches {}disjoint; responses on the same SL proved\n",
                        choice.switches_disjoint ? "" : "NOT ");
  else
    text += fmt::format("NO alternate: {}\n", choice.reason);
  if (!choice.primary) return text;
  for (const bool at_source : {true, false}) {
    text += fmt::format("at {}\n", printable((at_source ? source : destination).name));
    text += line("primary", attributes(fabric, source, destination, *choice.primary, at_source));
    if (choice.alternate)
      text +=
          line("alternate", attributes(fabric, source, destination, *choice.alternate, at_source));
  }
  for (const auto& [role, route] :
       {std::pair{"primary", &choice.primary}, std::pair{"alternate", &choice.alternate}}) {
    if (!*route) continue;
    text += fmt::format("# {}: {}\n", role, cables_text(fabric, (*route)->forth));
    text += (*route)->reversed ? std::string("#   back: the same cables\n")
                               : fmt::format("#   back: {}\n", cables_text(fabric, (*route)->home));
  }
  return text;
}

Json route_json(const Fabric& fabric, const Node& source, const Node& destination,
                const std::optional<ConnectionRoute>& route) {
  if (!route) return nullptr;
  const auto ports = [&](const Path& path) {
    Json list = Json::array();
    for (const Channel c : path.channels) list.push_back(fabric.port_name(c));
    return list;
  };
  return Json{
      {"at_source", attributes_json(attributes(fabric, source, destination, *route, true))},
      {"at_destination", attributes_json(attributes(fabric, source, destination, *route, false))},
      {"ports_there", ports(route->forth)},
      {"ports_back", ports(route->home)},
      {"reversed", route->reversed}};
}

Json json_of(const Fabric& fabric, const Node& source, const Node& destination,
             const ApmChoice& choice) {
  return Json{{"source", source.name},
              {"destination", destination.name},
              {"primary", route_json(fabric, source, destination, choice.primary)},
              {"alternate", route_json(fabric, source, destination, choice.alternate)},
              {"links_disjoint", choice.alternate.has_value()},
              {"switches_disjoint", choice.switches_disjoint},
              {"reason", choice.reason.empty() ? Json(nullptr) : Json(choice.reason)}};
}

Node find_host(const Fabric& fabric, const std::string& name) {
  Node node = find_node(fabric, name);
  if (node.host == kNoHost)
    throw InputError("a switch has no connections to migrate", node.name, "name a host");
  return node;
}

}  // namespace

std::vector<NamePair> parse_pairs(const std::string& text, const std::string& where) {
  std::vector<NamePair> pairs;
  std::string_view rest = text;
  for (unsigned number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.starts_with('#')) continue;
    const char separator = line.find('\t') == std::string_view::npos ? ' ' : '\t';
    const std::size_t at = line.find(separator);
    const std::string_view first = line.substr(0, at);
    const std::string_view second =
        at == std::string_view::npos ? std::string_view() : line.substr(at + 1);
    if (first.empty() || second.empty() || second.find(separator) != std::string_view::npos)
      throw InputError("this line does not name two hosts", fmt::format("{}:{}", where, number),
                       "write SRC DST, with a tab between them if a name has spaces");
    pairs.emplace_back(first, second);
  }
  if (pairs.empty()) throw InputError("there are no pairs", where, "write a line SRC DST for each");
  return pairs;
}

int report_apm(const Subject& subject, const Verdict& verdict, const std::vector<NamePair>& pairs,
               bool json, Output& output) {
  const std::optional<ReplyGrade> grade = verdict.grade();
  const Fabric& fabric = subject.fabric;
  Json list = Json::array();
  bool all = true;
  bool first = true;
  for (const auto& [from, to] : pairs) {
    const Node source = find_host(fabric, from);
    const Node destination = find_host(fabric, to);
    if (source.host == destination.host)
      throw InputError("source and destination are one host", source.name, "name two");
    ApmChoice choice;
    if (grade && verdict.loop_free)
      choice = choose_apm(fabric, subject.tables, source, destination, *grade);
    else
      choice.reason = "the tables may loop or deadlock (selvedge-route verify shows where)";
    all = all && choice.alternate;
    if (json)
      list.push_back(json_of(fabric, source, destination, choice));
    else
      output.write((first ? "" : "\n") + text_of(fabric, source, destination, choice));
    first = false;
  }
  if (json) print_json(Json{{"replies", grade_json(verdict)}, {"pairs", std::move(list)}}, output);
  return all ? kDone : kDoesNotHold;
}

}  // namespace selvedge::route
