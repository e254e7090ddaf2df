/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 *
 * libselvedge-apm: automatic path migration (APM) of reliable connections over InfiniBand.
 *
 * A queue pair may hold an alternate path besides its primary path. When the primary fails, the
 * adapters of both ends go over to the alternate by themselves, and each program gets the event
 * IBV_EVENT_PATH_MIG. This library loads the alternate, and arms migration again after that event.
 * Both ends of a connection must do so.
 *
 *   selvedge_apm_parse(...)            a line of `selvedge-route paths --apm`, or
 *   selvedge_apm_from_record(...)      a path record of the SA
 *   selvedge_apm_start(apm, qp, ...)   with the queue pair in RTS
 *   selvedge_apm_event(apm, &event)    for each event of ibv_get_async_event, before it is acked
 *
 * The library has no thread and no memory of its own. Different selvedge_apm may be used by
 * different threads, each by one at a time.
 *
 * Functions return 0 or a positive number for success, and a negative errno for failure; then `why`
 * holds one line, cut to `size` bytes (NULL, 0: not wanted).
 */
#ifndef SELVEDGE_APM_H
#define SELVEDGE_APM_H

#include <infiniband/verbs.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SELVEDGE_APM_API __attribute__((visibility("default")))

/* One end's view of a path: what goes into ibv_ah_attr and ibv_qp_attr. */
typedef struct selvedge_apm_path {
  uint16_t dlid;         /* a LID of the other end */
  uint8_t src_path_bits; /* this end's LID minus its base LID */
  uint8_t sl;
  uint8_t static_rate; /* of enum ibv_rate; 0: no limit */
  uint8_t port_num;    /* this end's port */
  uint8_t timeout;     /* 4.096 us * 2^timeout, 0 to 31; 0: for ever */
} selvedge_apm_path;

enum { SELVEDGE_APM_PRIMARY = 1, SELVEDGE_APM_ALTERNATE = 2 };

/* Reads a line of `selvedge-route paths --apm`, "primary" or "alternate" and the six fields.
 * Returns SELVEDGE_APM_PRIMARY or SELVEDGE_APM_ALTERNATE; -EINVAL for other lines. */
SELVEDGE_APM_API int selvedge_apm_parse(const char* line, selvedge_apm_path* path, char* why,
                                        size_t size);

/* Makes a path from a PathRecord of the SA, 64 bytes as on the wire. The record is from this end,
 * whose port port_num has the base LID base_lid and the given LMC. -EINVAL if it is of another
 * port, or holds no unicast LID. The time-out is twice the record's packet life time. */
SELVEDGE_APM_API int selvedge_apm_from_record(const void* record, uint16_t base_lid, uint8_t lmc,
                                              uint8_t port_num, selvedge_apm_path* path, char* why,
                                              size_t size);

typedef struct selvedge_apm {
  struct ibv_qp* qp;
  selvedge_apm_path primary;   /* in use */
  selvedge_apm_path alternate; /* loaded */
  uint64_t migrations;         /* IBV_EVENT_PATH_MIG so far */
} selvedge_apm;

/* Loads the alternate into the queue pair and arms migration (IBV_QP_ALT_PATH and
 * IBV_QP_PATH_MIG_STATE = IBV_MIG_REARM). The queue pair must be of RC and in RTS. `primary` is
 * what it was brought to RTR with. The alternate's P_Key is that of the queue pair.
 * -EINVAL: a wrong argument, or the adapter refuses; -EOPNOTSUPP: the adapter has no APM, or the
 * port is not InfiniBand (RoCE has no APM); -ENOTCONN: not in RTS; others as ibv_modify_qp. */
SELVEDGE_APM_API int selvedge_apm_start(selvedge_apm* apm, struct ibv_qp* qp,
                                        const selvedge_apm_path* primary,
                                        const selvedge_apm_path* alternate, char* why, size_t size);

/* Loads another alternate and arms migration. After a failure apm->alternate is unchanged.
 * -EINVAL: not started, or the LIDs of the primary; others as selvedge_apm_start. */
SELVEDGE_APM_API int selvedge_apm_load(selvedge_apm* apm, const selvedge_apm_path* alternate,
                                       char* why, size_t size);

/* Returns 0 for events that are not about migration of this queue pair. After IBV_EVENT_PATH_MIG
 * primary and alternate have changed places; the path that failed is loaded as the new alternate
 * and armed, and the result is 1. (It helps as soon as that path works again.
 * selvedge_apm_load() replaces it.) If loading fails after IBV_EVENT_PATH_MIG, the paths have
 * changed places, nothing is armed, and the result is negative. After IBV_EVENT_PATH_MIG_ERR, by
 * which the adapter says that it could not go over, the result is -EIO. */
SELVEDGE_APM_API int selvedge_apm_event(selvedge_apm* apm, const struct ibv_async_event* event,
                                        char* why, size_t size);

#ifdef __cplusplus
}
#endif

#endif
