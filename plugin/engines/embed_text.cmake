# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# A text file as a C++ function that returns it: cmake -DTEXT= -DFUNCTION=NAMESPACE::NAME -DOUT= -P
# embed_text.cmake. Nothing but CMake and the compiler takes part, so it works alike with every
# preset, and from sources that cannot be written to.
file(READ ${TEXT} content)
string(FIND "${content}" ")text\"" end)
if(NOT end EQUAL -1)
  message(FATAL_ERROR "${TEXT}: has what ends a raw string here")
endif()
string(REGEX MATCH "^(.*)::([a-z_]+)$" matched ${FUNCTION})
file(WRITE ${OUT} "// Made from ${TEXT} by embed_text.cmake.
#include <string_view>
#pragma GCC diagnostic ignored \"-Woverlength-strings\"
namespace ${CMAKE_MATCH_1} {
std::string_view ${CMAKE_MATCH_2}();
std::string_view ${CMAKE_MATCH_2}() {
  static const char text[] = R\"text(${content})text\";
  return {text, sizeof text - 1};
}
}  // namespace ${CMAKE_MATCH_1}
")
