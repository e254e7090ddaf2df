// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/opensm/status_server.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <list>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.hpp"

namespace selvedge {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class Client {
 public:
  explicit Client(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    fd_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    connected_ = connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { leave(); }

  bool connected() const { return connected_; }
  /// Sends the text; true if all of it was sent.
  bool say(const std::string& text) const {
    std::size_t sent = 0;
    while (sent < text.size()) {
      const ssize_t n = send(fd_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return false;
      sent += static_cast<std::size_t>(n);
    }
    return true;
  }
  /// Whether the connection is open and nothing has come.
  bool waits() const {
    char byte = 0;
    return recv(fd_, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
  }
  void say_no_more() const { shutdown(fd_, SHUT_WR); }
  /// Receives everything up to end of file, or the first `most` bytes.
  std::string hear(std::size_t most = SIZE_MAX) const {
    std::string all;
    char buffer[1 << 16];
    for (ssize_t n = 0;
         all.size() < most && (n = recv(fd_, buffer, std::min(most, sizeof(buffer)), 0)) > 0;)
      all.append(buffer, static_cast<std::size_t>(n));
    return all;
  }
  void leave() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
  bool connected_ = false;
};

class StatusServerTest : public testing::Test {
 protected:
  StatusServerTest() {
    folder_ = (fs::temp_directory_path() / "selvedge-status-XXXXXX").string();
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = folder_ + "/s.sock";
  }
  ~StatusServerTest() override { fs::remove_all(folder_); }

  static std::string answer(const std::string& verb, const std::vector<std::string>& words) {
    if (verb == "count") return std::to_string(words.size()) + "\n";
    if (verb == "status") return "{\"verb\": \"status\"}\n";
    if (verb == "much") return std::string(std::size_t{8} << 20, 'm');
    if (verb == "throw") throw std::runtime_error("inside \xff");
    return "";
  }
  void start(StatusServer& server) const { server.start(path_, answer); }
  std::string ask(const std::string& line) const {
    const Client client(path_);
    EXPECT_TRUE(client.connected());
    client.say(line);
    return client.hear();
  }
  json error_of(const std::string& line) const { return json::parse(ask(line)).at("error"); }

  std::string folder_, path_;
};

const std::string kStatus = "{\"verb\": \"status\"}\n";

TEST_F(StatusServerTest, AnswersOneQuestionAClient) {
  StatusServer server;
  start(server);
  EXPECT_TRUE(server.running());
  EXPECT_EQ(json::parse(ask(kStatus)).at("verb"), "status");
  EXPECT_EQ(ask("{\"verb\":\"much\"}\n").size(), std::size_t{8} << 20);
  struct stat found{};
  ASSERT_EQ(stat(path_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0660u);
}

TEST_F(StatusServerTest, AQuestionInPiecesOrWithoutANewline) {
  StatusServer server;
  start(server);
  const Client pieces(path_);
  for (const char* part : {"{\"ve", "rb\": \"sta", "tus\"}", "\n"}) pieces.say(part);
  EXPECT_EQ(json::parse(pieces.hear()).at("verb"), "status");
  const Client no_newline(path_);
  no_newline.say("{\"verb\": \"status\"}");
  no_newline.say_no_more();
  EXPECT_EQ(json::parse(no_newline.hear()).at("verb"), "status");
}

TEST_F(StatusServerTest, EverythingElseIsAnError) {
  StatusServer server;
  start(server);
  EXPECT_EQ(error_of("{\"verb\": \"drain\"}\n"), "unknown verb: drain");
  for (const char* line : {"\n", "{}\n", "[]\n", "3\n", "{\"verb\": 3}\n", "verb\n", "\xff\xfe\n",
                           "{\"verb\": null}\n"})
    EXPECT_TRUE(error_of(line).is_string()) << line;
  EXPECT_TRUE(error_of("{\"verb\": \"throw\"}\n").is_string());
  EXPECT_TRUE(error_of("{\"verb\": \"a\\u0000b \\ud83d\\ude00\"}\n").is_string());
  // Deep nesting does no harm.
  EXPECT_TRUE(error_of(std::string(4000, '[') + "\n").is_string());
  EXPECT_EQ(json::parse(ask(kStatus)).at("verb"), "status");
}

TEST_F(StatusServerTest, AnOversizedRequestIsRefused) {
  StatusServer server;
  start(server);
  {
    const Client client(path_);
    client.say(std::string(1 << 20, 'x'));  // the server may close before all is sent
    client.hear();
  }
  EXPECT_EQ(json::parse(ask(kStatus)).at("verb"), "status");
}

TEST_F(StatusServerTest, ClientsThatStallOrLeave) {
  StatusServer server;
  start(server);
  const Client silent(path_);
  for (int i = 0; i < 50; ++i) {
    Client gone(path_);
    if (i % 2 == 0) gone.say("{\"verb\": \"much\"}\n");
    gone.leave();
  }
  // No client waits for longer than the silent one's time limit of a second.
  EXPECT_EQ(json::parse(ask(kStatus)).at("verb"), "status");
  EXPECT_TRUE(json::parse(silent.hear()).contains("error"));
}

TEST_F(StatusServerTest, SeveralClientsAtATime) {
  StatusServer server;
  start(server);
  std::atomic<int> right = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < 8; ++c)
    clients.emplace_back([&] {
      for (int i = 0; i < 20; ++i)
        if (ask(kStatus) == "{\"verb\": \"status\"}\n") ++right;
    });
  for (std::thread& c : clients) c.join();
  EXPECT_EQ(right, 160);
}

/// One request takes long, as an order may: other clients are answered meanwhile.
TEST_F(StatusServerTest, ASlowAnswerDelaysNoOtherClient) {
  std::promise<void> asked, enough;
  StatusServer server;
  server.start(path_, [&](const std::string& verb, const std::vector<std::string>&) {
    if (verb == "drain") {
      asked.set_value();
      enough.get_future().wait();
    }
    return "\"" + verb + "\"\n";
  });
  const Client slow(path_);
  ASSERT_TRUE(slow.say("{\"verb\": \"drain\"}\n"));
  asked.get_future().wait();
  for (int i = 0; i < 20; ++i) {
    const Client quick(path_);
    ASSERT_TRUE(quick.say("{\"verb\": \"status\"}\n"));
    EXPECT_EQ(quick.hear(), "\"status\"\n");
  }
  enough.set_value();
  EXPECT_EQ(slow.hear(), "\"drain\"\n");
}

/// Idle clients, whatever their number, delay nobody: their connections stay open until their time
/// is up, and a request that comes after them is answered before that.
TEST_F(StatusServerTest, IdleClientsDelayNoOtherClient) {
  StatusServer server;
  start(server);
  std::list<Client> idle;
  for (int i = 0; i < 64; ++i) ASSERT_TRUE(idle.emplace_back(path_).connected());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(json::parse(ask(kStatus)).at("verb"), "status");
  for (const Client& client : idle) EXPECT_TRUE(client.waits());
}

/// More connections than the server keeps: the one that has been silent for longest goes, the
/// newest is served.
TEST_F(StatusServerTest, TooManyIdleClientsLoseTheOldest) {
  StatusServer server;
  start(server);
  std::list<Client> idle;
  for (std::size_t i = 0; i < RequestServer::kMaxClients; ++i) idle.emplace_back(path_);
  EXPECT_EQ(json::parse(ask(kStatus)).at("verb"), "status");
  EXPECT_EQ(idle.front().hear(), "");
}

/// Clients that ask for much and read nothing do not hold the answers that others wait for.
TEST_F(StatusServerTest, ClientsThatDoNotReadDelayNoOtherClient) {
  StatusServer server;
  start(server);
  std::list<Client> greedy;
  for (std::size_t i = 0; i < RequestServer::kMaxSending; ++i) {
    greedy.emplace_back(path_).say("{\"verb\": \"much\"}\n");
    EXPECT_EQ(greedy.back().hear(1)[0], 'm');
  }
  for (int i = 0; i < 20; ++i) EXPECT_EQ(json::parse(ask(kStatus)).at("verb"), "status");
}

/// Orders that wait leave threads for queries.
TEST_F(StatusServerTest, ManyOrdersDelayNoQuery) {
  std::promise<void> enough;
  const std::shared_future<void> end = enough.get_future().share();
  StatusServer server;
  std::atomic<std::size_t> most = 0, now = 0;
  server.start(path_, [&](const std::string& verb, const std::vector<std::string>&) {
    if (verb != "drain") return "\"" + verb + "\"\n";
    most = std::max<std::size_t>(most, ++now);
    end.wait();
    --now;
    return "\"" + verb + "\"\n";
  });
  std::list<Client> orders;
  for (std::size_t i = 0; i < 2 * RequestServer::kMaxAnswering; ++i)
    ASSERT_TRUE(orders.emplace_back(path_).say("{\"verb\": \"drain\"}\n"));
  while (now < RequestServer::kMaxOrders) std::this_thread::yield();
  EXPECT_EQ(ask(kStatus), "\"status\"\n");
  enough.set_value();
  for (const Client& order : orders) EXPECT_EQ(order.hear(), "\"drain\"\n");
  EXPECT_EQ(most, RequestServer::kMaxOrders);
}

TEST_F(StatusServerTest, StopsWhileAClientHangs) {
  for (const bool greedy : {false, true}) {
    StatusServer server;
    start(server);
    const Client hanging(path_);
    if (greedy) {  // the client requests a long answer and reads only one byte
      hanging.say("{\"verb\": \"much\"}\n");
      EXPECT_EQ(hanging.hear(1), "m");
    }
    server.stop();
    EXPECT_FALSE(server.running());
    EXPECT_FALSE(fs::exists(path_));
    server.stop();  // a second stop() is no error
    EXPECT_LT(hanging.hear().size(), std::size_t{8} << 20);
  }
}

TEST_F(StatusServerTest, ALivingServerKeepsItsPath) {
  StatusServer first, second;
  start(first);
  EXPECT_THROW(start(second), EnvironmentError);
  EXPECT_FALSE(second.running());
  second.stop();
  EXPECT_EQ(json::parse(ask(kStatus)).at("verb"), "status");
  first.stop();
  start(second);
  EXPECT_EQ(json::parse(ask(kStatus)).at("verb"), "status");
}

TEST_F(StatusServerTest, ADeadServersSocketIsReplaced) {
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path_.copy(address.sun_path, sizeof(address.sun_path) - 1);
  ASSERT_EQ(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  close(fd);  // the file stays
  ASSERT_TRUE(fs::exists(path_));
  StatusServer server;
  start(server);
  EXPECT_EQ(json::parse(ask(kStatus)).at("verb"), "status");
}

TEST_F(StatusServerTest, AFileInTheWayIsLeftAlone) {
  std::ofstream(path_) << "somebody's data";
  StatusServer server;
  EXPECT_THROW(start(server), EnvironmentError);
  std::ifstream in(path_);
  std::string text;
  std::getline(in, text);
  EXPECT_EQ(text, "somebody's data");
  fs::remove(path_);
  fs::create_symlink(folder_ + "/elsewhere", path_);
  EXPECT_THROW(start(server), EnvironmentError);
}

TEST_F(StatusServerTest, AMissingFolder) {
  StatusServer server;
  EXPECT_THROW(server.start(folder_ + "/none/s.sock", answer), EnvironmentError);
  start(server);
  EXPECT_TRUE(server.running());
}

TEST_F(StatusServerTest, ReplaceFile) {
  const std::string file = folder_ + "/status.json";
  auto content = [&] {
    std::ifstream in(file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_TRUE(replace_file(file, "one"));
  EXPECT_TRUE(replace_file(file, "two"));
  EXPECT_EQ(content(), "two");
  EXPECT_FALSE(fs::exists(file + ".new"));
  EXPECT_FALSE(replace_file(folder_ + "/none/status.json", "three"));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(replace_file(folder_, "three"));  // a folder is in the way
  EXPECT_FALSE(fs::exists(folder_ + ".new"));
  // A symbolic link at the temporary name is not followed.
  fs::create_symlink(folder_ + "/victim", file + ".new");
  EXPECT_FALSE(replace_file(file, "four"));
  EXPECT_FALSE(fs::exists(folder_ + "/victim"));
  EXPECT_EQ(content(), "two");
}

}  // namespace
}  // namespace selvedge
