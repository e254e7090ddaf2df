// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/ranks.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>

#include "base/error.hpp"

#if SELVEDGE_MPI
#include <mpi.h>
#endif

namespace selvedge::sim {
namespace {

bool more_than_one(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && std::atoi(value) > 1;
}

}  // namespace

bool one_of_several() {
  // The variables that Open MPI's mpirun sets, those of MPICH's mpirun, and those of srun with a
  // plugin for either.
  return more_than_one("OMPI_COMM_WORLD_SIZE") || more_than_one("PMI_SIZE") ||
         (std::getenv("PMIX_RANK") != nullptr && more_than_one("SLURM_NTASKS"));
}

#if SELVEDGE_MPI

constexpr unsigned long long kAborted = std::numeric_limits<unsigned long long>::max();

Ranks::Ranks() {
  if (!one_of_several()) return;
  int given = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
  int rank = 0, count = 0, here = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &here);
  MPI_Comm_free(&machine);
  rank_ = static_cast<unsigned>(rank);
  count_ = static_cast<unsigned>(count);
  on_this_machine_ = static_cast<unsigned>(here);
}

Ranks::~Ranks() {
  if (count_ > 1) MPI_Finalize();
}

std::string Ranks::broadcast(std::string text) {
  if (count_ == 1) return text;
  unsigned long long size = text.size();
  MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
  if (size == kAborted)
    throw EnvironmentError("rank 0 has failed", fmt::format("MPI rank {}", rank_),
                           "see its message");
  text.resize(size);
  MPI_Bcast(text.data(), static_cast<int>(size), MPI_BYTE, 0, MPI_COMM_WORLD);
  return text;
}

void Ranks::abort_broadcast() {
  unsigned long long size = kAborted;
  if (count_ > 1) MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
}

void Ranks::send(What what, std::string_view text) {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw EnvironmentError("a point's results are too large to be sent", "MPI",
                           "run this experiment in one process");
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_BYTE, 0, static_cast<int>(what),
           MPI_COMM_WORLD);
}

std::optional<Ranks::Message> Ranks::receive() {
  int there = 0, size = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return std::nullopt;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Message message{static_cast<What>(status.MPI_TAG),
                  std::string(static_cast<std::size_t>(size), '\0')};
  MPI_Recv(message.text.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return message;
}

#else

Ranks::Ranks() {
  if (one_of_several())
    throw EnvironmentError("this selvedge-sim was built without MPI", "mpirun",
                           "build it where libopenmpi-dev is installed, or run it as a job array");
}
Ranks::~Ranks() = default;
std::string Ranks::broadcast(std::string text) { return text; }
void Ranks::abort_broadcast() {}
void Ranks::send(What, std::string_view) {}
std::optional<Ranks::Message> Ranks::receive() { return std::nullopt; }

#endif

}  // namespace selvedge::sim
