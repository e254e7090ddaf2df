/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 *
 * libselvedge: messages in order, exactly once, over many paths, through the local selvedged.
 *
 * A session is an application's line to its daemon; a connection leads to a service somewhere else.
 * What was sent is delivered to the peer in order and once, or the connection ends with an error
 * that says why. selvedge_send returning success means that the message is in the daemon's hands.
 *
 * Threads: each session and each connection may be used by one thread at a time; different ones by
 * different threads, but connect, accept and listen of one session are one thread's. fork: the
 * child must not touch what its parent opened (it may open a session of its own); its life is
 * nothing to the parent's connections, which end with the parent.
 *
 * Functions give 0 or a positive number for success and a negative SELVEDGE_E… for failure;
 * selvedge_strerror explains it. Time-outs are in milliseconds; 0 does not wait, -1 waits for ever.
 */
#ifndef SELVEDGE_H
#define SELVEDGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SELVEDGE_API __attribute__((visibility("default")))
/* Changes with the ABI. */
#define SELVEDGE_ABI_VERSION 0

typedef struct selvedge_session selvedge_session;
typedef struct selvedge_connection selvedge_connection;

enum {
  SELVEDGE_E_NO_ANSWER = -1,    /* the peer's daemon did not answer */
  SELVEDGE_E_NO_SERVICE = -2,   /* nobody listens to that name there */
  SELVEDGE_E_NO_MEMORY = -3,    /* a daemon has no room for another connection */
  SELVEDGE_E_PEER_SILENT = -4,  /* the peer or every path to it is down */
  SELVEDGE_E_PEER_FORGOT = -5,  /* the peer's daemon has been restarted */
  SELVEDGE_E_PEER_RESET = -6,   /* the peer's application ended before all was delivered */
  SELVEDGE_E_RESET = -7,        /* ended here before all was delivered */
  SELVEDGE_E_VERSION = -8,      /* the daemons, or library and daemon, are of different versions */
  SELVEDGE_E_PROTOCOL = -9,     /* the peer broke the protocol */
  SELVEDGE_E_REQUEST = -64,     /* a wrong argument */
  SELVEDGE_E_NAME_TAKEN = -65,  /* somebody else listens to that name here */
  SELVEDGE_E_ADDRESS = -66,     /* not ADDRESS:PORT/NAME */
  SELVEDGE_E_TOO_MANY = -67,    /* this application has as many connections as it may */
  SELVEDGE_E_NOT_ALLOWED = -68, /* the daemon does not let this user in */
  SELVEDGE_E_TIMEOUT = -100,    /* nothing happened in the time given; try again */
  SELVEDGE_E_CLOSED = -101,     /* the peer has closed: nothing more will come */
  SELVEDGE_E_NO_DAEMON = -102,  /* no daemon at that socket, or it has ended */
  SELVEDGE_E_TOO_LONG = -103,   /* longer than selvedge_message_max, or than the buffer */
  SELVEDGE_E_SYSTEM = -104      /* the system refused something: see errno */
};

SELVEDGE_API const char* selvedge_strerror(int error);

/* socket: the daemon's, or NULL for /run/selvedged.sock. */
SELVEDGE_API int selvedge_open(const char* socket, selvedge_session** session);
/* Ends the session and every connection of it at once: whatever they are asked gives an error, and
 * the peers hear of it. selvedge_close still frees each. */
SELVEDGE_API void selvedge_shut(selvedge_session* session);

/* Others may connect to `name` (1 to 64 bytes) at this daemon; the session accepts them. */
SELVEDGE_API int selvedge_listen(selvedge_session* session, const char* name);
SELVEDGE_API int selvedge_accept(selvedge_session* session, selvedge_connection** connection,
                                 int timeout_ms);
/* to: ADDRESS:PORT/NAME of the peer's daemon and service. */
SELVEDGE_API int selvedge_connect(selvedge_session* session, const char* to,
                                  selvedge_connection** connection, int timeout_ms);

/* A whole message. Waits while what was sent before fills the ring. */
SELVEDGE_API int selvedge_send(selvedge_connection* connection, const void* bytes, size_t length,
                               int timeout_ms);
/* The next message's length; SELVEDGE_E_TOO_LONG leaves it, and *needed tells its length. */
SELVEDGE_API ssize_t selvedge_receive(selvedge_connection* connection, void* buffer, size_t size,
                                      size_t* needed, int timeout_ms);

/* Without a copy: where the next message may be written (length bytes), then sent. */
SELVEDGE_API int selvedge_reserve(selvedge_connection* connection, size_t length, void** bytes,
                                  int timeout_ms);
SELVEDGE_API int selvedge_commit(selvedge_connection* connection, size_t length);

/* The bytes where they came to, a piece at a time: what one packet brought, so that a message has
 * one or several. They stay there until they are returned, the oldest first, and take room of the
 * ring until then; return them before it is full, or nothing more comes. */
typedef struct selvedge_piece {
  const void* bytes;
  size_t length;
  int ends_message; /* it is the message's last */
} selvedge_piece;
SELVEDGE_API int selvedge_borrow(selvedge_connection* connection, selvedge_piece* piece,
                                 int timeout_ms);
/* So many of the oldest pieces. */
SELVEDGE_API int selvedge_return(selvedge_connection* connection, size_t pieces);

/* As a stream: bytes in order, without boundaries. Each takes, or gives, a part of what there is,
 * at least one byte, and tells how many; selvedge_write waits until there is room for 4,096 or all
 * of them. After the last byte selvedge_read gives SELVEDGE_E_CLOSED. Who writes a stream needs a
 * reader of streams at the other end (or of pieces): a write of any length travels as a message.
 * Between selvedge_read and selvedge_receive: the latter gives the rest of the message. While
 * pieces are borrowed, both give SELVEDGE_E_REQUEST. */
SELVEDGE_API ssize_t selvedge_write(selvedge_connection* connection, const void* bytes,
                                    size_t length, int timeout_ms);
SELVEDGE_API ssize_t selvedge_read(selvedge_connection* connection, void* buffer, size_t size,
                                   int timeout_ms);

/* For an application's own poll, select or epoll: a descriptor of the connection, closed with it,
 * to be read by nobody. The rule: ask selvedge_ready before every wait, and wait only if it gives
 * 0; that arms the descriptor, which becomes readable when anything has changed. Then ask again.
 * (It may be readable for nothing; a call that waits disarms it, hence before every wait.) */
SELVEDGE_API int selvedge_fd(selvedge_connection* connection);
enum {
  SELVEDGE_MESSAGE = 1, /* selvedge_receive would not wait */
  SELVEDGE_BYTES = 2,   /* selvedge_read would not wait */
  SELVEDGE_ROOM = 4     /* nothing that sends would wait, however long the message */
};
/* Which of those wanted hold now; all that would fail at once do. */
SELVEDGE_API int selvedge_ready(selvedge_connection* connection, int wanted);
/* Of a session: readable when selvedge_accept may have something. Accept with time-out 0 until
 * SELVEDGE_E_TIMEOUT before every wait. */
SELVEDGE_API int selvedge_session_fd(const selvedge_session* session);

SELVEDGE_API size_t selvedge_message_max(const selvedge_connection* connection);
/* Packets sent again because they were lost, and because the peer had no memory for them. */
SELVEDGE_API uint64_t selvedge_retransmitted(const selvedge_connection* connection);
SELVEDGE_API uint64_t selvedge_rejected(const selvedge_connection* connection);

/* No more will be sent; waits until the peer's daemon has acknowledged everything and frees the
 * connection. After SELVEDGE_E_TIMEOUT the daemon goes on by itself as long as the session lives.
 */
SELVEDGE_API int selvedge_close(selvedge_connection* connection, int timeout_ms);

#ifdef __cplusplus
}
#endif
#endif
