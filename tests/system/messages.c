/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 *
 * messages SOCKET_A SOCKET_B [LOCAL]: two applications in one program, which use every call for
 * messages with tags, in parts, of any length, and for sending and receiving without waiting, as
 * selvedge(3) says. It knows selvedge.h alone. LOCAL: both sockets are those of one daemon. */
#define _POSIX_C_SOURCE 200809L
#include <poll.h>
#include <selvedge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LONG ((size_t)12 << 20) /* several times the memory shared with a daemon */
#define PATIENCE 60000

static void fail(int line, const char* what, long got) {
  fprintf(stderr, "messages.c:%d: %s: %ld (%s)\n", line, what, got, selvedge_strerror((int)got));
  exit(1);
}
#define CHECK(condition)                             \
  do {                                               \
    if (!(condition)) fail(__LINE__, #condition, 0); \
  } while (0)
#define IS(call, wanted)                                     \
  do {                                                       \
    long got_ = (long)(call);                                \
    if (got_ != (long)(wanted)) fail(__LINE__, #call, got_); \
  } while (0)

static unsigned char* bytes(size_t length, unsigned seed) {
  unsigned char* made = malloc(length + 1);
  size_t i;
  for (i = 0; i < length; ++i) made[i] = (unsigned char)((seed = seed * 1103515245u + 12345) >> 16);
  return made;
}

static selvedge_session *a, *b;
static selvedge_connection *to_b, *to_a;

/* A connection is asked for, and its answer waited for with poll(2). */
static void connects(const char* there) {
  uint32_t request, nobody;
  char to[256];
  struct pollfd answer;
  int error;
  snprintf(to, sizeof to, "%s/nobody", there);
  IS(selvedge_connect_start(a, to, &nobody), 0);
  snprintf(to, sizeof to, "%s/messages", there);
  IS(selvedge_connect_start(a, to, &request), 0);
  answer.fd = selvedge_session_fd(a);
  answer.events = POLLIN;
  while ((error = selvedge_accept(a, &to_b, 0)) == SELVEDGE_E_TIMEOUT &&
         (error = selvedge_connect_finish(a, request, &to_b, 0)) == SELVEDGE_E_TIMEOUT)
    CHECK(poll(&answer, 1, PATIENCE) == 1);
  IS(error, 0);
  IS(selvedge_connect_finish(a, request, &to_b, 0), SELVEDGE_E_REQUEST); /* it is finished */
  IS(selvedge_accept(b, &to_a, PATIENCE), 0);
  {
    selvedge_connection* none = NULL;
    IS(selvedge_connect_finish(a, nobody, &none, PATIENCE), SELVEDGE_E_NO_SERVICE);
  }
}

static void peers(int local) {
  char own[64], address[64];
  long user = -2;
  IS(selvedge_address(b, own, sizeof own), 0);
  IS(selvedge_peer(to_b, address, sizeof address, &user), 0);
  CHECK(strcmp(address, own) == 0);
  IS(user, local ? (long)getuid() : -1);
  IS(selvedge_address(a, own, sizeof own), 0);
  user = -2;
  IS(selvedge_peer(to_a, address, sizeof address, &user), 0);
  CHECK(strcmp(address, own) == 0);
  IS(user, local ? (long)getuid() : -1);
  IS(selvedge_peer(to_a, address, 3, NULL), SELVEDGE_E_TOO_LONG);
}

/* Tags, parts, and what the next message is. */
static void tags(void) {
  unsigned char* text = bytes(100000, 1);
  unsigned char first[10], second[99990];
  struct iovec out[3], in[2];
  uint64_t tag = 0;
  size_t length = 0;
  out[0].iov_base = text, out[0].iov_len = 3;
  out[1].iov_base = NULL, out[1].iov_len = 0;
  out[2].iov_base = text + 3, out[2].iov_len = 99997;
  in[0].iov_base = first, in[0].iov_len = sizeof first;
  in[1].iov_base = second, in[1].iov_len = sizeof second;
  IS(selvedge_sendv(to_b, out, 3, UINT64_C(0xfedcba9876543210), PATIENCE), 0);
  IS(selvedge_send(to_b, "plain", 5, PATIENCE), 0);
  IS(selvedge_peek(to_a, &tag, &length, PATIENCE), 0);
  CHECK(tag == UINT64_C(0xfedcba9876543210) && length == 100000);
  tag = length = 0;
  IS(selvedge_receivev(to_a, in, 1, &tag, &length, PATIENCE), SELVEDGE_E_TOO_LONG);
  CHECK(length == 100000);
  IS(selvedge_receivev(to_a, in, 2, &tag, &length, PATIENCE), 100000);
  CHECK(tag == UINT64_C(0xfedcba9876543210) && length == 100000);
  CHECK(memcmp(first, text, 10) == 0 && memcmp(second, text + 10, 99990) == 0);
  IS(selvedge_receivev(to_a, in, 2, &tag, NULL, PATIENCE), 5);
  CHECK(tag == 0 && memcmp(first, "plain", 5) == 0);
  IS(selvedge_peek(to_a, &tag, &length, 0), SELVEDGE_E_TIMEOUT);
  IS(selvedge_sendv(to_b, out, SELVEDGE_PARTS_MAX + 1, 0, 0), SELVEDGE_E_REQUEST);
  free(text);
}

/* One call sends a long message, one receives it; both go on after a time-out. */
static void long_messages(void) {
  unsigned char *text = bytes(LONG, 2), *got = malloc(LONG);
  struct iovec out, in;
  uint64_t tag = 0;
  size_t length = 0;
  int sent;
  ssize_t received = SELVEDGE_E_TIMEOUT;
  CHECK(selvedge_length_max(to_b) == (size_t)1 << 32);
  CHECK(selvedge_message_max(to_b) < LONG);
  IS(selvedge_send(to_b, text, LONG, 0), SELVEDGE_E_TOO_LONG);
  out.iov_base = text, out.iov_len = LONG;
  in.iov_base = got, in.iov_len = LONG;
  sent = selvedge_sendv(to_b, &out, 1, 77, 0);
  IS(sent, SELVEDGE_E_TIMEOUT);
  IS(selvedge_send(to_b, "x", 1, 0), SELVEDGE_E_REQUEST); /* in the middle of another */
  IS(selvedge_peek(to_a, &tag, &length, PATIENCE), 0);    /* its beginning suffices */
  CHECK(tag == 77 && length == LONG);
  while (received == SELVEDGE_E_TIMEOUT) {
    if (sent == SELVEDGE_E_TIMEOUT) sent = selvedge_sendv(to_b, &out, 1, 77, 1);
    received = selvedge_receivev(to_a, &in, 1, &tag, &length, 1);
  }
  IS(received, LONG);
  IS(sent, 0);
  CHECK(tag == 77 && length == LONG && memcmp(text, got, LONG) == 0);
  free(text);
  free(got);
}

/* Everything is started, and nothing waits but poll(2). */
static void started(void) {
  enum { MESSAGES = 300 };
  static unsigned char* out[MESSAGES];
  static unsigned char* in[MESSAGES];
  static size_t lengths[MESSAGES];
  int n, taken = 0, delivered = 0, received = 0, wanted_taken = 0, wanted_delivered = 0;
  struct pollfd fds[2];
  struct iovec part;
  for (n = 0; n < MESSAGES; ++n) {
    const int kinds = n % 4;
    lengths[n] = n % 50 == 49 ? (size_t)5 << 20 : (size_t)n * 997 % 70000;
    out[n] = bytes(lengths[n], (unsigned)n);
    in[n] = malloc(lengths[n] + 1);
    part.iov_base = in[n], part.iov_len = lengths[n];
    IS(selvedge_receive_start(to_a, &part, 1, in[n]), 0);
    part.iov_base = out[n];
    IS(selvedge_send_start(to_b, &part, 1, (uint64_t)n + 5, kinds, out[n]), 0);
    wanted_taken += (kinds & SELVEDGE_TAKEN) != 0;
    wanted_delivered += (kinds & SELVEDGE_DELIVERED) != 0;
  }
  IS(selvedge_receive(to_a, in[0], 0, NULL, 0), SELVEDGE_E_REQUEST); /* receives are started */
  fds[0].fd = selvedge_fd(to_a), fds[1].fd = selvedge_fd(to_b);
  fds[0].events = fds[1].events = POLLIN;
  while (received < MESSAGES || taken < wanted_taken || delivered < wanted_delivered) {
    selvedge_completion done[7];
    if ((selvedge_ready(to_a, SELVEDGE_COMPLETION) | selvedge_ready(to_b, SELVEDGE_COMPLETION)) ==
        0)
      CHECK(poll(fds, 2, PATIENCE) > 0);
    while ((n = selvedge_complete(to_b, done, 7, 0)) > 0)
      while (n-- > 0) {
        IS(done[n].error, 0);
        CHECK(done[n].tag >= 5 && done[n].context == out[done[n].tag - 5]);
        ++*(done[n].kind == SELVEDGE_TAKEN ? &taken : &delivered);
      }
    IS(n, SELVEDGE_E_TIMEOUT);
    while ((n = selvedge_complete(to_a, done, 1, 0)) > 0) {
      IS(done[0].error, 0);
      IS(done[0].kind, SELVEDGE_RECEIVED);
      CHECK(done[0].tag == (uint64_t)received + 5 && done[0].context == in[received]);
      CHECK(done[0].length == lengths[received]);
      CHECK(memcmp(in[received], out[received], lengths[received]) == 0);
      ++received;
    }
    IS(n, SELVEDGE_E_TIMEOUT);
  }
  CHECK(taken == wanted_taken && delivered == wanted_delivered);
  for (n = 0; n < MESSAGES; ++n) free(in[n]), free(out[n]);
}

/* A receive whose buffer is too short leaves the message to the next one. */
static void too_short(void) {
  selvedge_completion done;
  char buffer[10];
  struct iovec part;
  part.iov_base = buffer, part.iov_len = 3;
  IS(selvedge_receive_start(to_a, &part, 1, NULL), 0);
  part.iov_len = sizeof buffer;
  IS(selvedge_receive_start(to_a, &part, 1, buffer), 0);
  IS(selvedge_send(to_b, "twelve", 6, PATIENCE), 0);
  IS(selvedge_complete(to_a, &done, 1, PATIENCE), 1);
  CHECK(done.error == SELVEDGE_E_TOO_LONG && done.length == 6);
  IS(selvedge_complete(to_a, &done, 1, PATIENCE), 1);
  CHECK(done.error == 0 && done.length == 6 && done.context == buffer);
  CHECK(memcmp(buffer, "twelve", 6) == 0);
}

/* selvedge_close waits until what was started is delivered; then receives end. */
static void ends(void) {
  selvedge_completion done;
  unsigned char *text = bytes(LONG / 2, 3), *got = malloc(LONG / 2);
  struct iovec out, in;
  out.iov_base = text, out.iov_len = LONG / 2;
  in.iov_base = got, in.iov_len = LONG / 2;
  IS(selvedge_send_start(to_b, &out, 1, 9, 0, NULL), 0);
  IS(selvedge_receive_start(to_a, &in, 1, NULL), 0);
  IS(selvedge_receive_start(to_a, &in, 1, NULL), 0);
  while (selvedge_complete(to_a, &done, 1, 1) == SELVEDGE_E_TIMEOUT)
    selvedge_poll(to_b, SELVEDGE_COMPLETION); /* the message moves in this call, too */
  IS(done.error, 0);
  CHECK(done.tag == 9 && done.length == LONG / 2 && memcmp(text, got, LONG / 2) == 0);
  IS(selvedge_close(to_b, PATIENCE), 0);
  IS(selvedge_complete(to_a, &done, 1, PATIENCE), 1);
  IS(done.error, SELVEDGE_E_CLOSED);
  IS(selvedge_close(to_a, PATIENCE), 0);
  free(text);
  free(got);
}

int main(int argc, char** argv) {
  char there[64];
  if (argc < 3) return 2;
  IS(selvedge_open(argv[1], &a), 0);
  IS(selvedge_open(argv[2], &b), 0);
  IS(selvedge_listen(b, "messages"), 0);
  IS(selvedge_address(b, there, sizeof there), 0);
  connects(there);
  peers(argc > 3);
  tags();
  long_messages();
  started();
  too_short();
  ends();
  selvedge_shut(a);
  selvedge_shut(b);
  puts("all as selvedge(3) says");
  return 0;
}
