// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/protocol/errors.hpp"

#include <array>

namespace selvedge::protocol {
namespace {

struct Words {
  std::string_view name, sentence;
};
constexpr std::array<Words, 10> kWords{{
    {"None", "closed by both sides, everything was delivered"},
    {"NoAnswer",
     "the peer's daemon did not answer: is it running, is the address right, has it the same key?"},
    {"NoSuchService", "no application listens to that name at the peer"},
    {"NoMemory", "there is no room for another connection: see [memory] of the configuration"},
    {"PeerSilent", "the peer fell silent: its machine, its daemon or every path to it is down"},
    {"PeerForgot", "the peer's daemon has been restarted or has given up the connection"},
    {"PeerReset", "the peer's application ended the connection before all was delivered"},
    {"Reset", "the connection was ended here before all was delivered"},
    {"Version", "the peer's daemon speaks another version of the protocol"},
    {"Protocol", "the peer broke the protocol"},
}};
const Words* find(Error error) {
  const auto i = static_cast<std::size_t>(error);
  return i < kWords.size() ? &kWords[i] : nullptr;
}

}  // namespace

std::string_view name(Error error) {
  const Words* words = find(error);
  return words ? words->name : "unknown";
}

std::string_view explain(Error error) {
  const Words* words = find(error);
  return words ? words->sentence : "an error that this version does not know";
}

}  // namespace selvedge::protocol
