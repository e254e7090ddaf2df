// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <thread>

#include "base/error.hpp"

extern char** environ;

namespace selvedge::sim {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLookInterval{1};

/// What the child does between fork() and execve(): only async-signal-safe calls.
[[noreturn]] void execute(pid_t parent, const char* folder, const char* output, char** argv,
                          char** envp) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_TIMERSLACK, 0);  // the usual one, not the emulator's
  ::setpgid(0, 0);
  if (::getppid() != parent) ::_exit(127);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int out = ::open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int in = ::open("/dev/null", O_RDONLY);
  if (out < 0 || in < 0 || ::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(out, 2) < 0 ||
      ::chdir(folder) != 0)
    ::_exit(127);
  ::close_range(3, ~0U, 0);
  ::execve(argv[0], argv, envp);
  ::_exit(127);
}

std::vector<std::string> variables_with(const EnvironmentVariables& added) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string_view name = text.substr(0, text.find('='));
    const bool replaced =
        std::ranges::any_of(added, [&](const auto& entry) { return entry.first == name; });
    const bool foreign = name == "IBSIM_SERVER_NAME" || name == "IBSIM_SERVER_PORT" ||
                         name == "SIM_HOST" || name == "SIM_SET_ISSM";
    if (!replaced && !foreign) variables.emplace_back(text);
  }
  for (const auto& [name, value] : added) variables.push_back(name + "=" + value);
  return variables;
}

/// A null-terminated array of pointers to the words, as execve() takes it; `words` must outlive it.
std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

/// The default folder for temporary ones: /dev/shm if 512 MiB are free there, else /tmp. In memory,
/// since each client of the emulator makes some hundred files.
const char* usual_parent() {
  constexpr const char* kMemory = "/dev/shm";
  constexpr std::uintmax_t kRoom = std::uintmax_t{1} << 29;
  std::error_code failed;
  const bool room = fs::space(kMemory, failed).available >= kRoom;
  return !failed && room && ::access(kMemory, W_OK | X_OK) == 0 ? kMemory : "/tmp";
}

/// How a child has ended; si_pid is 0 if it runs. The child stays a zombie, so that its process id,
/// which is its group's too, is not used again.
siginfo_t state_of(pid_t pid) {
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT | WNOHANG);
  return info;
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& prefix) {
  const char* wanted = std::getenv("TMPDIR");
  std::error_code none;
  const fs::path parent =
      fs::absolute(wanted != nullptr && *wanted != '\0' ? wanted : usual_parent(), none);
  std::string name = (parent / (prefix + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr)
    refused_by_system("a temporary folder cannot be made", parent.string(),
                      "set TMPDIR to a folder that you may write to");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code none;
  fs::remove_all(path_, none);
}

void TemporaryFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream file(path_ / name, std::ios::binary);
  file << text;
  if (!file.flush())
    refused_by_system("a file cannot be written", (path_ / name).string(),
                      "make room there, or set TMPDIR to another folder");
}

std::string TemporaryFolder::read(const std::string& name) const {
  std::ifstream file(path_ / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, const fs::path& folder,
                           const std::string& output, const EnvironmentVariables& environment) {
  // All of this before the fork: other threads may hold locks then.
  std::vector<std::string> words = arguments, variables = variables_with(environment);
  const std::vector<char*> argv = pointers(words), envp = pointers(variables);
  const std::string output_path = (folder / output).string();
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0)
    refused_by_system("a program cannot be started", arguments[0],
                      "raise the limit on processes (ulimit -u)");
  if (pid_ == 0)
    execute(parent, folder.c_str(), output_path.c_str(), const_cast<char**>(argv.data()),
            const_cast<char**>(envp.data()));
  ::setpgid(pid_, pid_);  // whoever is first
}

bool ChildProcess::running() const { return started() && state_of(pid_).si_pid == 0; }

std::string ChildProcess::ending() const {
  if (!started()) return "";
  const siginfo_t info = state_of(pid_);
  if (info.si_pid == 0) return "";
  if (info.si_code == CLD_EXITED) return fmt::format("exit status {}", info.si_status);
  return fmt::format("signal {} ({})", info.si_status, ::strsignal(info.si_status));
}

bool ChildProcess::succeeded() const {
  if (!started()) return false;
  const siginfo_t info = state_of(pid_);
  return info.si_pid != 0 && info.si_code == CLD_EXITED && info.si_status == 0;
}

bool ChildProcess::wait(std::chrono::milliseconds longest) const {
  const auto end = std::chrono::steady_clock::now() + longest;
  while (running()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(kLookInterval);
  }
  return true;
}

void ChildProcess::stop() {
  if (!started()) return;
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

}  // namespace selvedge::sim
