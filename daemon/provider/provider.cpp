// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// libfabric loads libselvedge-fi.so and asks fi_prov_ini() for the provider. A fabric has nothing
// of its own: all that there is belongs to domains.
#include <rdma/providers/fi_log.h>
#include <rdma/providers/fi_prov.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <new>

#include "daemon/provider/domain.hpp"
#include "daemon/provider/event_queue.hpp"
#include "daemon/provider/info.hpp"
#include "daemon/provider/log.hpp"

namespace selvedge::provider {
namespace {

class Fabric : public fid_fabric {
 public:
  static int open(fi_fabric_attr* attr, fid_fabric** fabric, void* context) {
    auto* made = new (std::nothrow) Fabric;
    if (made == nullptr) return -FI_ENOMEM;
    made->fid = {FI_CLASS_FABRIC, context, &base_ops_};
    made->ops = &ops_;
    made->api_version = attr->api_version;
    *fabric = made;
    return 0;
  }

 private:
  static int close(fid_t f) {
    delete &object_of<Fabric, fid_fabric>(f);
    return 0;
  }
  static fi_ops base_ops_;
  static fi_ops_fabric ops_;
};

fi_ops Fabric::base_ops_ = [] {
  fi_ops ops = kNoOps;
  ops.close = close;
  return ops;
}();

fi_ops_fabric Fabric::ops_ = {.size = sizeof(fi_ops_fabric),
                              .domain = Domain::open,
                              .passive_ep = unsupported,
                              .eq_open = EventQueue::open,
                              .wait_open = unsupported,
                              .trywait = unsupported,
                              .domain2 = unsupported};

void clean_up() {}

}  // namespace

fi_provider provider = {.version = FI_VERSION(0, 1),
                        .fi_version = FI_VERSION(FI_MAJOR_VERSION, FI_MINOR_VERSION),
                        .context = {},
                        .name = "selvedge",
                        .getinfo = get_info,
                        .fabric = Fabric::open,
                        .cleanup = clean_up};

void warn(const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  FI_WARN(&provider, FI_LOG_CORE, "%s\n", line);
}

}  // namespace selvedge::provider

extern "C" FI_EXT_INI { return &selvedge::provider::provider; }
