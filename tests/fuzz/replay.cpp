// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Replaces libFuzzer where the compiler has none: gives the fuzz target every file of the folders
// named on the command line, and the first half of each file.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i]))
      if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> bytes(std::istreambuf_iterator<char>(in), {});
    // The file is named before it is run, so that a crash shows which file caused it.
    std::fprintf(stderr, "%s\n", file.c_str());
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    LLVMFuzzerTestOneInput(data, bytes.size());
    LLVMFuzzerTestOneInput(data, bytes.size() / 2);
  }
  std::fprintf(stderr, "%zu seeds replayed\n", files.size());
  return files.empty() ? 1 : 0;
}
