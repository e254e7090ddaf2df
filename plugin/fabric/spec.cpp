// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/fabric/spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "plugin/fabric/files.hpp"
#include "plugin/fabric/generators.hpp"

namespace selvedge {

const char* const kFabricHelp =
    "FABRIC is one of\n"
    "  torus:8x8[,hosts=H]     torus, a size (3 or more) for each dimension; H hosts a switch, 1 "
    "if "
    "not said\n"
    "  mesh:3x3x3[,hosts=H]    the same without the wraparound cables; sizes may be 1\n"
    "  tree:k=4,n=3            k-ary n-tree, k hosts a leaf switch\n"
    "  clos:n=24,r=48,m=24     folded Clos: r leaf switches with n hosts and m uplinks, m spines\n"
    "  xgft:m=18x18x36,w=1x18x18\n"
    "                          extended generalised fat tree: m children and w parents a level\n"
    "  irregular:switches=16,degree=4[,hosts=4][,seed=1][,links=23]\n"
    "                          random and connected; hosts a switch and the seed are 1 if not "
    "said;\n"
    "                          with links only so many cables are left\n"
    "  random-regular:switches=60,degree=6[,hosts=1][,seed=1]\n"
    "                          the same where every switch has the degree\n"
    "  hyperx:4x4x4[,hosts=H]  HyperX: switches that differ in one coordinate are joined\n"
    "  dragonfly:a=4,h=2,p=2   a switches a group, each with h cables to other groups and p hosts\n"
    "  slimfly:q=5[,hosts=H]   Slim Fly of 2q^2 switches, q a prime; H is half of the degree if "
    "not "
    "said\n"
    "  file:PATH               output of ibnetdiscover, or an ibsim .net file\n";

namespace {

struct Form {
  std::string_view kind;
  std::string_view example;
  bool sizes;  // whether sizes (`8x8`) may be given without an option name
  std::array<std::string_view, 5> options{};  // names, by the index that Reader takes; then empty
  std::size_t required;                       // how many of these, from the first on, must be given
};

constexpr Form kForms[] = {
    {"torus", "torus:8x8,hosts=2", true, {"hosts"}, 0},
    {"mesh", "mesh:3x3x3", true, {"hosts"}, 0},
    {"tree", "tree:k=4,n=3", false, {"k", "n"}, 2},
    {"clos", "clos:n=24,r=48,m=24", false, {"n", "r", "m"}, 3},
    {"xgft", "xgft:m=18x18x36,w=1x18x18", false, {"m", "w"}, 2},
    {"irregular",
     "irregular:switches=16,degree=4,hosts=4,seed=1",
     false,
     {"switches", "degree", "hosts", "seed", "links"},
     2},
    {"random-regular",
     "random-regular:switches=60,degree=6,hosts=2,seed=1",
     false,
     {"switches", "degree", "hosts", "seed"},
     2},
    {"hyperx", "hyperx:4x4x4", true, {"hosts"}, 0},
    {"dragonfly", "dragonfly:a=4,h=2,p=2", false, {"a", "h", "p"}, 3},
    {"slimfly", "slimfly:q=5", false, {"q", "hosts"}, 1},
};
constexpr std::string_view kFileExample = "file:PATH";

/// Parses one FABRIC, and keeps the whole text for messages.
class Reader {
 public:
  Reader(std::string_view spec, const Form& form, std::string_view rest)
      : spec_(spec), form_(form) {
    for (bool more = !rest.empty(); more;) {  // missing options are reported below
      const std::size_t comma = rest.find(',');
      take(rest.substr(0, comma));
      more = comma != std::string_view::npos;
      if (more) rest.remove_prefix(comma + 1);
    }
    if (form_.sizes && sizes_.empty()) fail("the sizes are missing");
    for (std::size_t i = 0; i < form_.required; ++i)
      if (values_[i].empty()) fail(fmt::format("{}= is missing", form_.options[i]));
  }

  std::vector<unsigned> sizes() const { return list(sizes_); }
  std::vector<unsigned> list(std::size_t option) const { return list(values_[option]); }
  unsigned number(std::size_t option, unsigned otherwise) const {
    return values_[option].empty() ? otherwise : whole<unsigned>(values_[option]);
  }
  /// Fails if both numbers are odd: then no graph has that degree everywhere.
  void even_product(std::size_t switches, std::size_t degree) const {
    if (number(switches, 0) % 2 == 1 && number(degree, 0) % 2 == 1)
      fail(fmt::format("{} switches cannot have {} cables each", values_[switches],
                       values_[degree]));
  }
  std::uint64_t seed(std::size_t option) const {
    return values_[option].empty() ? 1 : whole<std::uint64_t>(values_[option]);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(what, fmt::format("'{}'", spec_), fmt::format("write {}", form_.example));
  }

  void take(std::string_view item) {
    if (item.empty()) fail("there is nothing where an option should be");
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) {
      if (!form_.sizes) fail(fmt::format("'{}' has no name", item));
      if (!sizes_.empty()) fail("the sizes are given twice");
      sizes_ = item;
      return;
    }
    const std::string_view name = item.substr(0, equals);
    const auto known = std::ranges::find(form_.options, name);
    if (name.empty() || known == form_.options.end())
      fail(fmt::format("{} has no option '{}'", form_.kind, name));
    std::string_view& value = values_[static_cast<std::size_t>(known - form_.options.begin())];
    if (!value.empty()) fail(fmt::format("{}= is given twice", name));
    value = item.substr(equals + 1);
    if (value.empty()) fail(fmt::format("{}= has no value", name));
  }

  template <class Number>
  Number whole(std::string_view text) const {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range)
      fail(fmt::format("{} is too large a number", text));
    if (error != std::errc{} || end != text.data() + text.size())
      fail(fmt::format("'{}' is not a whole number", text));
    return value;
  }

  std::vector<unsigned> list(std::string_view text) const {
    std::vector<unsigned> numbers;
    while (true) {
      const std::size_t cross = text.find('x');
      numbers.push_back(whole<unsigned>(text.substr(0, cross)));
      if (cross == std::string_view::npos) return numbers;
      text.remove_prefix(cross + 1);
    }
  }

  std::string_view spec_;
  const Form& form_;
  std::string_view sizes_;
  std::array<std::string_view, 5> values_{};
};

Fabric generate(std::string_view kind, const Reader& read) {
  if (kind == "torus") return torus(read.sizes(), read.number(0, 1));
  if (kind == "mesh") return mesh(read.sizes(), read.number(0, 1));
  if (kind == "tree") return k_ary_n_tree(read.number(0, 0), read.number(1, 0));
  if (kind == "clos") return clos(read.number(0, 0), read.number(1, 0), read.number(2, 0));
  if (kind == "xgft") return xgft(read.list(0), read.list(1));
  if (kind == "hyperx") return hyperx(read.sizes(), read.number(0, 1));
  if (kind == "dragonfly")
    return dragonfly(read.number(0, 0), read.number(1, 0), read.number(2, 0));
  if (kind == "slimfly") {
    const unsigned q = read.number(0, 0);
    return slim_fly(q, read.number(1, (3 * std::min(q, 200u) / 2 + 1) / 2));
  }
  if (kind == "random-regular") {
    read.even_product(0, 1);
    return irregular(read.number(0, 0), read.number(1, 0), read.number(2, 1), read.seed(3));
  }
  return irregular(read.number(0, 0), read.number(1, 0), read.number(2, 1), read.seed(3),
                   read.number(4, kAllLinks));
}

[[noreturn]] void unknown(std::string_view spec, std::string_view kind) {
  std::vector<std::string> kinds;
  for (const Form& form : kForms) kinds.emplace_back(form.kind);
  kinds.emplace_back("file");
  const std::string_view meant = nearest(kind, kinds);
  const auto form = std::ranges::find(kForms, meant, &Form::kind);
  throw InputError("no such kind of fabric", fmt::format("'{}'", spec),
                   meant.empty()
                       ? fmt::format("the kinds are {}; write something like {}",
                                     fmt::join(kinds, ", "), kForms[0].example)
                       : fmt::format("write something like {}",
                                     form == std::end(kForms) ? kFileExample : form->example));
}

/// The fabric before LIDs are assigned; FabricFile::has_lids says whether a file gave them.
FabricFile bare_fabric(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  const std::string_view kind = spec.substr(0, colon);
  const std::string_view rest =
      colon == std::string_view::npos ? std::string_view{} : spec.substr(colon + 1);
  if (kind == "file" && colon != std::string_view::npos) {
    if (rest.empty())
      throw InputError("the path is missing", fmt::format("'{}'", spec),
                       fmt::format("write {}", kFileExample));
    return read_fabric_file(std::string(rest));
  }
  const auto form = std::ranges::find(kForms, kind, &Form::kind);
  if (form == std::end(kForms)) unknown(spec, kind);
  FabricFile generated;
  generated.fabric = generate(kind, Reader(spec, *form, rest));
  return generated;
}

}  // namespace

Fabric make_fabric(std::string_view spec, std::optional<unsigned> lmc) {
  FabricFile file = bare_fabric(spec);
  const bool keep =
      file.has_lids && (!lmc || std::ranges::all_of(file.fabric.hosts(), [&](const Host& host) {
        return host.lmc == *lmc;
      }));
  return keep ? std::move(file.fabric) : assign_lids(file.fabric, lmc.value_or(0));
}

Fabric make_fabric_choosing_lmc(std::string_view spec,
                                const std::function<unsigned(const Fabric&)>& choose) {
  FabricFile file = bare_fabric(spec);
  if (file.has_lids) return std::move(file.fabric);
  const unsigned lmc = choose(file.fabric);
  return assign_lids(file.fabric, lmc);
}

}  // namespace selvedge
