// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The schema of results.sqlite, for its readers: report.html, a notebook, the next run.
//
// A point is one setting of all keys of an experiment, identified by a digest. A run does not
// simulate a point again if the file has its digest. The table `plan` lists the points of the last
// run in their order. Points that are no longer in the plan stay in the file for later runs, so
// readers must join from `plan`. Times are simulated time, except cpu_s and wall_s. "Measured"
// means after the warm-up. A figure is NULL only if there was nothing to measure it on.
#pragma once

#include <string_view>

namespace selvedge::sim {

/// The version of the schema; results of another format are refused. The code behind the figures
/// has its own version, kModelVersion.
inline constexpr int kResultsFormat = 9;

inline constexpr std::string_view kSchema = R"sql(
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  -- format, program (of the last run, its version), title (of the experiment), file (its name)
CREATE TABLE axes (position INTEGER PRIMARY KEY, key TEXT NOT NULL);
  -- the keys that were swept, as 'traffic.load', slowest first
CREATE TABLE plan (position INTEGER PRIMARY KEY, digest TEXT NOT NULL);

CREATE TABLE points (
  digest TEXT PRIMARY KEY,
  fabric TEXT NOT NULL,                       -- fabrics.id
  state TEXT NOT NULL,                        -- steady, saturated, undelivered, deadlocked
  diagnosis TEXT NOT NULL,                    -- in words; '' if there is nothing to say
  latency_mean_ns REAL,                       -- generation to last byte, packets delivered while measured
  latency_half_width_ns REAL,                 -- of the mean's 95 % interval, from batch means
  latency_p50_ns REAL, latency_p90_ns REAL, latency_p99_ns REAL, latency_p999_ns REAL,
  latency_max_ns REAL,
  network_latency_mean_ns REAL,               -- first byte out of the HCA to last byte
  network_latency_half_width_ns REAL,
  network_latency_p99_ns REAL,
  offered_bytes_per_ns_per_switch REAL,       -- on the wire, what the sources wanted to send;
                                              -- NULL of closed loops, collectives, finite traffic
  accepted_bytes_per_ns_per_switch REAL,      -- on the wire, delivered while measured
  accepted_half_width REAL,                   -- of its 95 % interval
  accepted_load REAL,                         -- the same as a share of all host links' data rate
  payload_bytes_per_ns_per_switch REAL,
  switches_per_packet REAL,                   -- passed through, mean
  packets_generated INTEGER, packets_injected INTEGER, packets_delivered INTEGER,  -- since the start
  packets_lost INTEGER, packets_in_flight INTEGER,
  packets_waiting INTEGER,                    -- at their sources, at the end
  packet_hops INTEGER,  -- routings of a packet or SMP at a switch, since the start
  adaptive_hops_used_up INTEGER,              -- of them after model.adaptive_hops: own ports only
  packets_measured INTEGER, out_of_order_packets INTEGER,  -- delivered while measured
  port_xmit_discards INTEGER, port_rcv_switch_relay_errors INTEGER, vl15_dropped INTEGER,
                                              -- of all ports while measured, as in channel_use
  batches INTEGER, batch_correlation REAL,    -- of successive batch means; near 0 is well
  warmup_us REAL, measured_us REAL,
  finished_us REAL,                           -- the sample that found all of finite traffic delivered; else NULL
  vls_used INTEGER, lmc INTEGER,
  -- Of delivery in order, while measuring: with [hca] protocol, or (up to the memory) of receivers
  -- without a limit with measure.rearrange; else NULL. With a protocol latency_* is of packets from
  -- generation to the application, in order; accepted_* and payload_* count what applications
  -- received, once; all other columns count every packet of the network.
  hca_early_share REAL,                       -- of data packets: came ahead of the next expected one
  hca_distance_mean REAL, hca_distance_max INTEGER,  -- by how many packets early ones were ahead
  hca_memory_bytes_mean REAL,                 -- rearrange memory in use: over time and hosts
  hca_memory_bytes_max INTEGER,               -- of any host
  hca_connection_memory_bytes_max INTEGER,    -- of any connection
  hca_packets_sent INTEGER,                   -- data packets, each transmission
  hca_resent_share REAL,                      -- of them: sent before
  hca_waste_share REAL,                       -- of bytes sent: those again, reports, keep-alives
  hca_limited_share REAL,                     -- of the time with unacknowledged packets: in state LI
  hca_duplicate_share REAL,                   -- of data packets received: received before
  hca_packets_rejected INTEGER,               -- or evicted, for lack of memory
  hca_control_packets INTEGER,                -- reports and keep-alives
  events INTEGER, cpu_s REAL, wall_s REAL
) WITHOUT ROWID;

CREATE TABLE point_keys (digest TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (digest, key)) WITHOUT ROWID;
  -- every key of the experiment, as 'model.routing_ns', with the value in force

CREATE TABLE batches (digest TEXT NOT NULL, batch INTEGER NOT NULL, from_us REAL, to_us REAL,
  packets INTEGER, latency_mean_ns REAL, network_latency_mean_ns REAL,
  accepted_bytes_per_ns_per_switch REAL, PRIMARY KEY (digest, batch)) WITHOUT ROWID;

CREATE TABLE histograms (digest TEXT NOT NULL, kind TEXT NOT NULL, from_ns REAL NOT NULL,
  to_ns REAL NOT NULL, packets INTEGER NOT NULL, PRIMARY KEY (digest, kind, from_ns)) WITHOUT ROWID;
  -- kind: latency, network_latency; slots [from, to) that are not empty, while measured

CREATE TABLE rearranging (digest TEXT NOT NULL, kind TEXT NOT NULL, at_least INTEGER NOT NULL,
  below INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (digest, kind, at_least)) WITHOUT ROWID;
  -- Of delivery in order, while measured; slots that are not empty. kind 'distance': early packets
  -- by how many packets they were ahead; 'memory': hosts at the samples by the bytes of rearrange
  -- memory in use; 'connection_memory': likewise connections, at each receiving end ([hca] protocol
  -- alone)

CREATE TABLE samples (digest TEXT NOT NULL, at_us REAL NOT NULL,
  measured INTEGER NOT NULL,                  -- 0: still warming up
  delivered INTEGER, lost INTEGER,            -- packets, since the sample before
  delivered_bytes INTEGER,                    -- on the wire, since the sample before
  latency_mean_ns REAL,                       -- of those delivered since then; NULL if none was
  in_flight INTEGER, waiting_at_sources INTEGER,  -- packets, at this moment
  occupied_share_mean REAL, occupied_share_max REAL,  -- of switches' input buffers, all VLs in use
  rearrange_bytes_mean REAL, rearrange_bytes_max INTEGER,  -- memory in use, over hosts; [hca] protocol
  rearrange_connection_bytes_mean REAL, rearrange_connection_bytes_max INTEGER,  -- over connections
  PRIMARY KEY (digest, at_us)) WITHOUT ROWID;

CREATE TABLE losses (digest TEXT NOT NULL, at_us REAL NOT NULL, reason TEXT NOT NULL,
  packets INTEGER NOT NULL, PRIMARY KEY (digest, at_us, reason)) WITHOUT ROWID;
  -- packets lost since the sample before, by reason; only where there were some

CREATE TABLE run_events (digest TEXT NOT NULL, position INTEGER NOT NULL, at_us REAL NOT NULL,
  what TEXT NOT NULL, PRIMARY KEY (digest, position)) WITHOUT ROWID;
  -- 'cut S-0-0:2', 'restored S-0-0:2', and for a deadlock one row for each queue of the cycle

CREATE TABLE channel_use (digest TEXT NOT NULL, channel INTEGER NOT NULL, packets INTEGER,
  bytes INTEGER, utilisation REAL,            -- share of the time measured that those packets
                                              -- take which it began to send in it
  xmit_wait_share REAL,                       -- share in which it had something to send and no credits
  -- Packets that the ports discarded while measured, as IBA's counters have them: PortXmitDiscards
  -- (the link is down, or a lifetime is over) of the port that the channel leaves;
  -- PortRcvSwitchRelayErrors (no route, or VL 15 by SL2VL) and VL15Dropped (no room for
  -- management) of the port that it comes to.
  port_xmit_discards INTEGER, port_rcv_switch_relay_errors INTEGER, vl15_dropped INTEGER,
  PRIMARY KEY (digest, channel)) WITHOUT ROWID;

CREATE TABLE vl_use (digest TEXT NOT NULL, channel INTEGER NOT NULL, vl INTEGER NOT NULL,
  packets INTEGER, bytes INTEGER, utilisation REAL, PRIMARY KEY (digest, channel, vl)) WITHOUT ROWID;
  -- channel_use by VL; only VLs that carried something

CREATE TABLE channel_losses (digest TEXT NOT NULL, channel INTEGER NOT NULL, reason TEXT NOT NULL,
  packets INTEGER NOT NULL, PRIMARY KEY (digest, channel, reason)) WITHOUT ROWID;
  -- packets lost on it or at its ports while measured, by reason; only where there were some

CREATE TABLE classes (digest TEXT NOT NULL, class INTEGER NOT NULL, name TEXT NOT NULL,
  packets INTEGER, bytes INTEGER,             -- delivered while measured; bytes on the wire
  packets_lost INTEGER,
  latency_mean_ns REAL, latency_p99_ns REAL, latency_max_ns REAL,  -- of packets
  frames INTEGER, frames_missed INTEGER,      -- of video: delivered, of these after their deadlines
  frames_lost INTEGER,                        -- their last packets were lost
  dmp REAL,                                   -- frames_missed / frames
  dmt_ms REAL,                                -- by how much, on average over those; 0 of none
  -- With paths = "probe", since the start: streams whose paths are reserved, streams that found no
  -- path with room, and probes sent
  streams INTEGER, streams_refused INTEGER, probes INTEGER,
  PRIMARY KEY (digest, class)) WITHOUT ROWID;
CREATE TABLE class_losses (digest TEXT NOT NULL, class INTEGER NOT NULL, reason TEXT NOT NULL,
  packets INTEGER NOT NULL, PRIMARY KEY (digest, class, reason)) WITHOUT ROWID;
  -- only where there were some

-- Only of points with model.selection = 'ear' (self-routing trees); while measured, unless it says
-- something else. Throughput is on the wire. Network latency, as in `points`. An early packet came
-- ahead of a packet of the same two hosts that was still missing; the window of a receiver is by
-- how many places its early packets came ahead, on average.
CREATE TABLE self_routing (digest TEXT PRIMARY KEY,
  flow_moves INTEGER, flow_moves_per_us REAL,
  ears_sent INTEGER, ears_lost INTEGER,       -- since the start
  receiver_throughput_mean_gbps REAL, receiver_throughput_min_gbps REAL,
  receiver_throughput_max_gbps REAL,
  receiver_latency_mean_ns REAL, receiver_latency_min_ns REAL, receiver_latency_max_ns REAL,
                                              -- of the receivers' means
  receiver_latency_longest_ns REAL,           -- of any packet
  early_ratio_mean REAL, early_ratio_max REAL,  -- early : in order
  window_mean_packets REAL, window_max_packets REAL,  -- of receivers with early packets
  permutations INTEGER,                       -- whole ones, since the start, as the next columns
  settled_share REAL,                         -- of those whose last 10 µs had no move
  settle_mean_us REAL, settle_max_us REAL     -- from their start to their last move; 0 without one
) WITHOUT ROWID;
CREATE TABLE moves (digest TEXT NOT NULL, switch INTEGER NOT NULL, from_us REAL NOT NULL,
  moves INTEGER, PRIMARY KEY (digest, switch, from_us)) WITHOUT ROWID;
  -- of a leaf switch in periods of 10 µs since the start; only periods with moves
CREATE TABLE permutation_moves (digest TEXT NOT NULL, permutation INTEGER NOT NULL,
  start_us REAL, end_us REAL,                 -- its first packet, the next one's or the run's end
  whole INTEGER,                              -- 0: the run ended within it
  moves INTEGER,
  last_move_us REAL,                          -- after the permutation's start; NULL: none
  PRIMARY KEY (digest, permutation)) WITHOUT ROWID;
CREATE TABLE receivers (digest TEXT NOT NULL, host INTEGER NOT NULL, packets INTEGER,
  throughput_gbps REAL, latency_mean_ns REAL, latency_max_ns REAL, early_packets INTEGER,
  early_ratio REAL, window_packets REAL, PRIMARY KEY (digest, host)) WITHOUT ROWID;

-- Only of points with a reconfiguration.scheme (docs/reconfiguration.md). Counts and losses are since
-- the start, times of the first change unless it says something else.
CREATE TABLE reconfiguration (digest TEXT PRIMARY KEY,
  changes INTEGER, changes_aborted INTEGER,
  target_reached INTEGER,                     -- 1: the switches hold the tables of the last change
  detection_us REAL,                          -- from the fault until the manager knows what failed
  computing_us REAL, distribution_us REAL,    -- until it begins to write; until the last answer
  reconfiguration_us REAL,                    -- from the first fault to the end of the last change
  smp_writes INTEGER, lft_entries INTEGER,    -- SMPs that write, each once; LFT entries that differ
  smp_requests INTEGER, smp_repeated INTEGER, smp_unconfirmed INTEGER,
  lost_by_fault INTEGER,                      -- cut, dead_port, no_route, wrong_host
  lost_by_recovery INTEGER,                   -- EBR's discards
  lost_by_vl15 INTEGER,                       -- SL2VL maps to VL 15, as a guard has it
  lost_by_lifetime INTEGER,
  outage_us REAL,                             -- from the first fault to the last packet lost; NULL: none
  -- The longest time from a packet's generation to its delivery, of packets that existed at some
  -- time between the first fault and the end of the last change; and of those that were delivered
  -- before the first fault
  stall_us REAL, before_stall_us REAL,
  before_bytes_per_ns_per_switch REAL,        -- delivered while measuring, before the first fault
  during_bytes_per_ns_per_switch REAL,        -- between detection and end of a change
  before_latency_mean_ns REAL,                -- of the same packets
  during_latency_mean_ns REAL,
  during_generated_latency_mean_ns REAL,      -- of packets that were generated then
  -- What during_latency_mean_ns consists of: until the injection, and from then on
  during_queue_latency_mean_ns REAL, during_network_latency_mean_ns REAL,
  -- For how long packets waited for tokens at the heads of queues since the start, over those
  -- delivered during changes: the part of the network latency that tokens cause
  token_latency_mean_ns REAL,
  smps_sent INTEGER                           -- by the manager, and by agents: answers and traps
) WITHOUT ROWID;
CREATE TABLE changes (digest TEXT NOT NULL, change INTEGER NOT NULL, cause_us REAL,
  detected_us REAL, computed_us REAL, distributed_us REAL,  -- NULL: it did not come to that
  aborted INTEGER, smp_writes INTEGER, lft_entries INTEGER, smp_requests INTEGER,
  smp_repeated INTEGER, smp_unconfirmed INTEGER,
  PRIMARY KEY (digest, change)) WITHOUT ROWID;

CREATE TABLE fabrics (id TEXT PRIMARY KEY, spec TEXT NOT NULL,
  form TEXT NOT NULL,                         -- torus, mesh, tree, none: what was recognised
  sizes TEXT NOT NULL                         -- '8x8' of a torus or mesh, 'k=4,n=3' of a tree, ''
) WITHOUT ROWID;
CREATE TABLE switches (fabric TEXT NOT NULL, id INTEGER NOT NULL, name TEXT NOT NULL,
  level INTEGER,                              -- of a tree, 0 at the hosts
  place TEXT,                                 -- of a torus or mesh, its coordinates as '3,4'
  PRIMARY KEY (fabric, id)) WITHOUT ROWID;
CREATE TABLE hosts (fabric TEXT NOT NULL, id INTEGER NOT NULL, name TEXT NOT NULL,
  switch INTEGER, PRIMARY KEY (fabric, id)) WITHOUT ROWID;
CREATE TABLE channels (fabric TEXT NOT NULL, id INTEGER NOT NULL,
  name TEXT NOT NULL,                         -- 'S-0-0:2', the port that it leaves
  from_switch INTEGER, from_host INTEGER,     -- one of each two is NULL
  to_switch INTEGER, to_host INTEGER,
  PRIMARY KEY (fabric, id)) WITHOUT ROWID;
  -- directed, of the cables that are there before any fault of [faults]
)sql";

}  // namespace selvedge::sim
