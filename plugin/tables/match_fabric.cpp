// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <fmt/format.h>

#include "base/error.hpp"
#include "plugin/tables/readers.hpp"

namespace selvedge {
namespace {

constexpr const char* kSameFabric = "give the fabric that the tables were made for";

class Match {
 public:
  Match(const Fabric& read, const Fabric& given, const std::string& where)
      : read_(read), given_(given), where_(where), builder_(given) {}

  Fabric run() && {
    compare_counts("switches", read_.num_switches(), given_.num_switches());
    compare_counts("hosts", read_.num_hosts(), given_.num_hosts());
    for (SwitchId s = 0; s < read_.num_switches(); ++s) match_switch(s);
    for (HostId h = 0; h < read_.num_hosts(); ++h) match_host(h);
    match_links();
    return std::move(builder_).build(where_);
  }

 private:
  [[noreturn]] void differ(const std::string& problem) const {
    throw InputError(problem, where_, kSameFabric);
  }

  void compare_counts(std::string_view what, std::size_t read, std::size_t given) const {
    if (read != given) differ(fmt::format("the file has {} {}, the fabric {}", read, what, given));
  }

  template <typename Node>
  void match_node(std::string_view kind, std::uint32_t id, const Node& read, const Node& given) {
    const std::string theirs = json_string(read.name), ours = json_string(given.name);
    if (theirs != ours)
      differ(fmt::format("{} {} is {} in the file and {} in the fabric", kind, id, theirs, ours));
    if (read.guid != given.guid && read.guid != 0 && given.guid != 0)
      differ(
          fmt::format("the GUID of {} {} ({}) is 0x{:016x} in the file and 0x{:016x} in the fabric",
                      kind, id, ours, read.guid, given.guid));
  }

  void match_switch(SwitchId s) {
    const Switch& read = read_.node(s);
    const Switch& given = given_.node(s);
    match_node("switch", s, read, given);
    if (!read.failed && read.ports != given.ports)
      differ(fmt::format("switch {} has {} ports in the file and {} in the fabric",
                         json_string(given.name), read.ports, given.ports));
    builder_.node(s).lid = read.lid;
    if (read.failed && !given.failed) {
      builder_.node(s).failed = true;
      for (unsigned p = 1; p <= given.ports; ++p) builder_.unplug(s, static_cast<PortNum>(p));
    }
  }

  void match_host(HostId h) {
    const Host& read = read_.host(h);
    const Host& given = given_.host(h);
    match_node("host", h, read, given);
    if (read.at != given.at || read.port != given.port)
      differ(fmt::format("host {} is cabled to another port in the file than in the fabric",
                         json_string(given.name)));
    builder_.host(h).lid = read.lid;
    builder_.host(h).lmc = read.lmc;
    if (!read_.attached(h) && given_.attached(h)) builder_.unplug(given.at, given.port);
  }

  void match_links() {
    // Both fabrics are known to have the same ids and ports. But a failed switch has no ports in
    // the file.
    for (const Channel c : read_.links()) {
      const SwitchId a = read_.switch_of(c), b = read_.target(c);
      const Channel ours = given_.channel(a, read_.port_of(c));
      const Channel back = given_.channel(b, read_.port_of(read_.peer(c)));
      const bool failed = given_.peer(ours) == kNoChannel && given_.peer(back) == kNoChannel;
      if (!failed && given_.peer(ours) != back)
        differ(fmt::format("the cable {} – {} of the file leads elsewhere in the fabric",
                           given_.port_name(ours), given_.port_name(back)));
    }
    for (const Channel ours : given_.links()) {
      const SwitchId a = given_.switch_of(ours), b = given_.target(ours);
      const PortNum port = given_.port_of(ours);
      const bool kept = !read_.node(a).failed && !read_.node(b).failed &&
                        read_.peer(read_.channel(a, port)) != kNoChannel;
      if (!kept) builder_.unplug(a, port);
    }
  }

  const Fabric& read_;
  const Fabric& given_;
  const std::string& where_;
  FabricBuilder builder_;
};

}  // namespace

Fabric match_fabric(const Fabric& read, const Fabric& given, const std::string& where) {
  return Match(read, given, where).run();
}

}  // namespace selvedge
