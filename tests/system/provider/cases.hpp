// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The cases of provider_calls: each gets the sockets of two daemons, and ends the program with a
// line if something is not as libfabric's manual pages say.
#pragma once

using Case = void (*)(const char* a, const char* b);

// messages.cpp: fi_msg(3), fi_cq(3), fi_cntr(3)
void every_send_and_receive(const char* a, const char* b);
void long_messages(const char* a, const char* b);
void too_short_a_buffer(const char* a, const char* b);
void formats(const char* a, const char* b);
void selective_completions(const char* a, const char* b);
void levels_of_completion(const char* a, const char* b);
void counters(const char* a, const char* b);
void waiting(const char* a, const char* b);
void to_itself(const char* a, const char* b);
void random_traffic(const char* a, const char* b);

// tagged.cpp: fi_tagged(3)
void every_tagged_call(const char* a, const char* b);
void tags_and_sources(const char* a, const char* b);
void peek_claim_discard(const char* a, const char* b);
void cancelled(const char* a, const char* b);

// unexpected.cpp: messages without a receive
void unexpected_in_reverse(const char* a, const char* b);
void unexpected_to_itself(const char* a, const char* b);
void unexpected_injected(const char* a, const char* b);
void offers(const char* a, const char* b);
void offers_of_one_who_ends(const char* a, const char* b);
void random_traffic_with_little_memory(const char* a, const char* b);
void a_wrong_budget(const char* a, const char* b);

// objects.cpp: fi_getinfo(3), fi_endpoint(3), fi_av(3), fi_eq(3)
void what_is_offered(const char* a, const char* b);
void what_an_endpoint_needs(const char* a, const char* b);
void names_and_addresses(const char* a, const char* b);
void event_queues(const char* a, const char* b);
void nobody_there(const char* a, const char* b);
void a_peer_that_ends(const char* a, const char* b);
void strangers(const char* a, const char* b);            // strangers.cpp
void until_a_daemon_ends(const char* a, const char* b);  // needs somebody who ends it
