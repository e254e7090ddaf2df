/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 *
 * send SOCKET ADDRESS:PORT/NAME TEXT...: sends each TEXT as a message. If the exit status is 0,
 * the peer's daemon has all messages. */
#include <selvedge.h>
#include <stdio.h>
#include <string.h>

static int failed(const char* what, int error) {
  fprintf(stderr, "%s: %s\n", what, selvedge_strerror(error));
  return 1;
}

int main(int argc, char** argv) {
  selvedge_session* session;
  selvedge_connection* connection;
  int error, i;
  if (argc < 3) {
    fprintf(stderr, "usage: send SOCKET ADDRESS:PORT/NAME TEXT...\n");
    return 2;
  }
  if ((error = selvedge_open(argv[1], &session)) != 0) return failed("open", error);
  if ((error = selvedge_connect(session, argv[2], &connection, 5000)) != 0)
    return failed("connect", error);
  for (i = 3; i < argc; ++i)
    if ((error = selvedge_send(connection, argv[i], strlen(argv[i]), 5000)) != 0)
      return failed("send", error);
  if ((error = selvedge_close(connection, 5000)) != 0) return failed("close", error);
  selvedge_shut(session);
  return 0;
}
