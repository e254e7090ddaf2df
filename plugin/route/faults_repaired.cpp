// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/route/faults_repaired.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "plugin/repair/readdress.hpp"
#include "plugin/verify/verify.hpp"

namespace selvedge::route {
void add_repair_choice(CLI::App& app, RepairChoice& choice, const std::string& description) {
  app.add_option_function<std::string>(
         "--repair",
         [&choice](const std::string& text) {
           if (text != "rftr")
             throw InputError("no such repair", fmt::format("--repair '{}'", text), "choose rftr");
           choice.repair = text;
         },
         description)
      ->option_text("rftr");
  add_repair_mode(app, choice);
}

void add_repair_mode(CLI::App& app, RepairChoice& choice) {
  app.add_option_function<std::string>(
         "--repair-mode",
         [&choice](const std::string& text) {
           if (text != "in-place" && text != "readdress")
             throw InputError("no such mode of repair", fmt::format("--repair-mode '{}'", text),
                              "choose in-place or readdress");
           choice.mode = text == "in-place" ? RepairMode::kInPlace : RepairMode::kReaddress;
         },
         "in-place (the default): LIDs and SLs stay; readdress: each\nnew path has a fresh LID "
         "and, it may be, another SL")
      ->option_text("in-place|readdress");
  app.add_flag("--leave-unbroken", choice.leave_unbroken,
               "In place: no path that works is moved so that a broken one can\nkeep its SL "
               "(as the plugin does it in opensm)");
}

void add_healed(CLI::App& app, RepairChoice& choice) {
  app.add_flag("--healed", choice.healed,
               "After the repair, restore all that --fail names: the tables then");
}

MakeRepairSequence make_sequences(const RepairChoice& choice, const EngineOptions& engine,
                                  const Subject& subject) {
  RepairRequest request = request_of(choice, engine);
  request.count_affected = false;
  return request.mode == RepairMode::kReaddress
             ? readdress_sequences(subject.fabric, subject.tables, request)
             : in_place_sequences(subject.fabric, subject.tables, request);
}

std::string why_singular(const Subject& subject, const MakeRepairSequence& make,
                         const Fault& fault) {
  const auto sequence = make();
  for (const Channel c : fault.links) sequence->push({{c}, {}});
  for (const SwitchId s : fault.switches) sequence->push({{}, {s}});
  VerifyOptions asked;
  asked.any_lid = true;
  asked.max_witnesses = 1;
  const Verdict verdict =
      verify(without(subject.fabric, fault), sequence->tables(), asked).verdict();
  for (const Witness& w : verdict.witnesses)
    if (w.property == (verdict.connected ? "deadlock_free" : "connected")) return w.text;
  return "the full proof finds no failure";
}

}  // namespace selvedge::route
