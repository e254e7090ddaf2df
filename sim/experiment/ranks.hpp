// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Points over several machines: under mpirun (or srun with MPI) each process is a rank, simulates
// its share of the points and sends each one, when it is done, to rank 0, which alone keeps
// results. Without MPI, and without mpirun, there is one rank and nothing to do here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace selvedge::sim {

class Ranks {
 public:
  /// Throws EnvironmentError when it is started as one of several and was built without MPI.
  Ranks();
  /// All ranks leave together.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  unsigned rank() const { return rank_; }
  unsigned count() const { return count_; }
  /// How many of them are on this machine.
  unsigned on_this_machine() const { return on_this_machine_; }

  /// What rank 0 says, told to all. Throws EnvironmentError at the others when it gave up instead.
  std::string tell(std::string text);
  /// At rank 0: instead of the tell() for which the others wait.
  void give_up();

  enum class What : int { kPoint = 1, kFailure = 2, kEnd = 3 };
  struct Letter {
    What what;
    std::string text;
  };
  /// To rank 0.
  void send(What what, std::string_view text);
  /// At rank 0: a letter that has come; nothing if there is none yet.
  std::optional<Letter> receive();

 private:
  unsigned rank_ = 0, count_ = 1, on_this_machine_ = 1;
};

/// Does the environment say that this is one of several processes?
bool one_of_several();

}  // namespace selvedge::sim
