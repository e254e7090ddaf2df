// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/provider/info.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "daemon/client/selvedge.h"
#include "daemon/provider/endpoint.hpp"
#include "daemon/provider/log.hpp"

namespace selvedge::provider {
namespace {

constexpr const char* kFabricName = "selvedge";
constexpr std::uint32_t kProtocol = FI_PROV_SPECIFIC | 0x53564544U;
constexpr std::uint64_t kTagFormat = 0xaaaaaaaaaaaaaaaa;  // FI_TAG_GENERIC: all 64 bits
constexpr std::size_t kSendsMax = 1'024, kReceivesMax = 65'536;
constexpr std::size_t kDataBytes = 8;

bool only(std::uint64_t wanted, std::uint64_t offered) { return (wanted & ~offered) == 0; }
bool same_name(const char* wanted, const char* ours) {
  return wanted == nullptr || std::strcmp(wanted, ours) == 0;
}

bool suits(const fi_tx_attr& a) {
  return only(a.caps, kCaps) && only(a.op_flags, kSendFlags) && only(a.msg_order, FI_ORDER_SAS) &&
         only(a.comp_order, FI_ORDER_NONE) && a.inject_size <= kInjectBytesMax &&
         a.size <= kSendsMax && a.iov_limit <= kVectorMax && a.rma_iov_limit == 0;
}

bool suits(const fi_rx_attr& a) {
  return only(a.caps, kCaps) && only(a.op_flags, kReceiveFlags) &&
         only(a.msg_order, FI_ORDER_SAS) && only(a.comp_order, FI_ORDER_NONE) &&
         a.size <= kReceivesMax && a.iov_limit <= kVectorMax;
}

bool suits(const fi_ep_attr& a) {
  return (a.type == FI_EP_UNSPEC || a.type == FI_EP_RDM) &&
         (a.protocol == FI_PROTO_UNSPEC || a.protocol == kProtocol) &&
         a.max_msg_size <= kMessageBytesMax && a.tx_ctx_cnt <= 1 && a.rx_ctx_cnt <= 1 &&
         a.auth_key_size == 0;
}

/// A domain's name is the path of a socket; those of other providers' domains are interfaces.
bool is_our_domain(const char* name) {
  return name == nullptr || *name == '/' || name == socket_path(nullptr);
}

bool suits(const fi_domain_attr& a) {
  return is_our_domain(a.name) && a.control_progress != FI_PROGRESS_AUTO &&
         a.data_progress != FI_PROGRESS_AUTO && only(a.caps, FI_LOCAL_COMM | FI_REMOTE_COMM) &&
         a.cq_data_size <= kDataBytes && a.auth_key_size == 0 && a.max_err_data == 0;
}

bool suits(const fi_info& hints) {
  return only(hints.caps, kCaps) && hints.handle == nullptr &&
         (hints.addr_format == FI_FORMAT_UNSPEC || hints.addr_format == kAddressFormat) &&
         (hints.tx_attr == nullptr || suits(*hints.tx_attr)) &&
         (hints.rx_attr == nullptr || suits(*hints.rx_attr)) &&
         (hints.ep_attr == nullptr || suits(*hints.ep_attr)) &&
         (hints.domain_attr == nullptr || suits(*hints.domain_attr)) &&
         (hints.fabric_attr == nullptr || same_name(hints.fabric_attr->name, kFabricName));
}

/// The capabilities of the endpoint: those asked for, and those that they imply (fi_getinfo(3)). If
/// none are asked for, all.
std::uint64_t caps_for(const fi_info* hints) {
  if (hints == nullptr || hints->caps == 0) return kCaps;
  std::uint64_t caps = hints->caps | FI_LOCAL_COMM | FI_REMOTE_COMM;
  if ((caps & (FI_MSG | FI_TAGGED)) == 0) caps |= FI_MSG | FI_TAGGED;
  if ((caps & (FI_SEND | FI_RECV)) == 0) caps |= FI_SEND | FI_RECV;
  return caps;
}

void fill(fi_info& info, const fi_info* hints, std::uint32_t version) {
  info.caps = caps_for(hints);
  info.addr_format = kAddressFormat;
  const std::uint64_t kinds = FI_MSG | FI_TAGGED | FI_LOCAL_COMM | FI_REMOTE_COMM;
  fi_tx_attr& tx = *info.tx_attr;
  tx.caps = info.caps & (kinds | FI_SEND);
  tx.op_flags = hints != nullptr && hints->tx_attr != nullptr ? hints->tx_attr->op_flags : 0;
  if ((tx.op_flags & (FI_TRANSMIT_COMPLETE | FI_DELIVERY_COMPLETE)) == 0)
    tx.op_flags |= FI_INJECT_COMPLETE;
  tx.msg_order = FI_ORDER_SAS;
  tx.inject_size = kInjectBytesMax;
  tx.size = kSendsMax;
  tx.iov_limit = kVectorMax;
  fi_rx_attr& rx = *info.rx_attr;
  rx.caps = info.caps & (kinds | FI_RECV | FI_DIRECTED_RECV | FI_SOURCE);
  rx.op_flags = hints != nullptr && hints->rx_attr != nullptr ? hints->rx_attr->op_flags : 0;
  rx.msg_order = FI_ORDER_SAS;
  rx.size = kReceivesMax;
  rx.iov_limit = kVectorMax;
  fi_ep_attr& ep = *info.ep_attr;
  ep.type = FI_EP_RDM;
  ep.protocol = kProtocol;
  ep.protocol_version = kVersion;
  ep.max_msg_size = kMessageBytesMax;
  const std::uint64_t tags =
      hints != nullptr && hints->ep_attr != nullptr ? hints->ep_attr->mem_tag_format : 0;
  ep.mem_tag_format = tags != 0 ? tags : kTagFormat;
  ep.tx_ctx_cnt = ep.rx_ctx_cnt = 1;
  fi_domain_attr& domain = *info.domain_attr;
  domain.name = strdup(socket_path(hints).c_str());
  domain.threading = FI_THREAD_SAFE;
  domain.control_progress = domain.data_progress = FI_PROGRESS_MANUAL;
  domain.resource_mgmt = FI_RM_ENABLED;
  const fi_domain_attr* wanted = hints != nullptr ? hints->domain_attr : nullptr;
  domain.av_type =
      wanted != nullptr && wanted->av_type != FI_AV_UNSPEC ? wanted->av_type : FI_AV_TABLE;
  // Memory need not be registered. Before API 1.5 FI_MR_SCALABLE expressed that.
  domain.mr_mode = FI_VERSION_LT(version, FI_VERSION(1, 5)) ? FI_MR_SCALABLE : 0;
  domain.cq_data_size = kDataBytes;
  domain.cq_cnt = domain.ep_cnt = domain.cntr_cnt = 1'024;
  domain.tx_ctx_cnt = domain.rx_ctx_cnt = 1'024;
  domain.max_ep_tx_ctx = domain.max_ep_rx_ctx = 1;
  domain.caps = FI_LOCAL_COMM | FI_REMOTE_COMM;
  info.fabric_attr->name = strdup(kFabricName);  // libfabric itself adds the provider's name
}

/// What `node` and `service` name: `service` at the daemon `node`, which is ours if it is missing.
/// A node may also be the whole address.
std::optional<Address> parse(const char* node, const char* service, const std::string& ours) {
  if (service != nullptr) return Address::make(node != nullptr ? node : ours, service);
  const std::string_view text = node;
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {};
  return Address::make(text.substr(0, slash), text.substr(slash + 1));
}

bool set_address(void*& place, std::size_t& length, const void* bytes) {
  place = std::malloc(Address::kBytes);
  if (place == nullptr) return false;
  std::memcpy(place, bytes, Address::kBytes);
  length = Address::kBytes;
  return true;
}

/// Puts the addresses of the call, or of the hints, into `info`. False: there is no such address.
bool set_addresses(fi_info& info, const char* node, const char* service, bool source,
                   const fi_info* hints, const std::string& ours) {
  if (node != nullptr || service != nullptr) {
    const auto address = parse(node, service, ours);
    if (!address) return false;
    if (source && Address::make(ours, address->name()) != address) return false;
    if (!(source ? set_address(info.src_addr, info.src_addrlen, address->c_str())
                 : set_address(info.dest_addr, info.dest_addrlen, address->c_str())))
      return false;
  }
  if (hints == nullptr) return true;
  for (const auto& [from, length, to, to_length] :
       {std::tuple{hints->src_addr, hints->src_addrlen, &info.src_addr, &info.src_addrlen},
        {hints->dest_addr, hints->dest_addrlen, &info.dest_addr, &info.dest_addrlen}}) {
    if (from == nullptr || *to != nullptr) continue;
    if (length != Address::kBytes || !Address::read(from)) return false;
    if (!set_address(*to, *to_length, from)) return false;
  }
  return true;
}

/// Finds the ADDRESS:PORT that peers write before /NAME: $SELVEDGE_ADDRESS, else the address that
/// the daemon listens on. Returns 0 or an error of libselvedge.
int find_address(selvedge_session* session, std::string& address) {
  if (const char* given = std::getenv("SELVEDGE_ADDRESS"); given != nullptr && *given != '\0') {
    address = given;
    return 0;
  }
  char text[FI_NAME_MAX];
  const int error = selvedge_address(session, text, sizeof text);
  if (error == 0) address = text;
  return error;
}

}  // namespace

std::string socket_path(const fi_info* info) {
  if (info != nullptr && info->domain_attr != nullptr && info->domain_attr->name != nullptr)
    return info->domain_attr->name;
  const char* path = std::getenv("SELVEDGE_SOCKET");
  return path != nullptr && *path != '\0' ? path : "/run/selvedged.sock";
}

int open_session(const std::string& path, selvedge_session*& session, std::string& address) {
  int error = selvedge_open(path.c_str(), &session);
  if (error == 0) error = find_address(session, address);
  if (error == 0) return 0;
  selvedge_shut(std::exchange(session, nullptr));
  warn("no daemon to use: %s: %s; start selvedged there, or set SELVEDGE_SOCKET", path.c_str(),
       selvedge_strerror(error));
  return error;
}

int get_info(std::uint32_t version, const char* node, const char* service, std::uint64_t flags,
             const fi_info* hints, fi_info** info) {
  *info = nullptr;
  const bool attributes_only = (flags & FI_PROV_ATTR_ONLY) != 0;
  if (!attributes_only && hints != nullptr && !suits(*hints)) return -FI_ENODATA;
  std::string ours;
  if (!attributes_only) {
    selvedge_session* session = nullptr;
    if (open_session(socket_path(hints), session, ours) != 0) return -FI_ENODATA;
    selvedge_shut(session);
  }
  std::unique_ptr<fi_info, void (*)(fi_info*)> made(fi_allocinfo(), fi_freeinfo);
  if (made == nullptr) return -FI_ENOMEM;
  fill(*made, attributes_only ? nullptr : hints, version);
  if (!attributes_only &&
      !set_addresses(*made, node, service, (flags & FI_SOURCE) != 0, hints, ours))
    return -FI_ENODATA;
  *info = made.release();
  return 0;
}

}  // namespace selvedge::provider
