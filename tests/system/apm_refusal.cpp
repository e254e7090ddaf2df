// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// What a real verbs device without path migration says: `apm_refusal DEVICE` brings a reliable
// connection of a RoCE device with itself to RTS, and prints a line for each question: its name and
// the negative errno. libselvedge-apm asks first; then the same calls are made without it.
#include <infiniband/verbs.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "daemon/apm/selvedge_apm.h"

namespace {

void need(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "apm_refusal: %s\n", what);
  std::exit(1);
}

/// The device's address handle for itself.
ibv_ah_attr own_address(const ibv_gid& gid) {
  ibv_ah_attr address = {};
  address.grh.dgid = gid;
  address.grh.sgid_index = 1;
  address.grh.hop_limit = 64;
  address.is_global = 1;
  address.port_num = 1;
  return address;
}

void connect_with_itself(ibv_qp* qp, const ibv_gid& gid) {
  ibv_qp_attr change = {};
  change.qp_state = IBV_QPS_INIT;
  change.port_num = 1;
  need(ibv_modify_qp(qp, &change,
                     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0,
       "to INIT");
  change.qp_state = IBV_QPS_RTR;
  change.ah_attr = own_address(gid);
  change.path_mtu = IBV_MTU_1024;
  change.dest_qp_num = qp->qp_num;
  change.max_dest_rd_atomic = 1;
  change.min_rnr_timer = 12;
  need(ibv_modify_qp(qp, &change,
                     IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                         IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) == 0,
       "to RTR");
  change.qp_state = IBV_QPS_RTS;
  change.timeout = 14;
  change.retry_cnt = 7;
  change.rnr_retry = 7;
  change.max_rd_atomic = 1;
  need(ibv_modify_qp(qp, &change,
                     IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                         IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC) == 0,
       "to RTS");
}

}  // namespace

int main(int count, char** arguments) {
  need(count == 2, "name a device");
  int devices = 0;
  ibv_device** const list = ibv_get_device_list(&devices);
  ibv_context* context = nullptr;
  for (int i = 0; i < devices; ++i)
    if (std::strcmp(ibv_get_device_name(list[i]), arguments[1]) == 0)
      context = ibv_open_device(list[i]);
  need(context != nullptr, "no such device");
  ibv_pd* const domain = ibv_alloc_pd(context);
  ibv_cq* const completions = ibv_create_cq(context, 4, nullptr, nullptr, 0);
  need(domain != nullptr && completions != nullptr, "no domain or no completion queue");
  ibv_qp_init_attr wanted = {};
  wanted.send_cq = wanted.recv_cq = completions;
  wanted.cap = {4, 4, 1, 1, 0};
  wanted.qp_type = IBV_QPT_RC;
  ibv_qp* const qp = ibv_create_qp(domain, &wanted);
  ibv_gid gid = {};
  need(qp != nullptr && ibv_query_gid(context, 1, 1, &gid) == 0, "no queue pair or no GID");

  const selvedge_apm_path primary{10, 0, 0, 0, 1, 19}, alternate{11, 0, 0, 0, 1, 19};
  selvedge_apm apm = {};
  char why[200] = "";
  std::printf("library-in-reset %d %s\n",
              selvedge_apm_start(&apm, qp, &primary, &alternate, why, sizeof why), why);
  connect_with_itself(qp, gid);
  std::printf("library %d %s\n",
              selvedge_apm_start(&apm, qp, &primary, &alternate, why, sizeof why), why);

  ibv_device_attr device = {};
  need(ibv_query_device(context, &device) == 0, "ibv_query_device");
  std::printf("capability %d\n", (device.device_cap_flags & IBV_DEVICE_AUTO_PATH_MIG) != 0);
  ibv_qp_attr change = {};
  change.path_mig_state = IBV_MIG_REARM;
  change.alt_ah_attr = own_address(gid);
  change.alt_port_num = 1;
  change.alt_timeout = 14;
  std::printf("alternate %d\n",
              -ibv_modify_qp(qp, &change, IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE));
  std::printf("rearm-alone %d\n", -ibv_modify_qp(qp, &change, IBV_QP_PATH_MIG_STATE));
  ibv_destroy_qp(qp);
  ibv_destroy_cq(completions);
  ibv_dealloc_pd(domain);
  ibv_close_device(context);
  ibv_free_device_list(list);
}
