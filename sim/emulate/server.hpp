// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The emulator's server. It has the sockets NAME:ctl for control messages, NAME:out<n> for each
// client n, and NAME:console for commands. One thread waits for all of them and for the next
// deadline.
//
// The server never blocks in sending. A client holds a lock while it writes to the server, and its
// receiving thread needs that lock too; so a server that waited for a full client's socket could
// deadlock with the client. Datagrams that a client does not take yet wait in a bounded queue.
// Datagram sockets do not report that their peer has died, so each client's socket is probed once a
// second.
#pragma once

#include <chrono>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/emulate/console.hpp"
#include "sim/emulate/core.hpp"
#include "sim/emulate/emulation_clock.hpp"
#include "sim/emulate/socket.hpp"

namespace selvedge::sim {

/// Blocks SIGINT, SIGTERM and SIGHUP in this thread and those that it will start, so that only a
/// Server receives them. To be called before the first thread is started.
void block_ending_signals();

class Server : public ClientOutput {
 public:
  /// How long a subnet manager on which the fabric's time depends may leave its MADs unread.
  static constexpr std::chrono::seconds kPatience{60};

  /// Binds the names. Throws InputError if one is in use.
  explicit Server(std::string name, std::chrono::nanoseconds patience = kPatience);

  /// Serves until the console's command `quit` or until another course ends, and returns true.
  /// Returns false if SIGINT, SIGTERM or SIGHUP comes. `core` was made with this server as its
  /// ClientOutput. Throws EnvironmentError if a manager has stopped reading.
  bool serve(Core& core, Console& console, EmulationClock& clock,
             std::vector<Course*> more_courses = {});

  void deliver(ClientId client, const MadDatagram& datagram) override;
  /// Datagrams dropped because their client's queue was full.
  std::uint64_t overflowed() const { return overflowed_; }

 private:
  static constexpr std::size_t kMostQueued = 16'384;  // datagrams of a client
  struct Peer {
    Descriptor socket;
    std::string client_name;  // NAME:in<pid>
    std::string control;      // the address that its control messages come from
    pid_t pid = 0;
    std::deque<MadDatagram> queue;
    bool waits_for_room = false, dead = false;
    std::size_t unread = 0;  // bytes unread at the last probe
    std::chrono::steady_clock::time_point has_read = std::chrono::steady_clock::now();
  };
  struct Session {  // of the console
    Descriptor socket;
    std::string input, output;
    /// The command that waits, and until when. What comes after it is not read until then.
    std::optional<Console::Waiting> waiting;
    std::chrono::steady_clock::time_point waits_until;
    bool skips_line = false;  // the rest of one that is too long
    bool ended = false;
  };

  ClientId num_peers() const { return static_cast<ClientId>(peers_.size()); }
  void on_control(Core& core);
  void on_client(Core& core, ClientId c);
  void on_session(Console& console, Session& session);
  static void run_lines(Console& console, Session& session);
  /// Answers each command `wait` whose condition holds or whose time has passed.
  void answer_waiting(Console& console);
  bool connect(ControlMessage& m, const std::string& from, Core& core, std::string& why);
  std::string control_address(std::uint32_t pid) const;
  bool all_read() const;
  static std::size_t unread(const Peer& peer);
  void end_if_not_reading(ClientId c);
  void flush(ClientId c);
  void write_session(Session& session);
  void accept_session();
  void probe(Core& core);
  void remove_dead(Core& core);
  /// Adds the descriptor to those of epoll_wait(), or with `add` false changes its events.
  void watch(int fd, std::uint64_t tag, std::uint32_t events, bool add);
  void complain(const std::string& what);

  const std::string name_;
  const std::chrono::nanoseconds patience_;
  Descriptor poll_, signals_, control_, console_;
  std::vector<Peer> peers_;          // per client number
  EmulationClock* clock_ = nullptr;  // while it serves
  std::list<Session> sessions_;
  bool any_dead_ = false;
  std::uint64_t overflowed_ = 0;
  std::uint64_t complaints_ = 0, suppressed_ = 0;  // suppressed: not logged since the last line
  std::chrono::steady_clock::time_point complained_{};
};

}  // namespace selvedge::sim
