// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.hpp"

#include <helicity/seq/reader.hpp>
#include <helicity/seq/sam.hpp>

#include <string>
#include <vector>

namespace helicity::app {

seq::ReaderOptions reader_options(const Options& options);

/// The TARGET of the command line. If a run reads it more than once (SAM wants the names of all
/// targets first, --all may not keep them in memory) and it is a pipe, it is copied to an unnamed
/// temporary file.
class TargetFile
{
 public:
  explicit TargetFile(const Options& options);
  ~TargetFile();
  TargetFile(const TargetFile&) = delete;
  TargetFile& operator=(const TargetFile&) = delete;

  /// A reader at the first record.
  seq::Reader open() const;

  /// Name and length of every target, each name once, empty sequences left out.
  /// @throws InputError if two targets of one name differ in length
  std::vector<seq::SamReference> references() const;

 private:
  void spool();

  std::string name_;  ///< as given
  std::string path_;  ///< what is opened
  seq::ReaderOptions options_;
  int descriptor_ = -1;  ///< of the temporary file
};

}  // namespace helicity::app
