// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// receive SOCKET NAME: listens to NAME, accepts one connection, and prints each message as a line.
#include <selvedge.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

int check(int result) {
  if (result < 0) throw std::runtime_error(selvedge_strerror(result));
  return result;
}

struct SessionDeleter {
  void operator()(selvedge_session* s) const { selvedge_shut(s); }
};

void run(const char* socket, const char* name) {
  selvedge_session* opened = nullptr;
  check(selvedge_open(socket, &opened));
  const std::unique_ptr<selvedge_session, SessionDeleter> session(opened);
  check(selvedge_listen(session.get(), name));
  std::cout << "listening" << std::endl;
  selvedge_connection* connection = nullptr;
  check(selvedge_accept(session.get(), &connection, -1));
  std::string message(selvedge_message_max(connection), '\0');
  for (;;) {
    const auto length = selvedge_receive(connection, message.data(), message.size(), nullptr, -1);
    if (length == SELVEDGE_E_CLOSED) break;
    check(static_cast<int>(length));
    std::cout << message.substr(0, static_cast<std::size_t>(length)) << std::endl;
  }
  check(selvedge_close(connection, 5000));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: receive SOCKET NAME\n";
    return 2;
  }
  try {
    run(argv[1], argv[2]);
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
