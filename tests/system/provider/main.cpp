// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// provider_calls SOCKET SOCKET CASE: runs one case between two daemons (which may be the same).
// Without a case it lists them.
#include <cstdio>
#include <cstring>

#include "tests/system/provider/cases.hpp"

#define CASE(name) {#name, name}

int main(int argc, char** argv) {
  constexpr struct {
    const char* name;
    Case run;
  } cases[] = {CASE(every_send_and_receive),
               CASE(long_messages),
               CASE(too_short_a_buffer),
               CASE(formats),
               CASE(selective_completions),
               CASE(levels_of_completion),
               CASE(counters),
               CASE(waiting),
               CASE(to_itself),
               CASE(random_traffic),
               CASE(every_tagged_call),
               CASE(tags_and_sources),
               CASE(peek_claim_discard),
               CASE(cancelled),
               CASE(unexpected_in_reverse),
               CASE(unexpected_to_itself),
               CASE(unexpected_injected),
               CASE(offers),
               CASE(offers_of_one_who_ends),
               CASE(random_traffic_with_little_memory),
               CASE(a_wrong_budget),
               CASE(what_is_offered),
               CASE(what_an_endpoint_needs),
               CASE(names_and_addresses),
               CASE(event_queues),
               CASE(nobody_there),
               CASE(a_peer_that_ends),
               CASE(strangers),
               CASE(until_a_daemon_ends)};
  for (const auto& c : cases) {
    if (argc == 1) std::puts(c.name);
    if (argc != 4 || std::strcmp(argv[3], c.name) != 0) continue;
    c.run(argv[1], argv[2]);
    return 0;
  }
  return argc == 1 ? 0 : 2;
}
