// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/record.hpp>

namespace helicity::seq {

RecordView Batch::operator[](std::size_t i) const
{
  const Entry& entry = entries_[i];
  std::string_view rest = std::string_view(text_).substr(entry.begin);
  const auto take = [&rest](std::size_t size) {
    const std::string_view part = rest.substr(0, size);
    rest.remove_prefix(size);
    return part;
  };
  RecordView view;
  view.name = take(entry.name);
  view.comment = take(entry.comment);
  view.sequence = take(entry.sequence);
  view.quality = take(entry.quality);
  view.has_quality = entry.has_quality;
  return view;
}

void Batch::append(const Record& record)
{
  entries_.push_back({text_.size(), record.name.size(), record.comment.size(),
                      record.sequence.size(), record.quality.size(), record.has_quality});
  text_.append(record.name).append(record.comment);
  text_.append(record.sequence).append(record.quality);
  letters_ += record.sequence.size();
}

void Batch::clear()
{
  text_.clear();
  entries_.clear();
  letters_ = 0;
}

}  // namespace helicity::seq
