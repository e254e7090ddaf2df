// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/errors.hpp"

#include <array>

namespace selvedge::protocol {
namespace {

struct ErrorText {
  std::string_view name, sentence;
};
constexpr std::array<ErrorText, 13> kErrorTexts{{
    {"None", "closed by both sides, everything was delivered"},
    {"NoAnswer", "the peer's daemon did not answer: check that it runs, its address and its keys"},
    {"NoSuchService", "no application listens on that service name at the peer"},
    {"NoMemory", "there is no room for another connection: see [memory] of the configuration"},
    {"PeerSilent",
     "nothing is received from the peer: its machine, its daemon or every path to it is down"},
    {"PeerForgot", "the peer's daemon has been restarted or no longer knows the connection"},
    {"PeerReset", "the peer's application ended the connection before all was delivered"},
    {"Reset", "the connection was ended here before all was delivered"},
    {"Version",
     "the peer's daemon speaks a newer version of the protocol: upgrade selvedged on this machine"},
    {"Protocol", "the peer violated the protocol"},
    {"PeerOld",
     "the peer's daemon speaks only an older version of the protocol: upgrade selvedged there"},
    {"SourceLimit",
     "the peer's daemon permits no more connections from this address: see its [limits] source_*"},
    {"PeerLimit",
     "the application at the peer, or its user, may have no more connections: see [limits] there"},
}};
const ErrorText* find(Error error) {
  const auto i = static_cast<std::size_t>(error);
  return i < kErrorTexts.size() ? &kErrorTexts[i] : nullptr;
}

}  // namespace

std::string_view name(Error error) {
  const ErrorText* text = find(error);
  return text ? text->name : "unknown";
}

std::string_view explain(Error error) {
  const ErrorText* text = find(error);
  return text ? text->sentence : "an error that this version does not know";
}

}  // namespace selvedge::protocol
