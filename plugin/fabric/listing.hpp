// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The first half of read_fabric(): parses the sections and port lines of an ibnetdiscover or .net
// file. The second half, read_fabric.cpp, connects the two ends of each cable.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "plugin/fabric/files.hpp"
#include "plugin/fabric/lexer.hpp"

namespace selvedge {

/// Part of the file as it is shown in messages: printable, on one line, truncated.
std::string shown(std::string_view text);

/// Throws errors that name the file and the line, and collects remarks.
class Reporter {
 public:
  explicit Reporter(std::string where) : where_(std::move(where)) {}
  [[noreturn]] void fail(std::uint32_t line, std::string what, std::string remedy) const;
  void remark(std::uint32_t line, std::string_view what);
  const std::string& where() const { return where_; }
  std::vector<std::string> take_remarks();

 private:
  std::string where_;
  std::vector<std::string> remarks_;
  std::size_t omitted_ = 0;
};

/// A port line of the file.
struct ListedPort {
  std::uint32_t node = 0;  // index in Listing::nodes
  std::uint32_t line = 0;
  PortNum port = 0;
  PortNum remote_port = 0;
  bool commented_out = false;  // whether write_net() wrote it, for a host that was cabled to it
  bool rate_in_words = false;
  std::uint8_t lmc = 0;
  Lid lid = kNoLid;
  LinkRate rate;
  std::string_view remote;   // id of the node at the far end; empty: unknown
  std::optional<Guid> guid;  // GUID of this port
  std::optional<Guid> remote_guid;
  std::uint32_t host_number = kNoHost;
};

/// A section of the file: a node.
struct ListedNode {
  enum class Kind : std::uint8_t { kSwitch, kAdapter, kRouter, kUnknown };
  Kind kind = Kind::kUnknown;
  bool failed = false;
  bool guid_generated = false;  // whether the file gives none, and ibsim's rule made it
  PortNum ports = 0;
  Lid lid = kNoLid;                  // LID of a switch
  std::uint32_t number = kNoSwitch;  // a switch's id, if write_net() wrote it
  std::uint32_t line = 0;
  std::uint32_t first_port = 0;  // in Listing::ports; the next node's first_port is the end
  Guid guid = 0;
  Guid port_base = 0;  // port n of an adapter has GUID port_base + n by default
  std::string_view id;
  std::string_view name;

  bool is_switch() const { return kind == Kind::kSwitch; }
  bool is_host() const { return kind == Kind::kAdapter || kind == Kind::kRouter; }
};

struct Listing {
  FabricFile::Form form = FabricFile::Form::kNet;
  std::optional<Guid> from;  // the node on which ibnetdiscover was run; needs a section
  std::uint32_t from_line = 0;
  std::vector<ListedNode> nodes;
  std::vector<ListedPort> ports;
  std::deque<std::string> generated_ids;  // ids with a module's prefix; others are in the text
};

Listing read_listing(std::string_view text, Reporter& reporter);

}  // namespace selvedge
