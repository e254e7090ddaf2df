// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "tests/system/provider/cases.hpp"
#include "tests/system/provider/side.hpp"

namespace {

/// What fi_getinfo answers to hints that `change` has changed.
int asked(const char* socket, const std::function<void(fi_info&)>& change) {
  fi_info* hints = fi_allocinfo();
  hints->fabric_attr->prov_name = strdup("selvedge");
  hints->domain_attr->name = strdup(socket);
  change(*hints);
  fi_info* info = nullptr;
  const int error = fi_getinfo(FI_VERSION(1, 17), nullptr, nullptr, 0, hints, &info);
  if (error == 0) {
    // What is offered is at least what was asked for.
    CHECK_EQ(info->caps & hints->caps, hints->caps);
    CHECK(std::strcmp(info->fabric_attr->prov_name, "selvedge") == 0);
    CHECK_EQ(info->ep_attr->type, FI_EP_RDM);
    fi_freeinfo(info);
  }
  fi_freeinfo(hints);
  return error;
}

}  // namespace

void what_is_offered(const char* a, const char*) {
  CHECK_EQ(asked(a, [](fi_info&) {}), 0);
  CHECK_EQ(asked(a, [](fi_info& h) { h.caps = FI_TAGGED | FI_DIRECTED_RECV | FI_SOURCE; }), 0);
  CHECK_EQ(asked(a, [](fi_info& h) { h.domain_attr->data_progress = FI_PROGRESS_MANUAL; }), 0);
  CHECK_EQ(asked(a, [](fi_info& h) { h.tx_attr->msg_order = FI_ORDER_SAS; }), 0);
  // What Open MPI asks for.
  CHECK_EQ(asked(a,
                 [](fi_info& h) {
                   h.caps = FI_TAGGED | FI_DIRECTED_RECV;
                   h.mode = FI_CONTEXT | FI_CONTEXT2;
                   h.tx_attr->op_flags = h.rx_attr->op_flags = FI_COMPLETION;
                   h.tx_attr->msg_order = h.rx_attr->msg_order = FI_ORDER_SAS;
                   h.domain_attr->resource_mgmt = FI_RM_ENABLED;
                   h.domain_attr->av_type = FI_AV_MAP;
                   h.domain_attr->cq_data_size = 4;
                 }),
           0);
  for (const auto& change : std::initializer_list<std::function<void(fi_info&)>>{
           [](fi_info& h) { h.caps = FI_RMA; }, [](fi_info& h) { h.caps = FI_MSG | FI_MULTI_RECV; },
           [](fi_info& h) { h.ep_attr->type = FI_EP_MSG; },
           [](fi_info& h) { h.ep_attr->type = FI_EP_DGRAM; },
           [](fi_info& h) { h.ep_attr->protocol = FI_PROTO_UDP; },
           [](fi_info& h) { h.ep_attr->max_msg_size = std::size_t{1} << 33; },
           [](fi_info& h) { h.domain_attr->data_progress = FI_PROGRESS_AUTO; },
           [](fi_info& h) { h.domain_attr->cq_data_size = 16; },
           [](fi_info& h) { h.tx_attr->msg_order = FI_ORDER_STRICT; },
           [](fi_info& h) { h.tx_attr->inject_size = 1 << 20; },
           [](fi_info& h) { h.tx_attr->iov_limit = 9; },
           [](fi_info& h) { h.tx_attr->op_flags = FI_COMMIT_COMPLETE; },
           [](fi_info& h) { h.addr_format = FI_SOCKADDR_IN; },
           [](fi_info& h) { h.fabric_attr->name = strdup("another"); }})
    CHECK_EQ(asked(a, change), -FI_ENODATA);
}

void what_an_endpoint_needs(const char* a, const char*) {
  Side s(a);
  char c = 0;
  fid_ep* ep = nullptr;
  CHECK_EQ(fi_endpoint(s.domain, s.info, &ep, nullptr), 0);
  CHECK_EQ(fi_recv(ep, &c, 1, nullptr, FI_ADDR_UNSPEC, nullptr), -FI_EOPBADSTATE);
  CHECK_EQ(fi_enable(ep), -FI_ENOAV);
  CHECK_EQ(fi_ep_bind(ep, &s.av->fid, 0), 0);
  CHECK_EQ(fi_ep_bind(ep, &s.av->fid, 0), -FI_EINVAL);
  CHECK_EQ(fi_enable(ep), -FI_ENOCQ);
  CHECK_EQ(fi_ep_bind(ep, &s.sends->fid, FI_TRANSMIT), 0);
  CHECK_EQ(fi_enable(ep), -FI_ENOCQ);
  CHECK_EQ(fi_ep_bind(ep, &s.sends->fid, FI_TRANSMIT), -FI_EINVAL);
  CHECK_EQ(fi_ep_bind(ep, &s.sends->fid, FI_WRITE), -FI_EBADFLAGS);
  CHECK_EQ(fi_ep_bind(ep, &s.receives->fid, FI_RECV), 0);
  CHECK_EQ(fi_enable(ep), 0);
  CHECK_EQ(fi_ep_bind(ep, &s.receives->fid, FI_RECV), -FI_EOPBADSTATE);
  // There is no such address, and there are only tagged messages to look for.
  CHECK_EQ(fi_send(ep, &c, 1, nullptr, 0, nullptr), -FI_EINVAL);
  fi_msg m{};
  m.addr = FI_ADDR_UNSPEC;
  CHECK_EQ(fi_recvmsg(ep, &m, FI_PEEK), -FI_EBADFLAGS);
  CHECK_EQ(fi_close(&ep->fid), 0);
  // Only what the endpoint was opened for.
  fi_info* info = fi_dupinfo(s.info);
  info->caps = FI_TAGGED | FI_RECV;
  CHECK_EQ(fi_endpoint(s.domain, info, &ep, nullptr), 0);
  CHECK_EQ(fi_ep_bind(ep, &s.av->fid, 0), 0);
  CHECK_EQ(fi_ep_bind(ep, &s.receives->fid, FI_RECV), 0);
  CHECK_EQ(fi_enable(ep), 0);
  CHECK_EQ(fi_recv(ep, &c, 1, nullptr, FI_ADDR_UNSPEC, nullptr), -FI_ENOSYS);
  CHECK_EQ(fi_close(&ep->fid), 0);
  fi_freeinfo(info);
}

void names_and_addresses(const char* a, const char* b) {
  Side s(a), r(b, {.service = "known"});
  // The name says where: DAEMON/SERVICE.
  const std::string name(r.name);
  CHECK(name.ends_with("/known"));
  std::size_t length = 10;
  char small[10];
  CHECK_EQ(fi_getname(&r.ep->fid, small, &length), -FI_ETOOSMALL);
  CHECK_EQ(length, kAddressBytes);
  length = 0;
  CHECK_EQ(fi_getname(&r.ep->fid, nullptr, &length), -FI_ETOOSMALL);
  // Two addresses, and one between them that is none.
  char three[3 * kAddressBytes] = {};
  std::memcpy(three, r.name, kAddressBytes);
  std::memcpy(three + 2 * kAddressBytes, s.name, kAddressBytes);
  fi_addr_t numbers[3];
  int errors[3] = {9, 9, 9};
  CHECK_EQ(fi_av_insert(s.av, three, 3, numbers, FI_SYNC_ERR, errors), 2);
  CHECK_EQ(numbers[0], 0);  // of a table: the order of insertion
  CHECK_EQ(numbers[1], FI_ADDR_NOTAVAIL);
  CHECK_EQ(numbers[2], 1);
  CHECK_EQ(errors[0], 0);
  CHECK_EQ(errors[1], FI_EINVAL);
  char looked_up[kAddressBytes];
  length = sizeof looked_up;
  CHECK_EQ(fi_av_lookup(s.av, 0, looked_up, &length), 0);
  CHECK_EQ(length, kAddressBytes);
  CHECK(std::memcmp(looked_up, r.name, kAddressBytes) == 0);
  char text[200];
  length = sizeof text;
  CHECK(fi_av_straddr(s.av, r.name, text, &length) == text && name == text);
  CHECK_EQ(length, name.size() + 1);
  // By name, as a program without another channel would do it.
  fi_addr_t by_name = FI_ADDR_NOTAVAIL;
  CHECK_EQ(
      fi_av_insertsvc(s.av, name.substr(0, name.find('/')).c_str(), "known", &by_name, 0, nullptr),
      1);
  CHECK_EQ(by_name, 2);
  char c = 0;
  CHECK_EQ(fi_recv(r.ep, &c, 1, nullptr, FI_ADDR_UNSPEC, nullptr), 0);
  CHECK_EQ(fi_inject(s.ep, "n", 1, by_name), 0);
  fi_addr_t source = 0;
  completion(r.receives, s.sends, &source);
  CHECK_EQ(source, FI_ADDR_NOTAVAIL);  // its vector does not have the sender
  CHECK_EQ(fi_av_remove(s.av, &by_name, 1, 0), 0);
  CHECK_EQ(fi_av_remove(s.av, &by_name, 1, 0), -FI_EINVAL);
  CHECK_EQ(fi_inject(s.ep, "n", 1, by_name), -FI_EINVAL);
  CHECK_EQ(fi_inject(s.ep, "o", 1, 0), 0);  // the other number of the same address
  CHECK_EQ(fi_recv(r.ep, &c, 1, nullptr, FI_ADDR_UNSPEC, nullptr), 0);
  completion(r.receives, s.sends);
  CHECK_EQ(c, 'o');
  // The name is taken, by any endpoint of another process or domain at that daemon.
  fi_info* info = get_info(b, {.service = "known"});
  fid_domain* domain = nullptr;
  fid_ep* ep = nullptr;
  CHECK_EQ(fi_domain(r.fabric, info, &domain, nullptr), 0);
  CHECK_EQ(fi_endpoint(domain, info, &ep, nullptr), -FI_EADDRINUSE);
  CHECK_EQ(fi_close(&domain->fid), 0);
  fi_freeinfo(info);
}

void event_queues(const char* a, const char*) {
  Side s(a);
  fi_eq_attr attr{};
  attr.flags = FI_WRITE;
  fid_eq* eq = nullptr;
  CHECK_EQ(fi_eq_open(s.fabric, &attr, &eq, nullptr), 0);
  std::uint32_t event = 0;
  fi_eq_entry entry{}, written{};
  CHECK_EQ(fi_eq_read(eq, &event, &entry, sizeof entry, 0), -FI_EAGAIN);
  written.data = 5;
  CHECK_EQ(fi_eq_write(eq, FI_NOTIFY, &written, sizeof written, 0), sizeof written);
  CHECK_EQ(fi_eq_read(eq, &event, &entry, 1, 0), -FI_ETOOSMALL);
  CHECK_EQ(fi_eq_read(eq, &event, &entry, sizeof entry, FI_PEEK), sizeof entry);
  CHECK_EQ(fi_eq_read(eq, &event, &entry, sizeof entry, 0), sizeof entry);
  CHECK_EQ(event, FI_NOTIFY);
  CHECK_EQ(entry.data, 5);
  // Addresses that are inserted asynchronously.
  fi_av_attr av_attr{};
  av_attr.flags = FI_EVENT;
  fid_av* av = nullptr;
  CHECK_EQ(fi_av_open(s.domain, &av_attr, &av, nullptr), 0);
  CHECK_EQ(av_attr.type, FI_AV_TABLE);
  fi_addr_t number = 7;
  CHECK_EQ(fi_av_insert(av, s.name, 1, &number, 0, &number), -FI_ENOEQ);
  CHECK_EQ(fi_av_bind(av, &eq->fid, 0), 0);
  CHECK_EQ(fi_av_insert(av, s.name, 1, &number, 0, &number), 0);
  CHECK_EQ(fi_eq_read(eq, &event, &entry, sizeof entry, 0), sizeof entry);
  CHECK_EQ(event, FI_AV_COMPLETE);
  CHECK(entry.fid == &av->fid && entry.context == &number);
  CHECK_EQ(entry.data, 1);
  CHECK_EQ(number, 0);
  CHECK_EQ(fi_close(&av->fid), 0);
  CHECK_EQ(fi_close(&eq->fid), 0);
}

void nobody_there(const char* a, const char*) {
  Side s(a);
  std::string name(s.name);
  name = name.substr(0, name.find('/')) + "/nobody";
  char address[kAddressBytes] = {};
  std::memcpy(address, name.data(), name.size());
  fi_addr_t number = 0;
  CHECK_EQ(fi_av_insert(s.av, address, 1, &number, 0, nullptr), 1);
  for (int i = 0; i < 2; ++i) {  // and again: it is asked anew
    CHECK_EQ(fi_tsend(s.ep, "x", 1, nullptr, number, 9, &name), 0);
    const auto error = error_of(s.sends, nullptr);
    CHECK_EQ(error.err, FI_ECONNREFUSED);
    CHECK(error.op_context == &name);
    CHECK_EQ(error.flags, (FI_SEND | FI_TAGGED));
    char text[200];
    CHECK(std::strstr(fi_cq_strerror(s.sends, error.prov_errno, nullptr, text, sizeof text),
                      "service") != nullptr);
    CHECK(std::strstr(text, "service") != nullptr);
  }
}

void a_peer_that_ends(const char* a, const char* b) {
  Side s(a);
  fi_addr_t to = 0;
  // As much as the first credit of a connection allows (daemon/provider/unexpected.hpp).
  const auto text = bytes(32'000);
  std::vector<char> buffer(text.size());
  {
    Side r(b);
    to = s.add(r);
    const fi_addr_t back = r.add(s);
    // What the peer sends before it closes its endpoint arrives, whoever waits for it.
    CHECK_EQ(fi_send(r.ep, text.data(), text.size(), nullptr, back, nullptr), 0);
    completion(r.sends, s.sends);
    CHECK_EQ(fi_inject(r.ep, "last", 4, back), 0);
    r.close_endpoint();
  }
  CHECK_EQ(fi_recv(s.ep, buffer.data(), buffer.size(), nullptr, FI_ADDR_UNSPEC, nullptr), 0);
  completion(s.receives, nullptr);
  CHECK(buffer == text);
  CHECK_EQ(fi_recv(s.ep, buffer.data(), buffer.size(), nullptr, FI_ADDR_UNSPEC, nullptr), 0);
  CHECK_EQ(completion(s.receives, nullptr).len, 4);
  // From then on there is nobody.
  CHECK_EQ(fi_send(s.ep, "x", 1, nullptr, to, &s), 0);
  fi_cq_tagged_entry entry{};
  until(__FILE__, __LINE__, [&] {
    const ssize_t n = fi_cq_read(s.sends, &entry, 1);
    if (n == -FI_EAVAIL) return true;
    // It may have been passed to the daemon before the end was known.
    if (n == 1) CHECK_EQ(fi_send(s.ep, "x", 1, nullptr, to, &s), 0);
    return false;
  });
  const auto error = error_of(s.sends, nullptr);
  CHECK(error.err == FI_ECONNREFUSED || error.err == FI_ECONNRESET);
}

void until_a_daemon_ends(const char* a, const char* b) {
  Side s(a), r(b);
  const fi_addr_t to = s.add(r);
  CHECK_EQ(fi_send(s.ep, "x", 1, nullptr, to, &s), 0);
  completion(s.sends, r.receives);
  std::puts("sending");
  std::fflush(stdout);
  // Whoever starts this program kills one of the daemons now.
  fi_msg m{};
  m.addr = to;
  fi_cq_tagged_entry entry{};
  ssize_t n = 1;
  until(__FILE__, __LINE__, [&] {
    if (n == 1) CHECK_EQ(fi_sendmsg(s.ep, &m, FI_TRANSMIT_COMPLETE | FI_COMPLETION), 0);
    n = fi_cq_read(s.sends, &entry, 1);
    CHECK(n == 1 || n == -FI_EAGAIN || n == -FI_EAVAIL);
    return n == -FI_EAVAIL;
  });
  const auto error = error_of(s.sends, nullptr);
  std::printf("%s: %s\n", fi_strerror(error.err),
              fi_cq_strerror(s.sends, error.prov_errno, nullptr, nullptr, 0));
}
