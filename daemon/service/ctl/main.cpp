// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The program selvedgectl queries a running selvedged.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.hpp"
#include "base/program.hpp"
#include "daemon/ring/control.hpp"

namespace {

using namespace selvedge;
using nlohmann::ordered_json;

ordered_json query_daemon(const std::string& path, const std::string& what) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    throw InputError("not a socket's path", path, "give the [daemon] socket of selvedged");
  std::memcpy(address.sun_path, path.data(), path.size());
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  const auto fail = [&](const char* problem) {
    if (fd >= 0) close(fd);
    return EnvironmentError(problem, path, "see whether selvedged runs with this [daemon] socket");
  };
  if (fd < 0 || connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw fail(errno == EACCES ? "this user may not use the socket" : "no daemon answers");
  const timeval timeout{5, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  ring::Message m;
  m.kind = ring::MessageKind::kStatus;
  std::memcpy(m.text, what.data(), what.size());
  std::vector<char> bytes(ring::kStatusBytesMax);
  // A daemon that refuses this client sends the reason and closes the socket at once. So send() may
  // fail, and recv() may fail once before it returns the reason.
  if (send(fd, &m, sizeof m, MSG_NOSIGNAL) != sizeof m && errno != EPIPE && errno != ECONNRESET)
    throw fail("the daemon accepts no request");
  ssize_t got = recv(fd, bytes.data(), bytes.size(), 0);
  if (got < 0 && errno == ECONNRESET) got = recv(fd, bytes.data(), bytes.size(), 0);
  if (got <= static_cast<ssize_t>(ring::kMessageHeadBytes)) throw fail("the daemon did not answer");
  std::memcpy(static_cast<void*>(&m), bytes.data(), ring::kMessageHeadBytes);
  if (m.kind == ring::MessageKind::kRefused) {
    close(fd);
    throw EnvironmentError(m.error == ring::kNotAllowed ? "the daemon does not permit this user"
                                                        : "the daemon permits no more applications",
                           path, "see [daemon] users and clients_max of its configuration");
  }
  close(fd);
  const auto answer = ordered_json::parse(bytes.data() + ring::kMessageHeadBytes,
                                          bytes.data() + got, nullptr, false);
  if (answer.is_discarded())
    throw EnvironmentError("the daemon's answer cannot be read", path,
                           "use selvedgectl and selvedged of the same version");
  return answer;
}

void print_connections(const ordered_json& j, Output& out) {
  out.print("{:>10}  {:<22} {:<16} {:<8} {:<4} {:>9} {:>9} {:>9} {:>9}  {}\n", "connection", "peer",
            "service", "state", "inj.", "sent", "lost", "rejected", "delivered", "paths alive");
  for (const auto& c : j["connections"]) {
    unsigned alive = 0;
    for (const auto& p : c["paths"]) alive += p["alive"].get<bool>();
    out.print("{:>10}  {:<22} {:<16} {:<8} {:<4} {:>9} {:>9} {:>9} {:>9}  {}/{}\n",
              c["connection"].get<std::uint32_t>(), c["peer"].get<std::string>(),
              c["service"].get<std::string>(), c["state"].get<std::string>(),
              c["injection"].get<std::string>(), c["sent_packets"].get<std::uint64_t>(),
              c["retransmitted_lost_packets"].get<std::uint64_t>(),
              c["retransmitted_rejected_packets"].get<std::uint64_t>(),
              c.value("delivered_packets", std::uint64_t{0}), alive, c["paths"].size());
  }
}

void print_reasons(const ordered_json& j, Output& out) {
  out.print("connection {} with {}, service {}\n", j["connection"].get<std::uint32_t>(),
            j["peer"].get<std::string>(), j["service"].get<std::string>());
  for (const auto& r : j["reasons"])
    out.print("{}: {}\n", r["reason"].get<std::string>(), r["text"].get<std::string>());
}

std::string shown(const ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Prints a line for each value. Members of members have names with dots; an object in a list has
/// one line.
void print_status(const ordered_json& j, const std::string& prefix, Output& out) {
  for (const auto& [key, value] : j.items()) {
    const std::string name = prefix + key;
    if (value.is_object()) {
      print_status(value, name + '.', out);
    } else if (value.is_array()) {
      if (value.empty()) out.print("{:<48} none\n", name);
      for (std::size_t i = 0; i < value.size(); ++i) {
        std::string line;
        for (const auto& [member, of] : value[i].items())
          line += fmt::format(" {}={}", member, shown(of));
        out.print("{:<24}{}\n", name, line);
      }
    } else {
      out.print("{:<48} {}\n", name, shown(value));
    }
  }
}

int run(int argc, char** argv, Output& output) {
  CLI::App app{"selvedgectl: the state of a running selvedged"};
  std::string socket = "/run/selvedged.sock", verb, connection;
  bool json = false, version = false;
  app.add_option("verb", verb, "status | connections | metrics | why-stalled")
      ->check(CLI::IsMember({"status", "connections", "metrics", "why-stalled"}));
  app.add_option("connection", connection, "with why-stalled: its number in `connections`");
  app.add_option("--socket", socket, "the daemon's socket")->capture_default_str();
  app.add_flag("--json", json, "print JSON");
  app.add_flag("--version", version, "print the version");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    output.write(app.help());
    return kDone;
  } catch (const CLI::ParseError& e) {
    throw InputError(e.what(), "the command line", "see selvedgectl --help");
  }
  if (version) {
    output.print("selvedgectl {}\n", SELVEDGE_VERSION);
    return kDone;
  }
  if (verb.empty())
    throw InputError("no verb", "the command line",
                     "give status, connections, metrics or why-stalled");
  if ((verb == "why-stalled") == connection.empty())
    throw InputError(connection.empty() ? "no connection" : "a connection with another verb",
                     "the command line",
                     "write why-stalled CONNECTION, as `connections` numbers it");
  if (connection.size() > 10)
    throw InputError("not a connection's number", connection, "take one from `connections`");
  const ordered_json answer =
      query_daemon(socket, connection.empty() ? verb : verb + " " + connection);
  if (answer.contains("unknown"))
    throw InputError("no such connection", connection, "take one from selvedgectl connections");
  if (json)
    output.print("{}\n", answer.dump(2));
  else if (verb == "metrics")
    output.write(answer["metrics"].get<std::string>());
  else if (verb == "connections")
    print_connections(answer, output);
  else if (verb == "why-stalled")
    print_reasons(answer, output);
  else
    print_status(answer, "", output);
  return kDone;
}

}  // namespace

int main(int argc, char** argv) {
  return run_program([&](Output& output) { return run(argc, argv, output); });
}
