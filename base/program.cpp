// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "base/program.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>

#include "base/atomic_file.hpp"
#include "base/error.hpp"

namespace selvedge {
namespace {

/// A failed write to standard error is ignored, since it could be reported nowhere else.
void say(std::string_view kind, std::string_view text) {
  write_all(STDERR_FILENO, fmt::format("{}: {}\n", kind, printable(text)));
}

}  // namespace

int run_program(const std::function<int(Output&)>& body) {
  // Either signal would kill the process in the middle of its work. If they are ignored, write(2)
  // fails instead, and that error is handled.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    Output output;
    const int status = body(output);
    if (const int reason = write_all(STDOUT_FILENO, output.text()); reason != 0 && reason != EPIPE)
      throw EnvironmentError(fmt::format("cannot write the results ({})", std::strerror(reason)),
                             "standard output", "direct it to where there is room");
    return status;
  } catch (const InputError& e) {
    say("error", e.what());
    return kBadInput;
  } catch (const EnvironmentError& e) {
    say("error", e.what());
    return kLacksEnvironment;
  } catch (const std::bad_alloc&) {
    say("error",
        "not enough memory: this machine: use one with more, or raise the limit (ulimit -v)");
    return kLacksEnvironment;
  } catch (const std::exception& e) {
    say("error", fmt::format("fault in this program ({}): this command line: please report it with "
                             "its input",
                             e.what()));
    return kLacksEnvironment;
  }
}

void warn(std::string_view text) { say("warning", text); }
void note(std::string_view text) { say("note", text); }

}  // namespace selvedge
