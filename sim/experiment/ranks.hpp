// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Distributes points over several machines by MPI. Under mpirun (or srun with MPI) each process is
// a rank and simulates its share of the points. Each rank sends its finished points to rank 0,
// which alone stores results. Without MPI or mpirun there is only rank 0, and these functions do
// nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace selvedge::sim {

class Ranks {
 public:
  /// Throws EnvironmentError if this is one of several processes and the program was built without
  /// MPI.
  Ranks();
  /// Finalizes MPI; all ranks must do so.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  unsigned rank() const { return rank_; }
  unsigned count() const { return count_; }
  /// The number of ranks on this machine.
  unsigned on_this_machine() const { return on_this_machine_; }

  /// Broadcasts rank 0's text to all ranks. Throws EnvironmentError on the other ranks if rank 0
  /// called abort_broadcast() instead.
  std::string broadcast(std::string text);
  /// On rank 0: ends the other ranks' wait in broadcast() with an error.
  void abort_broadcast();

  enum class What : int { kPoint = 1, kFailure = 2, kEnd = 3 };
  struct Message {
    What what;
    std::string text;
  };
  /// Sends a message to rank 0.
  void send(What what, std::string_view text);
  /// On rank 0: the next message; nothing if none has arrived. Does not block.
  std::optional<Message> receive();

 private:
  unsigned rank_ = 0, count_ = 1, on_this_machine_ = 1;
};

/// Whether environment variables say that this process is one of several of an MPI job.
bool one_of_several();

}  // namespace selvedge::sim
