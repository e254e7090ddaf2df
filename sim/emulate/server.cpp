// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/server.hpp"

#include <fmt/format.h>
#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <utility>

#include "base/error.hpp"
#include "base/program.hpp"
#include "sim/emulate/managing_processes.hpp"

namespace selvedge::sim {
namespace {

constexpr std::chrono::milliseconds kProbe{1000}, kRetrySend{2}, kLookAtWaiting{20};
constexpr std::chrono::milliseconds kBetweenComplaints{1000};
constexpr std::uint64_t kLoggedInFull = 20;
constexpr unsigned long kTimerSlackNs = 1000;  // a clock may ask for waits of microseconds
constexpr unsigned kBatch = 16;  // datagrams of a client before others have their turn
constexpr std::size_t kConsoleBuffer = 4096;
// Tags of epoll's events: a kind in the upper half, an index in the lower one.
constexpr std::uint64_t kKindShift = 32;
enum Watched : std::uint64_t { kSignals, kControl, kConsole, kClient, kSession };

bool peer_is_gone(int error) {
  return error == ECONNREFUSED || error == ENOTCONN || error == EPIPE;
}

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

}  // namespace

void block_ending_signals() {
  const sigset_t set = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

Server::Server(std::string name, std::chrono::nanoseconds patience)
    : name_(std::move(name)), patience_(patience) {
  if (name_.empty() || name_.size() > kMaxSocketName || name_.find('\0') != std::string::npos)
    throw InputError("this is no name of a socket", fmt::format("--socket '{}'", name_),
                     fmt::format("write 1 to {} characters", kMaxSocketName));
  poll_ = Descriptor(::epoll_create1(EPOLL_CLOEXEC));
  if (!poll_.open()) refused_by_system("epoll is not there", "epoll_create1", "raise the limits");
  console_ = bound_socket(SOCK_STREAM, name_ + ":console");
  if (::listen(console_.get(), 16) != 0)
    refused_by_system("the console cannot listen", name_ + ":console", "choose another --socket");
  control_ = bound_socket(SOCK_DGRAM, name_ + ":ctl");
  block_ending_signals();
  const sigset_t set = ending_signals();
  signals_ = Descriptor(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
  watch(signals_.get(), kSignals << kKindShift, EPOLLIN, true);
  watch(control_.get(), kControl << kKindShift, EPOLLIN, true);
  watch(console_.get(), kConsole << kKindShift, EPOLLIN, true);
}

void Server::watch(int fd, std::uint64_t tag, std::uint32_t events, bool add) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = tag;
  ::epoll_ctl(poll_.get(), add ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event);
}

/// Logs a wrong message of a client. A broken client may send them without end: the first are all
/// logged, then one a second.
void Server::complain(const std::string& what) {
  const auto now = std::chrono::steady_clock::now();
  ++complaints_;
  if (complaints_ > kLoggedInFull && now - complained_ < kBetweenComplaints) {
    ++suppressed_;
    return;
  }
  warn(suppressed_ == 0 ? what
                        : fmt::format("{} ({} more since the last line)", what, suppressed_));
  complained_ = now;
  suppressed_ = 0;
}

// --- Control messages

/// The bytes of the address of NAME:ctl<pid>, the socket that process `pid` has bound and sends
/// from.
std::string Server::control_address(std::uint32_t pid) const {
  const AbstractAddress address(fmt::format("{}:ctl{}", name_, pid));
  return {reinterpret_cast<const char*>(address.get()), address.size};
}

bool Server::connect(ControlMessage& m, const std::string& from, Core& core, std::string& why) {
  const auto asked_info = read_data<ClientInfo>(m);
  ClientInfo info = asked_info;
  if (from != control_address(info.id)) {
    why = fmt::format("it connects as process {} from a socket other than {}:ctl{}: {}", info.id,
                      name_, info.id, kUseOurProtocol);
    return false;
  }
  remove_dead(core);  // or a new client could inherit a dead one's place
  const ClientId c = core.connect(info, why);
  remove_dead(core);  // closes the socket of a client that was replaced
  if (c == kNoClient) return false;
  if (peers_.size() <= c) peers_.resize(c + std::size_t{1});
  Peer& peer = peers_[c];
  peer = {};
  peer.client_name = fmt::format("{}:in{}", name_, info.id);
  peer.control = from;
  peer.pid = static_cast<pid_t>(info.id);
  try {
    peer.socket = bound_socket(SOCK_DGRAM, fmt::format("{}:out{}", name_, c));
  } catch (const Error& error) {
    why = error.what();
    core.disconnect(c);
    return false;
  }
  const AbstractAddress address(peer.client_name);
  if (::connect(peer.socket.get(), address.get(), address.size) != 0) {
    why = fmt::format("there is no socket {}: bind it before connecting", peer.client_name);
    peer = {};
    core.disconnect(c);
    return false;
  }
  watch(peer.socket.get(), kClient << kKindShift | c, EPOLLIN, true);
  clock_->client_came(peer.pid);
  if (repeats_its_own_smps(peer.pid)) core.repeat_nothing(c);
  info.id = c;
  info.node = {};
  const std::string& node = core.subnet().name(core.client(c)->at.node);
  // The answer repeats the name that the client asked for, though it may be a GUID: a client warns
  // if the answer has another name.
  const std::string_view asked = node_of(asked_info);
  const std::string_view shown = asked.empty() ? std::string_view(node) : asked;
  std::memcpy(info.node.data(), shown.data(), std::min(shown.size(), info.node.size() - 1));
  write_data(m, info);
  return true;
}

void Server::on_control(Core& core) {
  std::array<std::uint8_t, 512> buffer;
  sockaddr_un from{};
  while (true) {
    socklen_t size = sizeof from;
    const ssize_t n = ::recvfrom(control_.get(), buffer.data(), buffer.size(), MSG_TRUNC,
                                 reinterpret_cast<sockaddr*>(&from), &size);
    if (n < 0) return;
    const auto reply = [&](const ControlMessage& m) {
      if (size > sizeof(sa_family_t))
        ::sendto(control_.get(), &m, sizeof m, MSG_DONTWAIT | MSG_NOSIGNAL,
                 reinterpret_cast<const sockaddr*>(&from), size);
    };
    std::string why;
    const std::size_t length = std::min<std::size_t>(static_cast<std::size_t>(n), buffer.size());
    std::optional<ControlMessage> m = parse_control(std::span(buffer.data(), length), why);
    bool good = m.has_value();
    const std::string sender(reinterpret_cast<const char*>(&from), size);
    if (good && m->type == ControlType::kConnect) {
      good = connect(*m, sender, core, why);
    } else if (good && m->client < peers_.size() && peers_[m->client].socket.open() &&
               peers_[m->client].control != sender) {
      why = fmt::format("client {} is another process", m->client);
      good = false;
    } else if (good && m->type == ControlType::kDisconnect) {
      const auto c = static_cast<ClientId>(m->client);
      if (m->client < peers_.size() && core.client(c) != nullptr) {
        core.disconnect(c);
        clock_->client_left(peers_[c].pid);
        peers_[c] = {};
      }
    } else if (good) {
      good = core.control(*m, why);
    }
    if (!good) {
      complain(fmt::format("a client is refused: {}", why));
      if (!m) m.emplace();
      m->type = ControlType::kError;
    }
    reply(*m);
  }
}

// --- Clients

void Server::on_client(Core& core, ClientId c) {
  // The buffer has one byte more, so that a datagram that is too long is recognised.
  std::array<std::uint8_t, sizeof(MadDatagram) + 1> buffer;
  for (unsigned i = 0; i < kBatch; ++i) {
    const ssize_t n = ::recv(peers_[c].socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (n < 0) {
      if (peer_is_gone(errno)) peers_[c].dead = any_dead_ = true;
      return;
    }
    const auto datagram = parse_mad({buffer.data(), static_cast<std::size_t>(n)});
    if (datagram)
      core.from_client(c, *datagram);
    else
      complain(fmt::format("a datagram of client {} is ignored: it has {} bytes instead of {}: {}",
                           c, n, sizeof(MadDatagram), kUseOurProtocol));
  }
}

void Server::deliver(ClientId c, const MadDatagram& datagram) {
  if (c >= peers_.size() || !peers_[c].socket.open() || peers_[c].dead) return;
  Peer& peer = peers_[c];
  if (peer.queue.empty()) {
    if (::send(peer.socket.get(), &datagram, sizeof datagram, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0)
      return;
    if (peer_is_gone(errno)) {
      peer.dead = any_dead_ = true;
      return;
    }
  }
  if (peer.queue.size() >= kMostQueued) {
    ++overflowed_;
    return;
  }
  peer.queue.push_back(datagram);
  if (!peer.waits_for_room) {
    peer.waits_for_room = true;
    watch(peer.socket.get(), kClient << kKindShift | c, EPOLLIN | EPOLLOUT, false);
  }
}

void Server::flush(ClientId c) {
  Peer& peer = peers_[c];
  while (!peer.queue.empty()) {
    if (::send(peer.socket.get(), &peer.queue.front(), sizeof(MadDatagram),
               MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
      if (!peer_is_gone(errno)) return;
      peer.dead = any_dead_ = true;
      peer.queue.clear();
      break;
    }
    peer.queue.pop_front();
  }
  if (peer.waits_for_room) {
    peer.waits_for_room = false;
    watch(peer.socket.get(), kClient << kKindShift | c, EPOLLIN, false);
  }
}

void Server::probe(Core& core) {
  for (ClientId c = 0; c < num_peers(); ++c) {
    if (core.client(c) == nullptr || !peers_[c].socket.open()) continue;
    const Descriptor test(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const AbstractAddress address(peers_[c].client_name);
    if (test.open() && ::connect(test.get(), address.get(), address.size) != 0 &&
        errno == ECONNREFUSED)
      peers_[c].dead = any_dead_ = true;
    end_if_not_reading(c);
  }
}

/// Datagrams that a client has not read yet, in bytes of the kernel's buffers and of its queue.
std::size_t Server::unread(const Peer& peer) {
  int bytes = 0;
  if (::ioctl(peer.socket.get(), SIOCOUTQ, &bytes) != 0) bytes = 0;
  return static_cast<std::size_t>(bytes) + peer.queue.size() * sizeof(MadDatagram);
}

/// Throws EnvironmentError if a manager has not read its datagrams for too long: simulated time
/// waits for it, and would stand still for ever.
void Server::end_if_not_reading(ClientId c) {
  Peer& peer = peers_[c];
  const auto now = std::chrono::steady_clock::now();
  const std::size_t bytes = unread(peer);
  if (bytes == 0 || bytes != peer.unread || !clock_->counts(peer.pid)) peer.has_read = now;
  peer.unread = bytes;
  if (now - peer.has_read > patience_)
    throw EnvironmentError("a subnet manager has stopped answering",
                           fmt::format("process {} has read no MAD for {} s", peer.pid,
                                       duration_cast<std::chrono::seconds>(patience_).count()),
                           "end it, and start both again");
}

/// Disconnects clients that have died, and closes their sockets and those of clients that the core
/// has replaced.
void Server::remove_dead(Core& core) {
  any_dead_ = false;
  for (ClientId c = 0; c < num_peers(); ++c) {
    if (!peers_[c].socket.open()) continue;
    if (peers_[c].dead) core.disconnect(c);
    if (core.client(c) == nullptr || peers_[c].dead) {
      clock_->client_left(peers_[c].pid);
      peers_[c] = {};
    }
  }
}

// --- Console

void Server::accept_session() {
  Descriptor fd(::accept4(console_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!fd.open()) return;
  const int number = fd.get();
  sessions_.emplace_back().socket = std::move(fd);
  watch(number, kSession << kKindShift | static_cast<std::uint64_t>(number), EPOLLIN, true);
}

void Server::write_session(Session& session) {
  while (!session.output.empty()) {
    const ssize_t n = ::send(session.socket.get(), session.output.data(), session.output.size(),
                             MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0) {
      if (errno != EAGAIN) session.ended = true;
      break;
    }
    session.output.erase(0, static_cast<std::size_t>(n));
  }
  watch(session.socket.get(),
        kSession << kKindShift | static_cast<std::uint64_t>(session.socket.get()),
        (session.waiting ? 0U : EPOLLIN) | (session.output.empty() ? 0U : EPOLLOUT), false);
}

void Server::on_session(Console& console, Session& session) {
  std::array<char, kConsoleBuffer> buffer;
  const ssize_t n = ::recv(session.socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (n == 0 || (n < 0 && errno != EAGAIN)) {
    session.ended = true;
    return;
  }
  if (n > 0) session.input.append(buffer.data(), static_cast<std::size_t>(n));
  run_lines(console, session);
  write_session(session);
}

void Server::run_lines(Console& console, Session& session) {
  while (!session.waiting) {
    const std::size_t end = session.input.find('\n');
    if (end == std::string::npos) break;
    if (!std::exchange(session.skips_line, false)) {
      Console::Reply reply = console.run(std::string_view(session.input).substr(0, end));
      session.output += reply.text;
      session.waiting = std::move(reply.waiting);
      if (session.waiting)
        session.waits_until = std::chrono::steady_clock::now() + session.waiting->longest;
    }
    session.input.erase(0, end + 1);
  }
  if (session.waiting || session.input.size() <= Console::kLongestCommand) return;
  if (!std::exchange(session.skips_line, true)) session.output += Console::too_long(session.input);
  session.input.clear();
}

void Server::answer_waiting(Console& console) {
  for (Session& session : sessions_) {
    if (!session.waiting) continue;
    const bool there = session.waiting->there();
    if (!there && std::chrono::steady_clock::now() < session.waits_until) continue;
    session.output += there ? std::string(Console::kOk) : session.waiting->gave_up;
    session.waiting.reset();
    run_lines(console, session);
    write_session(session);
  }
}

// --- The loop

/// Whether no client on which the fabric's time depends has datagrams left to read.
bool Server::all_read() const {
  for (const Peer& peer : peers_) {
    if (!peer.socket.open() || !clock_->counts(peer.pid)) continue;
    if (unread(peer) > 0) return false;
  }
  return true;
}

bool Server::serve(Core& core, Console& console, EmulationClock& clock,
                   std::vector<Course*> more_courses) {
  clock_ = &clock;
  console.add_numbers([this] { return Console::Numbers{{"lost_unread", overflowed_}}; });
  std::vector<Course*> courses = std::move(more_courses);
  courses.push_back(&console);
  ::prctl(PR_SET_TIMERSLACK, kTimerSlackNs);
  auto next_probe = std::chrono::steady_clock::now() + kProbe;
  std::array<epoll_event, 64> events;
  while (std::ranges::none_of(courses, [](const Course* c) { return c->ended(); })) {
    core.set_now(clock.now());
    std::optional<Nanoseconds> due = core.deadline();
    for (const Course* course : courses)
      if (const auto d = course->deadline(); d && (!due || *d < *due)) due = d;
    std::chrono::nanoseconds wait = clock.step(core, due, [this] { return all_read(); });
    for (const Peer& peer : peers_)
      if (peer.waits_for_room) wait = std::min<std::chrono::nanoseconds>(wait, kRetrySend);
    for (const Session& session : sessions_)
      if (session.waiting) wait = std::min<std::chrono::nanoseconds>(wait, kLookAtWaiting);
    const timespec limit{0, static_cast<long>(wait.count())};
    const int n = ::epoll_pwait2(poll_.get(), events.data(), static_cast<int>(events.size()),
                                 &limit, nullptr);
    core.set_now(clock.now());
    for (std::size_t i = 0; n > 0 && i < static_cast<std::size_t>(n); ++i) {
      const std::uint64_t tag = events[i].data.u64;
      const auto index = static_cast<std::uint32_t>(tag);
      switch (static_cast<Watched>(tag >> kKindShift)) {
        case kSignals:
          return false;
        case kControl:
          on_control(core);
          break;
        case kConsole:
          accept_session();
          break;
        case kClient:
          if (core.client(static_cast<ClientId>(index)) == nullptr || !peers_[index].socket.open())
            break;
          if ((events[i].events & EPOLLOUT) != 0) flush(static_cast<ClientId>(index));
          // A MAD that a client has sent ahead of the fabric's time waits in the socket.
          if (clock.caught_up()) on_client(core, static_cast<ClientId>(index));
          break;
        case kSession:
          for (Session& session : sessions_)
            if (session.socket.get() == static_cast<int>(index)) on_session(console, session);
          std::erase_if(sessions_, [](const Session& s) { return s.ended; });
          break;
      }
    }
    for (Course* course : courses) course->on_time();
    core.on_time();
    answer_waiting(console);
    for (ClientId c = 0; c < num_peers(); ++c)
      if (peers_[c].waits_for_room) flush(c);
    if (const auto now = std::chrono::steady_clock::now(); now >= next_probe) {
      probe(core);
      next_probe = now + kProbe;
    }
    if (any_dead_) remove_dead(core);
  }
  // Sends the answer to the console's last command (quit).
  for (Session& session : sessions_) write_session(session);
  return true;
}

}  // namespace selvedge::sim
