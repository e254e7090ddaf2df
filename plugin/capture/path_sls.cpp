// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/capture/path_sls.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "plugin/fabric/naming.hpp"
#include "plugin/fabric/stable_random.hpp"

namespace selvedge::capture {
namespace {

constexpr std::size_t kBatch = 4096;  // questions at a time

/// A node whose paths are asked for.
struct Source {
  SwitchId at;
  HostId host;  // kNoHost: the switch itself
  Lid lid;
};

/// What was answered for a pair.
struct Answers {
  FurtherSls::Set sls = 0;
  Sl first = 0;
};

class Inquiry {
 public:
  Inquiry(SubnetAccess& access, const Fabric& fabric, std::uint64_t seed, std::uint32_t most_hosts,
          Tables& tables, Progress& progress)
      : access_(access), fabric_(fabric), tables_(tables), progress_(progress), random_(seed) {
    std::uint32_t hosts = 0;
    for (HostId h = 0; h < fabric.num_hosts(); ++h) hosts += fabric.attached(h) ? 1u : 0u;
    result_.sampled = hosts > most_hosts;
    for (SwitchId s = 0; s < fabric.num_switches(); ++s) {
      bool any = false;
      for (const HostId h : fabric.hosts_at(s)) {
        if (fabric.host(h).lid == kNoLid || (any && result_.sampled)) continue;
        sources_.push_back({s, h, fabric.host(h).lid});
        any = true;
      }
      if (!any && fabric.node(s).lid != kNoLid)
        sources_.push_back({s, kNoHost, fabric.node(s).lid});
    }
    lids_ = fabric.top_lid() + std::size_t{1};
    answers_.resize(sources_.size() * lids_);
  }

  PathSls run() && {
    list_questions();
    ask_all(1);
    if (differs_when_asked_again()) {
      bool fresh = true;
      while (fresh && result_.rounds < kMostRounds &&
             result_.rounds * questions_.size() < kMostRepeated)
        fresh = ask_all(++result_.rounds);
      complete_ = !fresh;
    }
    count();
    fill_in();
    if (result_.sampled) check_sample();
    remark();
    return std::move(result_);
  }

 private:
  struct Asked {
    std::uint32_t source;
    Lid dlid;
  };

  /// The host that stands for those of a switch in a sample.
  HostId representative(SwitchId s) const {
    for (const HostId h : fabric_.hosts_at(s))
      if (fabric_.host(h).lid != kNoLid) return h;
    return kNoHost;
  }

  Answers& at(std::uint32_t source, Lid dlid) { return answers_[source * lids_ + dlid]; }

  void list_questions() {
    std::vector<Lid> targets;
    for (unsigned lid = 1; lid < lids_; ++lid) {
      const LidOwner owner = fabric_.owner(static_cast<Lid>(lid));
      const bool host = owner.kind == LidOwner::Kind::kHost;
      if (owner.kind == LidOwner::Kind::kUnassigned || (host && !fabric_.attached(owner.id)))
        continue;
      if (host && result_.sampled && representative(fabric_.host(owner.id).at) != owner.id)
        continue;
      targets.push_back(static_cast<Lid>(lid));
    }
    for (std::uint32_t i = 0; i < sources_.size(); ++i)
      for (const Lid dlid : targets)
        if (fabric_.owner(dlid) != fabric_.owner(sources_[i].lid)) questions_.push_back({i, dlid});
    result_.pairs = questions_.size();
  }

  /// Asks and returns whether any pair has an SL that it has not had before.
  bool ask_questions(const std::vector<Asked>& asked) {
    bool fresh = false;
    std::vector<SlQuestion> batch;
    for (std::size_t first = 0; first < asked.size(); first += kBatch) {
      batch.clear();
      const std::size_t end = std::min(first + kBatch, asked.size());
      for (std::size_t i = first; i < end; ++i)
        batch.push_back({sources_[asked[i].source].lid, asked[i].dlid});
      const std::vector<SlAnswer> told = ask(batch);
      for (std::size_t i = first; i < end; ++i) {
        if (told[i - first].kind != SlAnswer::Kind::kSl) continue;
        Answers& answers = at(asked[i].source, asked[i].dlid);
        const Sl sl = told[i - first].sl;
        if (answers.sls == 0) answers.first = sl;
        fresh |= (answers.sls >> sl & 1u) == 0;
        answers.sls |= static_cast<FurtherSls::Set>(1u << sl);
      }
      progress_.advance(end);
    }
    return fresh;
  }

  std::vector<SlAnswer> ask(std::span<const SlQuestion> batch) {
    std::vector<SlAnswer> told = access_.ask(batch);
    result_.questions += batch.size();
    for (std::size_t i = 0; i < batch.size(); ++i)
      if (told[i].kind == SlAnswer::Kind::kNone)
        throw Unsettled{fmt::format("the subnet administration does not answer (LID {} to {})",
                                    batch[i].from, batch[i].to)};
    return told;
  }

  bool ask_all(unsigned round) {
    progress_.phase(round == 1 ? "asking for SLs" : fmt::format("asking for SLs, round {}", round),
                    questions_.size(), "path records");
    return ask_questions(questions_);
  }

  bool differs_when_asked_again() {
    std::vector<Asked> again = questions_;
    if (again.size() > kAskedAgain) {
      for (std::size_t i = 0; i < kAskedAgain; ++i)
        std::swap(again[i], again[i + random_.below(again.size() - i)]);
      again.resize(kAskedAgain);
    }
    progress_.phase("asking for some SLs again", again.size(), "path records");
    return ask_questions(again);
  }

  void count() {
    for (const Asked& q : questions_) {
      const Answers& answers = at(q.source, q.dlid);
      const bool host = fabric_.owner(q.dlid).kind == LidOwner::Kind::kHost;
      if (answers.sls == 0 && host && sources_[q.source].host != kNoHost &&
          tables_.next(sources_[q.source].at, q.dlid) != kNoPort)
        ++without_record_;
      if (std::popcount(answers.sls) < 2) continue;
      if (result_.changing++ == 0) first_changing_ = q;
    }
  }

  /// In a sample the answer for the LID's representative, else the pair's own.
  const Answers& answer_for(std::uint32_t source, Lid dlid) {
    const LidOwner owner = fabric_.owner(dlid);
    if (!result_.sampled || owner.kind != LidOwner::Kind::kHost) return at(source, dlid);
    const Host& host = fabric_.host(owner.id);
    if (!fabric_.attached(owner.id)) return at(source, dlid);
    const Host& known = fabric_.host(representative(host.at));
    const unsigned offset = std::min<unsigned>(dlid - host.lid, known.lid_count() - 1);
    return at(source, static_cast<Lid>(known.lid + offset));
  }

  void fill_in() {
    // Per switch and LID: the answers for the host whose SL became the path's.
    std::vector<FurtherSls::Set> usual(tables_.num_switches() * lids_, 0);
    for (std::uint32_t i = 0; i < sources_.size(); ++i)
      for (unsigned n = 1; n < lids_; ++n) {
        const auto lid = static_cast<Lid>(n);
        const Answers& answers = answer_for(i, lid);
        FurtherSls::Set& known = usual[sources_[i].at * lids_ + lid];
        if (known != 0 || answers.sls == 0) continue;  // none is asked about its own LIDs
        known = answers.sls;
        tables_.set_sl(sources_[i].at, lid, answers.first);
      }
    result_.further = FurtherSls(tables_);
    for (std::uint32_t i = 0; i < sources_.size(); ++i) {
      const Source& source = sources_[i];
      std::vector<Sl> own(lids_, 0);
      bool differs = false;
      for (unsigned n = 1; n < lids_; ++n) {
        const auto lid = static_cast<Lid>(n);
        const Answers& answers = answer_for(i, lid);
        own[lid] = tables_.sl(source.at, lid);
        if (answers.sls == 0) continue;
        if ((answers.sls & usual[source.at * lids_ + lid]) == 0) {
          own[lid] = answers.first;
          differs = true;
        }
        for (unsigned sls = answers.sls; sls != 0; sls &= sls - 1)
          result_.further.add(tables_, source.at, lid, static_cast<Sl>(std::countr_zero(sls)));
      }
      if (!differs) continue;
      ++result_.hosts_of_their_own;
      result_.further.set_host(tables_, source.at, source.host, std::move(own));
    }
  }

  /// Asks about pairs that were not asked about, and adds what had not to be expected.
  void check_sample() {
    std::vector<HostId> hosts;
    for (HostId h = 0; h < fabric_.num_hosts(); ++h)
      if (fabric_.attached(h) && fabric_.host(h).lid != kNoLid) hosts.push_back(h);
    progress_.phase("checking the sample", kChecked, "path records");
    std::vector<SlQuestion> batch;
    std::vector<SwitchId> from;
    for (std::uint64_t done = 0; done < kChecked; done += batch.size()) {
      batch.clear();
      from.clear();
      for (std::size_t i = 0; i < std::min<std::uint64_t>(kBatch, kChecked - done); ++i) {
        const HostId a = hosts[random_.below(hosts.size())];
        HostId b = a;  // at another switch: paths within one carry nothing between switches
        while (fabric_.host(b).at == fabric_.host(a).at) b = hosts[random_.below(hosts.size())];
        const Host& to = fabric_.host(b);
        batch.push_back(
            {fabric_.host(a).lid, static_cast<Lid>(to.lid + random_.below(to.lid_count()))});
        from.push_back(fabric_.host(a).at);
      }
      const std::vector<SlAnswer> told = ask(batch);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        if (told[i].kind != SlAnswer::Kind::kSl) continue;
        const unsigned expected =
            1u << tables_.sl(from[i], batch[i].to) | result_.further.at(from[i], batch[i].to);
        if ((expected >> told[i].sl & 1u) != 0) continue;
        ++result_.deviations;
        result_.further.add(tables_, from[i], batch[i].to, told[i].sl);
      }
      progress_.advance(done + batch.size());
    }
  }

  void remark() {
    std::vector<std::string>& remarks = result_.remarks;
    if (result_.sampled)
      remarks.push_back(fmt::format(
          "a sample of the SLs: one host of each switch was asked about one host of each switch, "
          "{} pairs; others are taken to have the same SLs. {} further pairs, drawn, were asked: "
          "{} "
          "had another SL",
          result_.pairs, kChecked, result_.deviations));
    if (result_.changing > 0) {
      const Source& source = sources_[first_changing_.source];
      std::vector<unsigned> sls;
      for (unsigned sl = 0; sl < kSls; ++sl)
        if ((at(first_changing_.source, first_changing_.dlid).sls >> sl & 1u) != 0)
          sls.push_back(sl);
      remarks.push_back(fmt::format(
          "the subnet manager{} changes its answers: {} of {} pairs had several SLs in {} rounds, "
          "the first {} to LID {}: {}. further_path_sl has all that were answered{}",
          manager_name(), result_.changing, result_.pairs, result_.rounds,
          source.host == kNoHost ? fabric_.node(source.at).name : host_label(fabric_, source.host),
          first_changing_.dlid, fmt::join(sls, ", "), complete_ ? "" : "; there may be more"));
    }
    if (result_.hosts_of_their_own > 0)
      remarks.push_back(fmt::format("{} hosts have other SLs than the first host of their switch",
                                    result_.hosts_of_their_own));
    if (without_record_ > 0)
      remarks.push_back(
          fmt::format("{} pairs of a host and a LID of another have a route but no path record",
                      without_record_));
  }

  std::string manager_name() {
    const Lid lid = access_.manager();
    const LidOwner owner = fabric_.owner(lid);
    if (owner.kind == LidOwner::Kind::kHost)
      return fmt::format(" on {} (LID {})", host_label(fabric_, owner.id), lid);
    if (owner.kind == LidOwner::Kind::kSwitch)
      return fmt::format(" on {} (LID {})", fabric_.node(owner.id).name, lid);
    return "";
  }

  SubnetAccess& access_;
  const Fabric& fabric_;
  Tables& tables_;
  Progress& progress_;
  StableRandom random_;
  std::vector<Source> sources_;  // those of one switch are neighbours
  std::size_t lids_ = 0;
  std::vector<Answers> answers_;  // [source][DLID]
  std::vector<Asked> questions_;
  std::uint64_t without_record_ = 0;
  bool complete_ = true;  // whether the last round brought nothing new
  Asked first_changing_{};
  PathSls result_;
};

}  // namespace

PathSls read_path_sls(SubnetAccess& access, const Fabric& fabric, std::uint64_t seed,
                      std::uint32_t most_hosts, Tables& tables, Progress& progress) {
  return Inquiry(access, fabric, seed, most_hosts, tables, progress).run();
}

}  // namespace selvedge::capture
