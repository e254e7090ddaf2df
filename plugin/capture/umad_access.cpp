// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/capture/umad_access.hpp"

#include <endian.h>
#include <fmt/format.h>
#include <infiniband/umad.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/mad.hpp"
#include "plugin/control/smp_exchange.hpp"
#include "plugin/fabric/files.hpp"

namespace selvedge::capture {
namespace {

using namespace std::chrono_literals;

using mad::Mad;

constexpr int kDirectedClass = 0x81, kDirectedVersion = 1;
constexpr std::uint16_t kPermissiveLid = 0xffff;
constexpr auto kGrace = 50ms;  // the kernel applies the time-out; its report comes a little later
constexpr auto kBetweenTries = 2s;
constexpr SmpLimits kSaLimits{.outstanding_max = 8, .timeout_ms = 1000, .tries = 4};

// Byte offsets in a directed-route SMP (IBA 1.3 figure 165).
constexpr std::size_t kHopCountAt = 7, kMKeyAt = 24, kSourceLidAt = 32, kTargetLidAt = 34,
                      kSmpDataAt = 64, kPathAt = 128;

Mad smp(const SmpRequest& request) {
  Mad mad =
      mad::request(kDirectedClass, kDirectedVersion, static_cast<std::uint16_t>(request.attribute),
                   request.modifier, request.tag);
  mad[kHopCountAt] = request.path.hops;
  std::memcpy(mad.data() + kMKeyAt, &request.m_key, sizeof request.m_key);
  mad::put(mad, kSourceLidAt, kPermissiveLid);
  mad::put(mad, kTargetLidAt, kPermissiveLid);
  std::ranges::copy(request.path.ports, mad.begin() + kPathAt);
  return mad;
}

class UmadAccess final : public SubnetAccess, public SmpTransport {
 public:
  explicit UmadAccess(const UmadOptions& options) : options_(options) {
    if (umad_init() < 0) throw unavailable("cannot use libibumad");
    if (umad_get_port(ca(), static_cast<int>(options.port), &port_) < 0)
      throw unavailable("there is no such InfiniBand port, or none that is active");
    fd_ = umad_open_port(port_.ca_name, port_.portnum);
    if (fd_ >= 0) {
      smp_agent_ = umad_register(fd_, kDirectedClass, kDirectedVersion, 0, nullptr);
      sa_agent_ = umad_register(fd_, mad::kSaClass, mad::kSaVersion, 0, nullptr);
    }
    if (smp_agent_ < 0 || sa_agent_ < 0) {
      const EnvironmentError error = unavailable("the port cannot be opened for MADs");
      close();
      throw error;
    }
  }
  ~UmadAccess() override { close(); }
  UmadAccess(const UmadAccess&) = delete;
  UmadAccess& operator=(const UmadAccess&) = delete;

  Fabric discover() override {
    const std::string command = fmt::format(
        "PATH=\"$PATH:/usr/sbin:/usr/local/sbin\" ibnetdiscover -C '{}' -P {} "
        "2>/dev/null",
        port_.ca_name, port_.portnum);
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) refused_by_system("cannot run ibnetdiscover", "capture", "try again");
    std::string text;
    std::array<char, 65536> part;
    for (std::size_t n = 0; (n = fread(part.data(), 1, part.size(), pipe)) > 0;)
      text.append(part.data(), n);
    const int status = pclose(pipe);
    constexpr int kNotFound = 127 << 8;  // of the shell, as wait() gives it
    if (status == kNotFound)
      throw EnvironmentError("ibnetdiscover is not installed", "PATH and /usr/sbin",
                             "install infiniband-diags");
    if (status != 0 || text.empty())
      throw EnvironmentError("ibnetdiscover failed", place(), "run it by hand to see why");
    FabricFile file = read_fabric(text, "the output of ibnetdiscover");
    if (!file.has_lids)
      throw EnvironmentError("some nodes have no LID", place(),
                             "wait until the subnet manager has brought the fabric up");
    return std::move(file.fabric);
  }

  Guid port() override { return be64toh(port_.port_guid); }
  SmpTransport& smps() override { return *this; }

  Lid manager() override {
    umad_port_t now{};
    if (umad_get_port(port_.ca_name, port_.portnum, &now) < 0) return kNoLid;
    manager_ = static_cast<Lid>(now.sm_lid);
    manager_sl_ = static_cast<int>(now.sm_sl);
    umad_release_port(&now);
    return manager_;
  }

  void wait() override { std::this_thread::sleep_for(kBetweenTries); }

  std::vector<SlAnswer> ask(std::span<const SlQuestion> questions) override {
    std::vector<SlAnswer> answers(questions.size());
    TagExchange exchange(questions.size(), kSaLimits, next_tag_, kGrace);
    run_exchange(
        exchange,
        [&] {
          const TagExchange::Next next = exchange.next();
          const SlQuestion& question = questions[next.request];
          return send(sa_agent_, manager_, mad::kQp1,
                      mad::path_query(question.from, question.to, next.tag), kSaLimits.timeout_ms);
        },
        [&](const Mad& mad, bool answered) {
          const std::size_t i = exchange.take(mad::get(mad, mad::kTagAt, 4), answered);
          if (i != SIZE_MAX && answered) answers[i] = read_record(mad, questions[i]);
          return false;
        });
    return answers;
  }

  bool running() const override { return true; }

  std::vector<SmpAnswer> run(std::span<const SmpRequest> requests, const SmpLimits& limits,
                             const StopCondition& stop_condition) override {
    SmpExchange exchange(requests, limits, next_tag_, kGrace);
    run_exchange(
        exchange,
        [&] {
          return send(smp_agent_, kPermissiveLid, 0, smp(exchange.next()), limits.timeout_ms);
        },
        [&](const Mad& mad, bool answered) {
          SmpAnswer answer;
          answer.tag = mad::get(mad, mad::kTagAt, 4);
          // Without the D bit, which tells the direction.
          answer.status = answered ? mad::get(mad, mad::kStatusAt, 2) & 0x7fffU : kSmpNoAnswer;
          std::copy_n(mad.begin() + kSmpDataAt, kSmpDataBytes, answer.data.begin());
          const std::size_t i = exchange.take(answer);
          return i != SIZE_MAX && stop_condition && stop_condition(i, answer);
        });
    return std::move(exchange.answers());
  }

 private:
  static Instant now() { return std::chrono::steady_clock::now().time_since_epoch(); }
  const char* ca() const { return options_.ca.empty() ? nullptr : options_.ca.c_str(); }

  std::string place() const {
    return port_.ca_name[0] == '\0' ? options_.ca.empty() ? std::string("libibumad") : options_.ca
                                    : fmt::format("{} port {}", port_.ca_name, port_.portnum);
  }

  EnvironmentError unavailable(const char* what) const {
    return {what, place(), "load ib_umad, and read and write /dev/infiniband/umad* (as root)"};
  }

  void close() {
    if (fd_ < 0) return;
    if (smp_agent_ >= 0) umad_unregister(fd_, smp_agent_);
    if (sa_agent_ >= 0) umad_unregister(fd_, sa_agent_);
    umad_close_port(fd_);
    umad_release_port(&port_);
    fd_ = -1;
  }

  bool send(int agent, Lid lid, int qp, const Mad& mad, unsigned timeout_ms) {
    const Instant due = sent_at_ + std::chrono::nanoseconds(1s) / options_.per_second;
    if (const Instant begin = now(); begin < due) std::this_thread::sleep_for(due - begin);
    sent_at_ = std::max(due, now() - std::chrono::nanoseconds(10ms));  // short bursts are allowed
    std::vector<std::uint8_t> packet(umad_size() + mad.size());
    umad_set_addr(packet.data(), lid, qp, qp == 0 ? 0 : manager_sl_,
                  qp == 0 ? 0 : static_cast<int>(mad::kQp1Key));
    std::memcpy(umad_get_mad(packet.data()), mad.data(), mad.size());
    return umad_send(fd_, agent, packet.data(), static_cast<int>(mad.size()),
                     static_cast<int>(timeout_ms), 0) >= 0;
  }

  /// Sends with `send` what `exchange` has, and hands MADs to `take`, until all are answered or
  /// `take` returns true.
  template <class Send, class Take>
  void run_exchange(TagExchange& exchange, Send send_next, Take take) {
    std::vector<std::uint8_t> packet(umad_size() + mad::kBytes);
    bool stopped = false;
    while (!exchange.done() && !stopped) {
      while (exchange.may_send() && send_next()) exchange.sent(now());
      if (exchange.outstanding() == 0) {  // the port refuses MADs
        exchange.expire();
        continue;
      }
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(exchange.deadline() - now()).count();
      int length = mad::kBytes;
      if (umad_recv(fd_, packet.data(), &length, std::max(static_cast<int>(left), 1)) < 0) {
        if (now() >= exchange.deadline()) exchange.expire();
        continue;
      }
      Mad mad;
      std::memcpy(mad.data(), umad_get_mad(packet.data()), mad.size());
      stopped = take(mad, umad_status(packet.data()) == 0);
    }
    next_tag_ = exchange.next_tag();
  }

  static SlAnswer read_record(const Mad& mad, const SlQuestion& question) {
    if (const std::uint32_t status = mad::get(mad, mad::kStatusAt, 2); status != 0)
      return {status == mad::kNoRecords ? SlAnswer::Kind::kNoRecord : SlAnswer::Kind::kNone, 0};
    if (mad::get(mad, mad::kDlidAt, 2) != question.to ||
        mad::get(mad, mad::kSlidAt, 2) != question.from)
      return {};
    return {SlAnswer::Kind::kSl, static_cast<Sl>(mad[mad::kSlAt] & 0xfu)};
  }

  const UmadOptions options_;
  umad_port_t port_{};
  int fd_ = -1, smp_agent_ = -1, sa_agent_ = -1;
  Lid manager_ = kNoLid;
  int manager_sl_ = 0;
  std::uint32_t next_tag_ = 1;
  Instant sent_at_{};
};

}  // namespace

std::unique_ptr<SubnetAccess> open_umad(const UmadOptions& options) {
  return std::make_unique<UmadAccess>(options);
}

}  // namespace selvedge::capture
