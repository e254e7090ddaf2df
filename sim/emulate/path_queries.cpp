// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/emulate/path_queries.hpp"

#include "sim/emulate/words.hpp"

namespace selvedge::sim {
namespace {

// SubnAdm MADs (IBA 1.3 §15.2.1.1) and the PathRecord in them (§15.2.5.16).
constexpr std::size_t kComponentMaskAt = 48, kRecordAt = 56;
constexpr std::size_t kDgidAt = kRecordAt + 8, kSgidAt = kRecordAt + 24, kDlidAt = kRecordAt + 40,
                      kNumbPathAt = kRecordAt + 49, kSlAt = kRecordAt + 53;
constexpr std::uint16_t kPathRecord = 0x0035;
constexpr std::uint64_t kDgidGiven = 1U << 2U, kSgidGiven = 1U << 3U, kNumbPathGiven = 1U << 12U;
constexpr std::uint64_t kDefaultPrefix = 0xfe80000000000000ULL;
constexpr std::uint8_t kReversibleOnePath = 0x81;

// A transaction id holds the round and the pair. Round 0 stands for probes (await_subnet()).
constexpr unsigned kRoundShift = 40;
constexpr std::uint64_t kPairMask = (std::uint64_t{1} << kRoundShift) - 1, kRounds = 255;
// Status bits of the class itself, such as "no records".
constexpr std::uint16_t kClassStatus = 0xff00;

std::uint64_t round_of(const Mad& mad) { return mad.transaction() >> kRoundShift & 0xffU; }

Mad path_query(Guid from, Guid to, std::uint64_t transaction) {
  Mad mad;
  std::uint8_t* m = mad.bytes.data();
  m[0] = 1;
  m[1] = mad_class::kSubnetAdm;
  m[2] = 2;
  m[3] = mad_method::kGet;
  mad.set_transaction(transaction);
  put16(m + 16, kPathRecord);
  put64(m + kComponentMaskAt, kDgidGiven | kSgidGiven | kNumbPathGiven);
  put64(m + kDgidAt, kDefaultPrefix);
  put64(m + kDgidAt + 8, to);
  put64(m + kSgidAt, kDefaultPrefix);
  put64(m + kSgidAt + 8, from);
  m[kNumbPathAt] = kReversibleOnePath;
  return mad;
}

Guid port_guid(const EmulatedSubnet& subnet, PortAt at) {
  return subnet.agent(at.node).model().port_guids[at.port];
}

}  // namespace

PathQueries::PathQueries(Core& core, std::vector<PortAt> ports, Listener changed)
    : core_(core), ports_(std::move(ports)), changed_(std::move(changed)), next_turn_(num_pairs()) {
  core_.set_requester(this);
}

std::uint64_t PathQueries::pair_of(std::uint64_t turn) const {
  const std::uint64_t hosts = ports_.size(), from = turn % hosts;
  return from * hosts + (from + turn / hosts) % hosts;
}

std::uint64_t PathQueries::turn_of(std::uint64_t pair) const {
  const std::uint64_t hosts = ports_.size(), from = pair / hosts, to = pair % hosts;
  return (to + hosts - from) % hosts * hosts + from;
}

bool PathQueries::is_pair(std::uint64_t pair) const {
  const std::size_t from = pair / ports_.size(), to = pair % ports_.size();
  return from != to && ports_[from].node != kNoNode && ports_[to].node != kNoNode;
}

void PathQueries::send_query(std::uint64_t pair, std::uint64_t round) {
  const PortAt from = ports_[pair / ports_.size()], to = ports_[pair % ports_.size()];
  core_.ask(from, path_query(port_guid(core_.subnet(), from), port_guid(core_.subnet(), to),
                             round << kRoundShift | pair));
}

void PathQueries::await_subnet() {
  up_ = false;
  awaiting_ = true;
  probe_due_ = core_.now();
}

void PathQueries::ask_all() {
  round_ = round_ % kRounds + 1;
  paths_.resize(num_pairs());
  states_.assign(num_pairs(), PairState::kIdle);
  unanswered_.assign(ports_.size(), 0);
  next_turn_ = 0;
  again_.clear();
  outstanding_ = 0;
  changed_paths_ = 0;
  ask_more();
}

void PathQueries::readdressed(HostId host) {
  if (!states_.empty()) readdressed_.emplace_back(core_.now() + kReaskDelay, host);
}

void PathQueries::ask(std::uint64_t pair) {
  states_[pair] = PairState::kAsked;
  ++outstanding_;
  send_query(pair, round_);
}

/// Asks for a pair again. Nothing is to be done for a pair whose query is outstanding or yet to
/// come: its answer will be of the present state.
void PathQueries::ask_again(std::uint64_t pair) {
  if (!is_pair(pair) || states_[pair] != PairState::kIdle || turn_of(pair) >= next_turn_) return;
  states_[pair] = PairState::kToBeAskedAgain;
  again_.push_back(pair);
}

void PathQueries::ask_more() {
  if (states_.empty()) return;
  for (; !again_.empty() && outstanding_ < kMostOutstanding; again_.pop_front())
    ask(again_.front());
  for (; next_turn_ < num_pairs() && outstanding_ < kMostOutstanding; ++next_turn_)
    if (const std::uint64_t pair = pair_of(next_turn_); is_pair(pair)) {
      if (silent(pair))
        keep(pair, {});
      else
        ask(pair);
    }
}

std::optional<std::uint64_t> PathQueries::end_question(const MadPacket& packet) {
  const std::uint64_t pair = packet.mad.transaction() & kPairMask;
  if (round_of(packet.mad) != round_ || pair >= states_.size() ||
      states_[pair] != PairState::kAsked)
    return std::nullopt;
  states_[pair] = PairState::kIdle;
  --outstanding_;
  return pair;
}

void PathQueries::keep(std::uint64_t pair, PathAnswer answer) {
  if (paths_[pair] == answer) return;
  paths_[pair] = answer;
  ++changed_paths_;
  changed_(static_cast<HostId>(pair / ports_.size()), static_cast<HostId>(pair % ports_.size()),
           answer);
}

void PathQueries::answered(const MadPacket& packet) {
  const Mad& mad = packet.mad;
  if (round_of(mad) == 0) {
    up_ = up_ || mad.status() == 0 || (mad.status() & kClassStatus) != 0;
    awaiting_ = awaiting_ && !up_;
    return;
  }
  const std::optional<std::uint64_t> pair = end_question(packet);
  if (!pair) return;
  unanswered_[*pair / ports_.size()] = 0;
  PathAnswer answer;
  if (mad.status() == 0 && mad.attribute() == kPathRecord)
    answer = {get16(&mad.bytes[kDlidAt]), static_cast<Sl>(mad.bytes[kSlAt] & 0xfU)};
  keep(*pair, answer);
}

void PathQueries::gave_up(const MadPacket& packet) {
  const std::optional<std::uint64_t> pair = end_question(packet);
  if (!pair) return;
  std::uint8_t& unanswered = unanswered_[*pair / ports_.size()];
  if (unanswered < kSilent) ++unanswered;
  keep(*pair, {});
}

std::uint64_t PathQueries::without_path() const {
  std::uint64_t count = 0;
  for (std::uint64_t pair = 0; pair < paths_.size(); ++pair)
    count += is_pair(pair) && paths_[pair].dlid == kNoLid;
  return count;
}

std::optional<Nanoseconds> PathQueries::deadline() const {
  if (awaiting_) return probe_due_;
  return readdressed_.empty() ? std::nullopt : std::optional(readdressed_.front().first);
}

void PathQueries::on_time() {
  if (awaiting_ && core_.now() >= probe_due_) {
    probe_due_ = core_.now() + kProbe;
    std::uint64_t pair = 0;
    while (pair < num_pairs() && !is_pair(pair)) ++pair;
    if (pair < num_pairs()) send_query(pair, 0);
  }
  for (; !readdressed_.empty() && readdressed_.front().first <= core_.now();
       readdressed_.pop_front()) {
    const std::uint64_t host = readdressed_.front().second;
    for (std::uint64_t other = 0; other < ports_.size(); ++other) {
      ask_again(host * ports_.size() + other);
      ask_again(other * ports_.size() + host);
    }
  }
  ask_more();
}

void add_path_commands(Console& console, PathQueries& queries) {
  console.add_command("paths", [&queries](std::string_view rest) -> Console::Action {
    no_more(rest, "paths");
    return [&queries] {
      queries.ask_all();
      return std::string();
    };
  });
  console.add_wait(
      "subnet-up", [&queries] { queries.await_subnet(); }, [&queries] { return queries.up(); });
  console.add_wait(
      "paths", [&queries] { queries.ask_all(); }, [&queries] { return queries.done(); });
}

}  // namespace selvedge::sim
