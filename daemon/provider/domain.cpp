// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/provider/domain.hpp"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <new>
#include <string_view>

#include "daemon/provider/address_vector.hpp"
#include "daemon/provider/completion_queue.hpp"
#include "daemon/provider/endpoint.hpp"
#include "daemon/provider/errors.hpp"
#include "daemon/provider/info.hpp"
#include "daemon/provider/log.hpp"

namespace selvedge::provider {
namespace {

/// The least time between two looks for new connections, each of which is a system call.
constexpr std::chrono::microseconds kAcceptInterval(50);
/// After more than this many calls of progress() in a row that moved nothing, rest() yields the
/// processor.
constexpr unsigned kPatience = 16;

/// Reads SELVEDGE_UNEXPECTED_BYTES, if it is set, into `bytes`; returns whether it can be used.
bool read_unexpected_bytes(std::uint64_t& bytes) {
  const char* const text = std::getenv("SELVEDGE_UNEXPECTED_BYTES");
  if (text == nullptr || *text == '\0') return true;
  const std::string_view all(text);
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), bytes);
  if (error == std::errc() && end == all.data() + all.size() && bytes >= kUnexpectedBytesMin &&
      bytes <= kUnexpectedBytesMax)
    return true;
  warn(
      "SELVEDGE_UNEXPECTED_BYTES=%s: no number of bytes from %llu to %llu; set it to one, or unset "
      "it",
      text, static_cast<unsigned long long>(kUnexpectedBytesMin),
      static_cast<unsigned long long>(kUnexpectedBytesMax));
  return false;
}

}  // namespace

fi_ops Domain::base_ops_ = [] {
  fi_ops ops = kNoOps;
  ops.close = close;
  return ops;
}();

fi_ops_domain Domain::ops_ = {.size = sizeof(fi_ops_domain),
                              .av_open = AddressVector::open,
                              .cq_open = CompletionQueue::open,
                              .endpoint = Endpoint::open,
                              .scalable_ep = unsupported,
                              .cntr_open = Counter::open,
                              .poll_open = unsupported,
                              .stx_ctx = unsupported,
                              .srx_ctx = unsupported,
                              .query_atomic = unsupported,
                              .query_collective = unsupported,
                              .endpoint2 = unsupported};

// Endpoints send from and receive into any memory, so there is nothing to register.
fi_ops_mr Domain::memory_ops_ = {
    .size = sizeof(fi_ops_mr), .reg = unsupported, .regv = unsupported, .regattr = unsupported};

int Domain::open(fid_fabric* fabric, fi_info* info, fid_domain** domain, void* context) {
  std::uint64_t unexpected_bytes = kUnexpectedBytes;
  if (!read_unexpected_bytes(unexpected_bytes)) return -FI_EINVAL;
  selvedge_session* session = nullptr;
  std::string address;
  const int error = open_session(socket_path(info), session, address);
  if (error != 0) return -to_fi_errno(error);
  auto* made = new (std::nothrow) Domain(session);
  if (made == nullptr) {
    selvedge_shut(session);
    return -FI_ENOMEM;
  }
  made->daemon_address_ = std::move(address);
  made->unexpected_bytes_ = unexpected_bytes;
  made->api_version_ = fabric->api_version;
  made->fid = {FI_CLASS_DOMAIN, context, &base_ops_};
  made->ops = &ops_;
  made->mr = &memory_ops_;
  *domain = made;
  return 0;
}

int Domain::close(fid_t f) {
  auto& domain = object_of<Domain, fid_domain>(f);
  {
    const std::lock_guard lock(domain.mutex);
    if (domain.users != 0) return -FI_EBUSY;
  }
  delete &domain;
  return 0;
}

Channel& Domain::add_channel(selvedge_connection* connection, Endpoint* endpoint, Peer* peer) {
  return *channels_.emplace_back(std::make_unique<Channel>(*this, connection, endpoint, peer));
}

void Domain::remove(Endpoint& endpoint) {
  std::erase_if(channels_, [&](const auto& channel) { return channel->endpoint() == &endpoint; });
  std::erase(endpoints_, &endpoint);
}

bool Domain::has_pending(const Endpoint& endpoint) const {
  return std::ranges::any_of(channels_, [&](const auto& channel) {
    return channel->endpoint() == &endpoint && channel->has_pending();
  });
}

Endpoint* Domain::find(const Address& address) const {
  const auto found =
      std::ranges::find_if(endpoints_, [&](const Endpoint* e) { return e->address() == address; });
  return found == endpoints_.end() ? nullptr : *found;
}

void Domain::accept() {
  selvedge_connection* connection = nullptr;
  while ((session_error_ = selvedge_accept(session_, &connection, 0)) == 0)
    add_channel(connection, nullptr, nullptr);
}

bool Domain::progress() {
  bool moved = false;
  const auto now = std::chrono::steady_clock::now();
  if (now - asked_session_ >= kAcceptInterval) {
    asked_session_ = now;
    accept();
  }
  const bool daemon_gone = session_error_ == SELVEDGE_E_NO_DAEMON;
  for (auto at = channels_.begin(); at != channels_.end();) {
    Channel& channel = **at;
    moved |= channel.receive();
    moved |= channel.flush();
    const int error = channel.error() == 0 && daemon_gone ? session_error_ : channel.error();
    if (error == 0) {
      ++at;
      continue;
    }
    if (channel.endpoint() != nullptr) channel.endpoint()->lost(channel, error);
    at = channels_.erase(at);
    moved = true;
  }
  for (Endpoint* endpoint : endpoints_) moved |= endpoint->progress();
  in_vain_ = moved ? 0 : in_vain_ + 1;
  return moved;
}

void Domain::rest() {
  if (in_vain_ > kPatience) sched_yield();
}

}  // namespace selvedge::provider
