// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "writer.hpp"

#include <helicity/core/file_output.hpp>

#include <fmt/format.h>

#include <string>

namespace helicity::app {

/// Base of the formats that are text: gathers it and hands it on in large pieces.
class TextWriter : public Writer
{
 public:
  explicit TextWriter(const std::string& path) : file_(path) {}

  void write(const Work& work) final;
  void finish() final;

 protected:
  virtual void append_pair(const AlignedPair& pair, fmt::memory_buffer& text) = 0;

  fmt::memory_buffer text_;

 private:
  void hand_on();

  FileOutput file_;
};

/// `text`, or `.` for an empty one, so that no column is empty.
inline std::string_view or_dot(std::string_view text) { return text.empty() ? "." : text; }

std::unique_ptr<Writer> make_tsv_writer(const Options& options);
std::unique_ptr<Writer> make_paf_writer(const Options& options);
std::unique_ptr<Writer> make_pretty_writer(const Options& options, const align::ScoreTable& table);

}  // namespace helicity::app
