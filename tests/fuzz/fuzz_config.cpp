// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Whatever selvedged's configuration file contains, it is read, or refused with one line that names
// the file. Reading the same file again changes nothing.
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "daemon/service/reload.hpp"
#include "tests/fuzz/die.hpp"

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
    must_be_one_line(e.what(), "f.toml");
  }
  return 0;
}
