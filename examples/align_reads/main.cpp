// SPDX-License-Identifier: Apache-2.0
// Aligns the i-th read of a file to the i-th window of another: align_reads READS WINDOWS
#include <helicity/align/stream.hpp>
#include <helicity/core/error.hpp>
#include <helicity/seq/reader.hpp>

#include <iostream>

namespace ha = helicity::align;
namespace hs = helicity::seq;

void align_files(const char* reads_path, const char* windows_path)
{
  ha::Config config;
  config.mode = ha::Mode::semi_global;  // each read lies within its window
  config.scoring = {.match = 2, .mismatch = 4, .gap_open = 4, .gap_extend = 2};
  config.exec.device = helicity::Device::automatic;  // a GPU if one answers

  ha::Aligner aligner(config);
  ha::Stream stream(aligner, [](const ha::OwnedPair& pair, const ha::Alignment& found) {
    std::cout << pair.tag << '\t' << found.score << '\t' << found.target_begin << '\t'
              << ha::to_string(found.cigar) << '\n';
  });

  hs::Reader reads(reads_path), windows(windows_path);
  hs::Record read, window;
  for (int i = 0; reads.next(read) && windows.next(window); ++i)
    stream.push({read.sequence, window.sequence, i});  // waits while too much is unfinished
  stream.finish();
}

int main(int argc, char** argv)
{
  if (argc != 3) {
    std::cerr << "usage: align_reads READS WINDOWS\n";
    return 2;
  }
  try {
    align_files(argv[1], argv[2]);
  } catch (const helicity::Error& error) {
    std::cerr << "align_reads: error: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
