// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "plugin/tables/files.hpp"
#include "plugin/tables/readers.hpp"

namespace selvedge {

TablesFile read_tables(std::string_view text, const std::string& where, const Fabric* fabric) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    throw InputError("the file is empty", where, "write the tables again");
  if (text[first] == '{') return read_tables_json(text, where, fabric);
  if (text.find("Unicast lids [") != std::string_view::npos ||
      text.find("Multicast mlids [") != std::string_view::npos)
    return read_lft_dump(text, where, fabric);
  throw InputError("this is no tables file", where,
                   "give a file of `--tables` (JSON, selvedge-tables-1) or the output of dump_fts");
}

TablesFile read_tables_file(const std::string& path, const Fabric* fabric) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  // A folder can be opened but not read (then errno is set). An empty file also sets failbit; that
  // is no error here.
  if (!file || file.bad() || (text.fail() && errno != 0))
    throw InputError(fmt::format("the tables cannot be read ({})",
                                 errno != 0 ? std::strerror(errno) : "input error"),
                     path, "name a file that can be read");
  return read_tables(std::move(text).str(), path, fabric);
}

}  // namespace selvedge
