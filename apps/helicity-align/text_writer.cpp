// SPDX-License-Identifier: Apache-2.0
#include "text_writer.hpp"

namespace helicity::app {

constexpr std::size_t piece_bytes = std::size_t{256} << 10;

void TextWriter::write(const Work& work)
{
  for (std::size_t i = 0; i < work.pairs.size(); ++i) {
    append_pair(aligned_pair(work, i), text_);
    if (text_.size() >= piece_bytes) hand_on();
  }
  hand_on();
}

void TextWriter::finish()
{
  hand_on();
  file_.commit();
}

void TextWriter::hand_on()
{
  file_.write({text_.data(), text_.size()});
  text_.clear();
}

}  // namespace helicity::app
