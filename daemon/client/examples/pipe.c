/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 *
 * pipe SOCKET give ADDRESS:PORT/NAME < FILE    sends what it reads, as a stream
 * pipe SOCKET take NAME > FILE                 accepts one connection and writes what it receives
 *
 * take() shows how to wait with poll(2), and how to use received bytes without a copy. */
#define _POSIX_C_SOURCE 200809L
#include <poll.h>
#include <selvedge.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int failed(const char* what, int error) {
  fprintf(stderr, "%s: %s\n", what, selvedge_strerror(error));
  return 1;
}

static int give(selvedge_session* session, const char* to) {
  static char buffer[65536];
  selvedge_connection* connection;
  ssize_t got, sent, n;
  int error = selvedge_connect(session, to, &connection, 5000);
  if (error != 0) return failed("connect", error);
  while ((got = read(STDIN_FILENO, buffer, sizeof buffer)) > 0)
    for (sent = 0; sent < got; sent += n) {
      n = selvedge_write(connection, buffer + sent, (size_t)(got - sent), -1);
      if (n < 0) return failed("write", (int)n);
    }
  error = selvedge_close(connection, 60000); /* if 0, the peer's daemon has everything */
  return error != 0 ? failed("close", error) : 0;
}

static int take(selvedge_session* session, const char* name) {
  selvedge_connection* connection;
  selvedge_piece piece;
  struct pollfd waiting = {-1, POLLIN, 0};
  int error = selvedge_listen(session, name);
  if (error != 0) return failed("listen", error);
  fprintf(stderr, "listening\n");
  if ((error = selvedge_accept(session, &connection, -1)) != 0) return failed("accept", error);
  waiting.fd = selvedge_fd(connection);
  for (;;) {
    /* selvedge_ready comes before every wait: its result 0 arms the descriptor. */
    while (selvedge_ready(connection, SELVEDGE_BYTES) == 0) poll(&waiting, 1, -1);
    while ((error = selvedge_borrow(connection, &piece, 0)) == 0) {
      if (fwrite(piece.bytes, 1, piece.length, stdout) != piece.length) return 1;
      selvedge_return(connection, 1);
    }
    if (error == SELVEDGE_E_CLOSED) break;
    if (error != SELVEDGE_E_TIMEOUT) return failed("borrow", error);
  }
  error = selvedge_close(connection, 5000);
  return error != 0 ? failed("close", error) : fflush(stdout) != 0;
}

int main(int argc, char** argv) {
  selvedge_session* session;
  int error, result;
  if (argc != 4 || (strcmp(argv[2], "give") != 0 && strcmp(argv[2], "take") != 0)) {
    fprintf(stderr, "usage: pipe SOCKET give ADDRESS:PORT/NAME | pipe SOCKET take NAME\n");
    return 2;
  }
  if ((error = selvedge_open(argv[1], &session)) != 0) return failed("open", error);
  result = strcmp(argv[2], "give") == 0 ? give(session, argv[3]) : take(session, argv[3]);
  selvedge_shut(session);
  return result;
}
