/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 *
 * libselvedge: messages in order, exactly once, over many paths, through the local selvedged.
 *
 * A session is an application's socket to its daemon. A connection leads to a service at a peer: a
 * name on which an application there listens.
 * Messages are delivered to the peer in order and exactly once, or the connection ends with an
 * error that says why. Success of selvedge_send means that the message has been passed to the
 * daemon.
 *
 * Threads: each session and each connection may be used by one thread at a time, and different ones
 * by different threads. Only one thread at a time may call connect, accept and listen of a session.
 * fork: the child must not use its parent's sessions and connections, but may open a session of its
 * own. The parent's connections end when the parent ends, whether or not the child still runs.
 *
 * Functions return 0 or a positive number for success and a negative SELVEDGE_E… for failure, which
 * selvedge_strerror explains. Time-outs are in milliseconds; 0 does not wait, -1 waits for ever.
 */
#ifndef SELVEDGE_H
#define SELVEDGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SELVEDGE_API __attribute__((visibility("default")))
/* Changes whenever the library's ABI changes. */
#define SELVEDGE_ABI_VERSION 0

typedef struct selvedge_session selvedge_session;
typedef struct selvedge_connection selvedge_connection;

enum {
  SELVEDGE_E_NO_ANSWER = -1,   /* the peer's daemon did not answer */
  SELVEDGE_E_NO_SERVICE = -2,  /* no application at the peer listens on that service name */
  SELVEDGE_E_NO_MEMORY = -3,   /* a daemon has no room for another connection */
  SELVEDGE_E_PEER_SILENT = -4, /* the peer or every path to it is down */
  SELVEDGE_E_PEER_FORGOT = -5, /* the peer's daemon has been restarted */
  SELVEDGE_E_PEER_RESET = -6,  /* the peer's application ended it before all was delivered */
  SELVEDGE_E_RESET = -7,       /* this application ended the connection before all was delivered */
  SELVEDGE_E_VERSION = -8,  /* this daemon is older than the peer's, or library and daemon differ */
  SELVEDGE_E_PROTOCOL = -9, /* the peer violated the protocol */
  SELVEDGE_E_PEER_OLD = -10,     /* the peer's daemon is too old: upgrade it */
  SELVEDGE_E_SOURCE_LIMIT = -11, /* the peer's daemon permits this address no more connections */
  SELVEDGE_E_PEER_LIMIT = -12,   /* the application there, or its user, may have no more */
  SELVEDGE_E_REQUEST = -64,      /* a wrong argument */
  SELVEDGE_E_NAME_TAKEN = -65,   /* another application listens on that service name here */
  SELVEDGE_E_ADDRESS = -66,      /* the address is not ADDRESS:PORT/NAME */
  SELVEDGE_E_TOO_MANY = -67,     /* this application may have no more connections */
  SELVEDGE_E_NOT_ALLOWED = -68,  /* the daemon's configuration excludes this user */
  SELVEDGE_E_USER_CLIENTS = -69, /* this user may have no more applications */
  SELVEDGE_E_USER_CONNECTIONS = -70,  /* this user may have no more connections */
  SELVEDGE_E_USER_RINGS = -71,        /* this user may have no more memory for rings */
  SELVEDGE_E_ALL_CLIENTS = -72,       /* the daemon has all the applications that it permits */
  SELVEDGE_E_ALL_RINGS = -73,         /* the daemon has all the memory for rings that it permits */
  SELVEDGE_E_TIMEOUT = -100,          /* the time-out has passed; try again */
  SELVEDGE_E_CLOSED = -101,           /* the peer has closed, and everything has been received */
  SELVEDGE_E_NO_DAEMON = -102,        /* no daemon is at that socket, or the daemon has ended */
  SELVEDGE_E_TOO_LONG = -103,         /* the message exceeds selvedge_message_max or the buffer */
  SELVEDGE_E_SYSTEM = -104,           /* the system refused something: see errno */
  SELVEDGE_E_PEER_LIBRARY_OLD = -105, /* upgrade libselvedge and selvedged at the peer */
  SELVEDGE_E_DAEMON_OLD = -106,       /* upgrade selvedged on this machine */
  SELVEDGE_E_FULL = -107              /* too much is started: take completions first */
};

SELVEDGE_API const char* selvedge_strerror(int error);

/* Opens a session. socket: path of the daemon's socket; NULL: /run/selvedged.sock. */
SELVEDGE_API int selvedge_open(const char* socket, selvedge_session** session);
/* Ends the session and all its connections at once. Every later call with one of these connections
 * returns an error, and the peers get an error too. selvedge_close still frees each connection. */
SELVEDGE_API void selvedge_shut(selvedge_session* session);

/* Permits peers to connect to the service `name` (1 to 64 bytes) at this daemon. selvedge_accept
 * then returns their connections. */
SELVEDGE_API int selvedge_listen(selvedge_session* session, const char* name);
SELVEDGE_API int selvedge_accept(selvedge_session* session, selvedge_connection** connection,
                                 int timeout_ms);
/* Connects to a service. to: ADDRESS:PORT/NAME of the peer's daemon and of the service. */
SELVEDGE_API int selvedge_connect(selvedge_session* session, const char* to,
                                  selvedge_connection** connection, int timeout_ms);
/* Connects without waiting: selvedge_connect_start asks the daemon and stores the request's number
 * in *request. selvedge_connect_finish returns SELVEDGE_E_TIMEOUT while there is no answer; any
 * other result ends the request. Several requests may be under way, in any order. An answer makes
 * the descriptor of selvedge_session_fd readable. */
SELVEDGE_API int selvedge_connect_start(selvedge_session* session, const char* to,
                                        uint32_t* request);
SELVEDGE_API int selvedge_connect_finish(selvedge_session* session, uint32_t request,
                                         selvedge_connection** connection, int timeout_ms);
/* Writes into `text` the ADDRESS:PORT on which the daemon listens: what peers write before /NAME.
 * `size` includes the final NUL; SELVEDGE_E_TOO_LONG if it does not suffice. Like selvedge_listen
 * it waits up to 10 s for the daemon. */
SELVEDGE_API int selvedge_address(selvedge_session* session, char* text, size_t size);

/* Sends a whole message. Waits while unacknowledged messages fill the ring, the memory that the
 * connection shares with the daemon. */
SELVEDGE_API int selvedge_send(selvedge_connection* connection, const void* bytes, size_t length,
                               int timeout_ms);
/* Receives the next message and returns its length, which is also stored in *needed if `needed` is
 * not NULL. After SELVEDGE_E_TOO_LONG the message can be received again with a larger buffer. */
SELVEDGE_API ssize_t selvedge_receive(selvedge_connection* connection, void* buffer, size_t size,
                                      size_t* needed, int timeout_ms);

/* Sending without a copy: reserve `length` bytes, write the message there, and commit it. The
 * length committed is at most what was reserved, else SELVEDGE_E_REQUEST. */
SELVEDGE_API int selvedge_reserve(selvedge_connection* connection, size_t length, void** bytes,
                                  int timeout_ms);
SELVEDGE_API int selvedge_commit(selvedge_connection* connection, size_t length);

/* Receiving without a copy. A piece is the payload of one packet, in the ring; a message is one
 * piece or several. Pieces stay valid until they are returned, the oldest first, and occupy the
 * ring until then. Return them before the ring is full, or nothing more is received. */
typedef struct selvedge_piece {
  const void* bytes;
  size_t length;
  int ends_message; /* the last piece of its message */
} selvedge_piece;
SELVEDGE_API int selvedge_borrow(selvedge_connection* connection, selvedge_piece* piece,
                                 int timeout_ms);
/* Returns the oldest `pieces` pieces. SELVEDGE_E_REQUEST: these are more than are borrowed. */
SELVEDGE_API int selvedge_return(selvedge_connection* connection, size_t pieces);

/* Messages in several parts, with a tag of 64 bits, of up to selvedge_length_max bytes: a longer
 * one than selvedge_message_max passes through the ring in pieces, and is one message at the other
 * end. A message that was sent by another call has the tag 0. Both ends, and both daemons, must
 * know these calls for tags other than 0 and for long messages. If not, sending them fails with
 * SELVEDGE_E_PEER_LIBRARY_OLD or SELVEDGE_E_DAEMON_OLD.
 * If the time-out passes in the middle of a long message, only the same call may follow that sends
 * or receives (with the same bytes, and the same tag): it goes on where the message stands. */
#define SELVEDGE_PARTS_MAX 8
SELVEDGE_API int selvedge_sendv(selvedge_connection* connection, const struct iovec* parts,
                                int count, uint64_t tag, int timeout_ms);
/* As selvedge_receive; the tag is stored in *tag if `tag` is not NULL. */
SELVEDGE_API ssize_t selvedge_receivev(selvedge_connection* connection, const struct iovec* parts,
                                       int count, uint64_t* tag, size_t* needed, int timeout_ms);
/* Waits for the next message, and stores its tag and its length. It stays the next message. */
SELVEDGE_API int selvedge_peek(selvedge_connection* connection, uint64_t* tag, size_t* length,
                               int timeout_ms);
/* The longest message that can be sent on this connection by the calls with parts: 4 GiB, or
 * selvedge_message_max if the other end is older. */
SELVEDGE_API size_t selvedge_length_max(const selvedge_connection* connection);

/* Sending and receiving without waiting. A start returns at once; selvedge_complete says later what
 * has happened. The library has no thread, so messages only move while selvedge_complete,
 * selvedge_ready, selvedge_poll, selvedge_close or another call that sends is called. The bytes
 * (not the array of parts) must stay until the completion. kinds: which of the first two are to be
 * reported, each once, with success or error. What was started is sent, and received, in the order
 * in which it was started, and other calls that send wait until all of it is taken. While receives
 * are started, no other call may receive. */
enum {
  SELVEDGE_TAKEN = 1,     /* the daemon has the message, its bytes may be used again */
  SELVEDGE_DELIVERED = 2, /* the peer's daemon has acknowledged all of it */
  SELVEDGE_RECEIVED = 4   /* a message was received */
};
typedef struct selvedge_completion {
  void* context;
  int kind;
  int error; /* 0, or a SELVEDGE_E…. After SELVEDGE_E_TOO_LONG of a receive, whose parts did not
                suffice for `length`, the message stays the next one. */
  uint64_t tag;
  size_t length; /* of the message */
} selvedge_completion;
/* Limit on what is started and on completions that were not taken, together; SELVEDGE_E_FULL. */
#define SELVEDGE_STARTED_MAX 65536
SELVEDGE_API int selvedge_send_start(selvedge_connection* connection, const struct iovec* parts,
                                     int count, uint64_t tag, int kinds, void* context);
SELVEDGE_API int selvedge_receive_start(selvedge_connection* connection, const struct iovec* parts,
                                        int count, void* context);
/* Takes up to `count` completions, waits for the first of them, and returns how many there are. */
SELVEDGE_API int selvedge_complete(selvedge_connection* connection,
                                   selvedge_completion* completions, int count, int timeout_ms);

/* Who is at the other end: writes the ADDRESS:PORT of its daemon into `address`, as
 * selvedge_address. *user (if not NULL) is the user of the application there if that has the same
 * daemon as this one, else -1. */
SELVEDGE_API int selvedge_peer(const selvedge_connection* connection, char* address, size_t size,
                               long* user);

/* As a stream: bytes in order, without boundaries. Each call writes or reads a part, at least one
 * byte, and returns its length; a length or size of 0 gives 0. selvedge_write waits until there is
 * room for 4,096 bytes, or for all if there are fewer. After the last byte selvedge_read returns
 * SELVEDGE_E_CLOSED. A stream must be read as a stream (or as pieces), because each selvedge_write
 * sends a message of any length. If selvedge_read has read a part of a message, selvedge_receive
 * returns the rest of that message. Both calls return SELVEDGE_E_REQUEST while pieces are borrowed.
 */
SELVEDGE_API ssize_t selvedge_write(selvedge_connection* connection, const void* bytes,
                                    size_t length, int timeout_ms);
SELVEDGE_API ssize_t selvedge_read(selvedge_connection* connection, void* buffer, size_t size,
                                   int timeout_ms);

/* For an application's own poll, select or epoll: a descriptor of the connection, closed with it.
 * Do not read from it. Call selvedge_ready before every wait, and wait only if it returns 0. The
 * result 0 arms the descriptor, which becomes readable at the next change; for SELVEDGE_ROOM alone,
 * when there is some room, not at each message that leaves. Then call selvedge_ready again.
 * (Spurious wake-ups occur. A library call that waits disarms the descriptor.) */
SELVEDGE_API int selvedge_fd(selvedge_connection* connection);
enum {
  SELVEDGE_MESSAGE = 1,   /* selvedge_receive would not wait */
  SELVEDGE_BYTES = 2,     /* selvedge_read would not wait */
  SELVEDGE_ROOM = 4,      /* a message of selvedge_message_max bytes can be sent without waiting */
  SELVEDGE_COMPLETION = 8 /* selvedge_complete would not wait */
};
/* Which of the `wanted` conditions hold now. A call that would fail at once does not wait either,
 * so its condition holds. For a long message SELVEDGE_MESSAGE means that a part of it is there. */
SELVEDGE_API int selvedge_ready(selvedge_connection* connection, int wanted);
/* The same for a program that asks again and again: without a system call, and it arms nothing. It
 * does not notice that the daemon has ended; selvedge_accept with time-out 0 does. */
SELVEDGE_API int selvedge_poll(selvedge_connection* connection, int wanted);
/* A descriptor of the session, readable when selvedge_accept may return a connection, or
 * selvedge_connect_finish an answer. Before every wait, call selvedge_accept with time-out 0 until
 * it returns SELVEDGE_E_TIMEOUT, and then selvedge_connect_finish for each request. */
SELVEDGE_API int selvedge_session_fd(const selvedge_session* session);

/* In bytes; longer messages get SELVEDGE_E_TOO_LONG. */
SELVEDGE_API size_t selvedge_message_max(const selvedge_connection* connection);
/* Two counts of bytes that only grow. After a message has been sent, selvedge_position is its end.
 * The peer's daemon has acknowledged every message whose end is at most selvedge_delivered. */
SELVEDGE_API uint64_t selvedge_position(const selvedge_connection* connection);
SELVEDGE_API uint64_t selvedge_delivered(const selvedge_connection* connection);
/* Packets retransmitted after a loss, and packets rejected because the peer had no memory. */
SELVEDGE_API uint64_t selvedge_retransmitted(const selvedge_connection* connection);
SELVEDGE_API uint64_t selvedge_rejected(const selvedge_connection* connection);

/* Declares that no more will be sent. Waits until what was started is taken and until the peer's
 * daemon has acknowledged everything, and frees the connection whatever the result. After
 * SELVEDGE_E_TIMEOUT the daemon still delivers what was sent. */
SELVEDGE_API int selvedge_close(selvedge_connection* connection, int timeout_ms);

#ifdef __cplusplus
}
#endif
#endif
