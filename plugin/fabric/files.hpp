// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Fabrics in files: the output of ibnetdiscover (infiniband-diags 44) and ibsim's .net form, which is
// the same grammar with fewer comments and more freedom.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugin/fabric/fabric.hpp"

namespace selvedge {

struct FabricFile {
  Fabric fabric;
  bool has_lids = false;              // every switch and every host port came with one
  std::vector<std::string> remarks;   // oddities that were passed over, a line each
};

/// Reads either form, told apart by content. `where` is the file's name, for messages, which give
/// the line. Throws InputError.
FabricFile read_fabric(std::string_view text, const std::string& where);
FabricFile read_fabric_file(const std::string& path);

/// ibsim's .net form. read_fabric(write_net(f)) is f, but for the LIDs, which .net does not hold.
std::string write_net(const Fabric& fabric);

}  // namespace selvedge
