// SPDX-License-Identifier: Apache-2.0
// FASTA and FASTQ: any bytes are read or refused, the same however they arrive, and what was read
// and written again reads the same.
#include <helicity/core/error.hpp>
#include <helicity/seq/reader.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace seq = helicity::seq;

class Chunks final : public seq::ByteSource
{
 public:
  Chunks(std::string text, std::size_t chunk) : text_(std::move(text)), chunk_(chunk) {}

  std::size_t read(char* bytes, std::size_t size) override
  {
    const std::size_t count = std::min({size, chunk_, text_.size() - position_});
    std::memcpy(bytes, text_.data() + position_, count);
    position_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t chunk_;
  std::size_t position_ = 0;
};

struct Outcome
{
  std::string text;  // the records as plain FASTA or FASTQ
  std::string error;
};

void require(bool condition)
{
  if (!condition) std::abort();
}

void append(Outcome& outcome, const seq::RecordView& record, const seq::ReaderOptions& options)
{
  require(seq::find_invalid(record.sequence, options.alphabet) == std::string_view::npos);
  require(record.quality.size() == (record.has_quality ? record.sequence.size() : 0));
  require(static_cast<std::int64_t>(record.sequence.size()) <= options.max_length);
  std::string& text = outcome.text;
  text.append(record.has_quality ? "@" : ">").append(record.name);
  if (!record.comment.empty()) text.append(" ").append(record.comment);
  text.append("\n").append(record.sequence).append("\n");
  if (record.has_quality) text.append("+\n").append(record.quality).append("\n");
}

seq::Reader open(const std::string& text, std::size_t chunk, const seq::ReaderOptions& options)
{
  return seq::Reader(std::make_unique<Chunks>(text, chunk), "fuzz", options);
}

Outcome read_each(const std::string& text, std::size_t chunk, const seq::ReaderOptions& options)
{
  Outcome outcome;
  try {
    seq::Reader reader = open(text, chunk, options);
    for (seq::Record record; reader.next(record);)
      append(outcome,
             {record.name, record.comment, record.sequence, record.quality, record.has_quality},
             options);
  } catch (const helicity::InputError& error) {
    outcome.error = error.what();
  }
  return outcome;
}

Outcome read_batches(const std::string& text, std::size_t max_bytes,
                     const seq::ReaderOptions& options)
{
  Outcome outcome;
  try {
    seq::Reader reader = open(text, text.size() + 1, options);
    for (seq::Batch batch; reader.next_batch(batch, max_bytes, 3) > 0;)
      for (std::size_t i = 0; i < batch.size(); ++i) append(outcome, batch[i], options);
  } catch (const helicity::InputError& error) {
    outcome.error = error.what();
  }
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  if (size < 1) return 0;
  seq::ReaderOptions options;
  options.alphabet = data[0] & 1 ? seq::Alphabet::protein : seq::Alphabet::dna;
  options.max_length = data[0] & 2 ? 20 : 0x7fff'ffff;
  const std::size_t chunk = 1 + (data[0] >> 2) % 16;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);

  const Outcome whole = read_each(text, text.size() + 1, options);
  const Outcome pieces = read_each(text, chunk, options);
  require(whole.text == pieces.text && whole.error == pieces.error);
  const Outcome batches = read_batches(text, chunk * 8, options);
  require(whole.text == batches.text && whole.error == batches.error);
  const Outcome again = read_each(whole.text, chunk, options);
  require(again.text == whole.text && again.error.empty());
  return 0;
}
