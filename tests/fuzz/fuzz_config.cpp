// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever stands in selvedged's file, it is read or refused in one line that names the file; and
// what was read and is read again changes nothing.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "daemon/service/reload.hpp"

namespace {

[[noreturn]] void die(const char* why) {
  std::fprintf(stderr, "%s\n", why);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace selvedge;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const service::DaemonConfig config = service::parse_daemon_config(text, "f.toml");
    const service::Reload same =
        service::reload(config, service::parse_daemon_config(text, "f.toml"));
    if (!same.changed.empty() || !same.needs_restart.empty())
      die("the same file changes something");
  } catch (const InputError& e) {
    const std::string_view said = e.what();
    if (said.find('\n') != std::string_view::npos) die("more than one line");
    if (said.find("f.toml") == std::string_view::npos) die("does not say where");
  }
  return 0;
}
