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
inline constexpr int kResultsFormat = 3;

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
  packets_measured INTEGER, out_of_order_packets INTEGER,  -- delivered while measured
  port_xmit_discards INTEGER, port_rcv_switch_relay_errors INTEGER, vl15_dropped INTEGER,
                                              -- of all ports while measured, as in channel_use
  batches INTEGER, batch_correlation REAL,    -- of successive batch means; near 0 is well
  warmup_us REAL, measured_us REAL,
  finished_us REAL,                           -- the sample that found all of finite traffic delivered; else NULL
  vls_used INTEGER, lmc INTEGER,
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

CREATE TABLE samples (digest TEXT NOT NULL, at_us REAL NOT NULL,
  measured INTEGER NOT NULL,                  -- 0: still warming up
  delivered INTEGER, lost INTEGER,            -- packets, since the sample before
  delivered_bytes INTEGER,                    -- on the wire, since the sample before
  latency_mean_ns REAL,                       -- of those delivered since then; NULL if none was
  in_flight INTEGER, waiting_at_sources INTEGER,  -- packets, at this moment
  occupied_share_mean REAL, occupied_share_max REAL,  -- of switches' input buffers, all VLs in use
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
