/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
 *
 * An MPI program that checks every result: latency and bandwidth between two ranks, messages of all
 * modes, collectives, and a sort of integers over all ranks as the NAS benchmark IS has it. Rank 0
 * prints one line of JSON. Usage: ranks [ROUNDS [KEYS [FILE]]]; KEYS = 0: latency and bandwidth
 * alone. FILE: rank 0 writes there how many bytes of the bandwidth were moved, and when that began
 * (time()), for runs that hang. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kWindow = 64, kLongest = 3000000 };

static int rank, ranks;

static void check(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static uint32_t next(uint32_t* state) { return *state = *state * 1664525u + 1013904223u; }

static void fill(unsigned char* bytes, int length, uint32_t seed) {
  for (int i = 0; i < length; ++i) bytes[i] = (unsigned char)(next(&seed) >> 24);
}

static int same(const unsigned char* bytes, int length, uint32_t seed) {
  for (int i = 0; i < length; ++i)
    if (bytes[i] != (unsigned char)(next(&seed) >> 24)) return 0;
  return 1;
}

/* Half a round trip of messages of that length, in µs. */
static double ping_pong(int length, int rounds, unsigned char* bytes) {
  double begin = 0;
  for (int i = -10; i < rounds; ++i) {
    if (i == 0) begin = MPI_Wtime();
    if (rank == 0) {
      MPI_Send(bytes, length, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
      MPI_Recv(bytes, length, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
      MPI_Recv(bytes, length, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(bytes, length, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
    }
  }
  return (MPI_Wtime() - begin) / rounds / 2 * 1e6;
}

/* MB/s from rank 0 to rank 1, with kWindow messages in flight. */
static double bandwidth(int length, int rounds, unsigned char* bytes, FILE* moved) {
  MPI_Request requests[kWindow];
  const long began = (long)time(NULL);
  const double begin = MPI_Wtime();
  for (int i = 0; i < rounds; ++i) {
    for (int w = 0; w < kWindow; ++w) {
      if (rank == 0)
        MPI_Isend(bytes, length, MPI_BYTE, 1, w, MPI_COMM_WORLD, &requests[w]);
      else if (rank == 1)
        MPI_Irecv(bytes + (size_t)w * (size_t)length, length, MPI_BYTE, 0, w, MPI_COMM_WORLD,
                  &requests[w]);
    }
    if (rank < 2) MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
    if (rank == 0)
      MPI_Recv(NULL, 0, MPI_BYTE, 1, kWindow, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank == 1)
      MPI_Send(NULL, 0, MPI_BYTE, 0, kWindow, MPI_COMM_WORLD);
    if (moved != NULL) {
      rewind(moved);
      fprintf(moved, "%.0f %ld\n", (double)length * kWindow * (i + 1), began);
      fflush(moved);
    }
  }
  return (double)length * kWindow * rounds / (MPI_Wtime() - begin) / 1e6;
}

/* Messages of many lengths around a ring, in every mode that MPI has. */
static void modes(unsigned char* out, unsigned char* in) {
  const int lengths[] = {0, 1, 4095, 4096, 16384, 16385, 524288, kLongest};
  const int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
  for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    const int length = lengths[i], tag = (int)i;
    for (int mode = 0; mode < 3; ++mode) {
      MPI_Request request;
      MPI_Status status;
      int count;
      fill(out, length, (uint32_t)(rank * 100 + tag));
      if (mode == 1)
        MPI_Issend(out, length, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
      else
        MPI_Isend(out, length, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
      if (mode == 2) { /* the length is not known before */
        MPI_Message message;
        MPI_Mprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &message, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        check(count == length, "length found by a probe");
        MPI_Mrecv(in, count, MPI_BYTE, &message, &status);
      } else {
        if (mode == 1) MPI_Probe(from, tag, MPI_COMM_WORLD, &status);
        MPI_Recv(in, kLongest, MPI_BYTE, mode == 0 ? MPI_ANY_SOURCE : from, tag, MPI_COMM_WORLD,
                 &status);
      }
      MPI_Get_count(&status, MPI_BYTE, &count);
      check(count == length, "length");
      check(status.MPI_SOURCE == from && status.MPI_TAG == tag, "source and tag");
      check(same(in, length, (uint32_t)(from * 100 + tag)), "bytes");
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
}

static void collectives(int rounds) {
  enum { kCount = 1000 };
  static int64_t in[kCount], out[kCount];
  for (int r = 0; r < rounds; ++r) {
    const int count = r % 2 == 0 ? 1 : kCount;
    for (int i = 0; i < count; ++i) in[i] = (int64_t)(rank + 1) * (i + r);
    MPI_Allreduce(in, out, count, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i)
      check(out[i] == (int64_t)ranks * (ranks + 1) / 2 * (i + r), "allreduce");
    int64_t word = rank == r % ranks ? 1000 + r : 0;
    MPI_Bcast(&word, 1, MPI_INT64_T, r % ranks, MPI_COMM_WORLD);
    check(word == 1000 + r, "broadcast");
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static int less(const void* a, const void* b) {
  const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
  return (x > y) - (x < y);
}

/* Each rank makes keys, sends each to the rank of its range, and sorts what it got. */
static void sort(int keys) {
  uint32_t* own = malloc((size_t)keys * sizeof *own);
  int* to = calloc((size_t)ranks * 4, sizeof *to);
  int *from = to + ranks, *to_at = to + 2 * ranks, *from_at = to + 3 * ranks;
  uint32_t state = (uint32_t)rank + 1;
  uint64_t sum = 0, sums[2], all[2];
  for (int i = 0; i < keys; ++i) sum += own[i] = next(&state) >> 8;
  qsort(own, (size_t)keys, sizeof *own, less);
  const uint32_t range = (1u << 24) / (uint32_t)ranks + 1;
  for (int i = 0; i < keys; ++i) ++to[own[i] / range];
  MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
  int count = from[0];
  for (int i = 1; i < ranks; ++i) {
    to_at[i] = to_at[i - 1] + to[i - 1];
    from_at[i] = from_at[i - 1] + from[i - 1];
    count += from[i];
  }
  uint32_t* got = malloc((size_t)(count + 1) * sizeof *got);
  MPI_Alltoallv(own, to, to_at, MPI_UINT32_T, got, from, from_at, MPI_UINT32_T, MPI_COMM_WORLD);
  qsort(got, (size_t)count, sizeof *got, less);
  uint64_t got_sum = 0;
  for (int i = 0; i < count; ++i) {
    check(got[i] / range == (uint32_t)rank, "range of a key");
    got_sum += got[i];
  }
  sums[0] = sum - got_sum; /* modulo 2^64 */
  sums[1] = (uint64_t)keys - (uint64_t)count;
  MPI_Allreduce(sums, all, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  check(all[0] == 0 && all[1] == 0, "sum of the sorted keys");
  free(got);
  free(to);
  free(own);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int rounds = argc > 1 ? atoi(argv[1]) : 100, keys = argc > 2 ? atoi(argv[2]) : 100000;
  unsigned char* out = malloc(kLongest);
  unsigned char* in = malloc(kLongest);
  memset(out, 0, kLongest);
  check(ranks > 1, "at least two ranks");
  if (keys != 0) {
    modes(out, in);
    collectives(rounds);
    sort(keys);
  }
  const double us = ping_pong(8, rounds, out);
  fill(out, 4096, 7);
  FILE* moved = rank == 0 && argc > 3 ? fopen(argv[3], "w") : NULL;
  const double mb = bandwidth(4096, rounds, rank == 0 ? out : in, moved);
  if (rank == 1)
    for (int w = 0; w < kWindow; ++w) check(same(in + 4096 * w, 4096, 7), "bytes in a window");
  if (rank == 0)
    printf("{\"ranks\": %d, \"latency_us\": %.2f, \"bandwidth_mb_s\": %.1f}\n", ranks, us, mb);
  MPI_Finalize();
  if (moved != NULL) fclose(moved);
  free(in);
  free(out);
  return 0;
}
