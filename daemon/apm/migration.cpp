// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The alternate path of a queue pair: loaded, armed, and armed again after a migration.
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "daemon/apm/say.hpp"
#include "daemon/apm/selvedge_apm.h"

namespace {

using selvedge::apm::fail;

bool same(const selvedge_apm_path& a, const selvedge_apm_path& b) {
  return a.dlid == b.dlid && a.src_path_bits == b.src_path_bits && a.port_num == b.port_num;
}

/// Returns 0 if the adapter reports automatic path migration and the port is InfiniBand. Else
/// returns a negative errno, with the reason in `why`.
int check_device(ibv_qp* qp, unsigned port, char* why, std::size_t size) {
  ibv_device_attr device = {};
  if (const int error = ibv_query_device(qp->context, &device); error != 0)
    return fail(error, why, size, "ibv_query_device: %s", std::strerror(error));
  if ((device.device_cap_flags & IBV_DEVICE_AUTO_PATH_MIG) == 0)
    return fail(EOPNOTSUPP, why, size, "the adapter has no automatic path migration");
  ibv_port_attr attributes = {};
  if (const int error = ibv_query_port(qp->context, static_cast<std::uint8_t>(port), &attributes);
      error != 0)
    return fail(error, why, size, "ibv_query_port of port %u: %s", port, std::strerror(error));
  if (attributes.link_layer == IBV_LINK_LAYER_ETHERNET)
    return fail(EOPNOTSUPP, why, size, "port %u is RoCE, which has no automatic path migration",
                port);
  return 0;
}

int load_and_arm(ibv_qp* qp, const selvedge_apm_path& path, char* why, std::size_t size) {
  ibv_qp_attr now = {};
  ibv_qp_init_attr made = {};
  if (const int error = ibv_query_qp(qp, &now, IBV_QP_STATE | IBV_QP_PKEY_INDEX, &made); error != 0)
    return fail(error, why, size, "ibv_query_qp: %s", std::strerror(error));
  if (now.qp_state != IBV_QPS_RTS)
    return fail(ENOTCONN, why, size, "the queue pair is not in RTS, so it has no path to migrate");
  ibv_qp_attr change = {};
  change.path_mig_state = IBV_MIG_REARM;
  change.alt_ah_attr.dlid = path.dlid;
  change.alt_ah_attr.sl = path.sl;
  change.alt_ah_attr.src_path_bits = path.src_path_bits;
  change.alt_ah_attr.static_rate = path.static_rate;
  change.alt_ah_attr.port_num = path.port_num;
  change.alt_port_num = path.port_num;
  change.alt_pkey_index = now.pkey_index;
  change.alt_timeout = path.timeout;
  // Verbs returns an errno; some old providers return -1 and set it.
  const int result = ibv_modify_qp(qp, &change, IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE);
  if (result == 0) return 0;
  const int error = result > 0 ? result : errno > 0 ? errno : EIO;
  return fail(error, why, size, "ibv_modify_qp refuses the alternate path: %s",
              std::strerror(error));
}

}  // namespace

extern "C" int selvedge_apm_start(selvedge_apm* apm, struct ibv_qp* qp,
                                  const selvedge_apm_path* primary,
                                  const selvedge_apm_path* alternate, char* why, size_t size) {
  if (apm == nullptr || qp == nullptr || primary == nullptr || alternate == nullptr)
    return fail(EINVAL, why, size, "no queue pair or no path");
  if (qp->qp_type != IBV_QPT_RC)
    return fail(EINVAL, why, size, "only reliable connections (RC) migrate");
  if (same(*primary, *alternate))
    return fail(EINVAL, why, size, "primary and alternate have the same LIDs");
  if (const int error = check_device(qp, alternate->port_num, why, size); error != 0) return error;
  if (const int error = load_and_arm(qp, *alternate, why, size); error != 0) return error;
  *apm = {qp, *primary, *alternate, 0};
  return 0;
}

extern "C" int selvedge_apm_load(selvedge_apm* apm, const selvedge_apm_path* alternate, char* why,
                                 size_t size) {
  if (apm == nullptr || apm->qp == nullptr || alternate == nullptr)
    return fail(EINVAL, why, size, "not started, or no path");
  if (same(apm->primary, *alternate))
    return fail(EINVAL, why, size, "primary and alternate have the same LIDs");
  if (const int error = load_and_arm(apm->qp, *alternate, why, size); error != 0) return error;
  apm->alternate = *alternate;
  return 0;
}

extern "C" int selvedge_apm_event(selvedge_apm* apm, const struct ibv_async_event* event, char* why,
                                  size_t size) {
  if (apm == nullptr || apm->qp == nullptr || event == nullptr)
    return fail(EINVAL, why, size, "not started, or no event");
  if (event->event_type != IBV_EVENT_PATH_MIG && event->event_type != IBV_EVENT_PATH_MIG_ERR)
    return 0;
  if (event->element.qp != apm->qp) return 0;
  if (event->event_type == IBV_EVENT_PATH_MIG_ERR)
    return fail(EIO, why, size, "the adapter could not go over to the alternate path");
  ++apm->migrations;
  std::swap(apm->primary, apm->alternate);
  const int error = load_and_arm(apm->qp, apm->alternate, why, size);
  return error != 0 ? error : 1;
}
