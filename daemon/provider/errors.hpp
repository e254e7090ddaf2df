// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// libselvedge's errors as libfabric's error numbers.
#pragma once

#include <rdma/fi_errno.h>

#include "daemon/client/selvedge.h"

namespace selvedge::provider {

/// The error number of libfabric (positive) for an error of libselvedge.
inline int to_fi_errno(int error) {
  switch (error) {
    case SELVEDGE_E_NO_SERVICE:
      return FI_ECONNREFUSED;
    case SELVEDGE_E_NO_ANSWER:
    case SELVEDGE_E_PEER_SILENT:
      return FI_EHOSTUNREACH;
    case SELVEDGE_E_NO_MEMORY:
    case SELVEDGE_E_TOO_MANY:
      return FI_ENOMEM;
    case SELVEDGE_E_PEER_FORGOT:
    case SELVEDGE_E_PEER_RESET:
    case SELVEDGE_E_CLOSED:
      return FI_ECONNRESET;
    case SELVEDGE_E_ADDRESS:
      return FI_EINVAL;
    case SELVEDGE_E_NOT_ALLOWED:
      return FI_EACCES;
    case SELVEDGE_E_NAME_TAKEN:
      return FI_EADDRINUSE;
    case SELVEDGE_E_NO_DAEMON:
      return FI_ENETDOWN;
    default:
      return FI_EIO;
  }
}

}  // namespace selvedge::provider
