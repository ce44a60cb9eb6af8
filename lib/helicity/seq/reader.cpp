// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/reader.hpp>

#include <helicity/core/error.hpp>
#include <helicity/seq/detail/record_source.hpp>
#include <helicity/seq/detail/text_parser.hpp>

#include <exception>
#include <utility>

namespace helicity::seq {
namespace {

void check(const ReaderOptions& options)
{
  if (options.threads < 1) throw UsageError("Reader: threads must be at least 1");
  if (options.max_length < 1 || options.max_length > 0x7fff'ffff)
    throw UsageError("Reader: max_length must be from 1 to 2147483647");
}

std::size_t record_bytes(const Record& record)
{
  return record.name.size() + record.comment.size() + record.sequence.size() +
         record.quality.size();
}

}  // namespace

ByteSource::~ByteSource() = default;

struct Reader::State
{
  std::unique_ptr<detail::RecordSource> source;
  bool at_end = false;
  Record ahead;  // read by next_batch, but did not fit
  bool has_ahead = false;
  std::exception_ptr failure;  // met by next_batch after records that were fine

  bool read(Record& record);
};

bool Reader::State::read(Record& record)
{
  if (has_ahead) {
    record = std::move(ahead);
    has_ahead = false;
    return true;
  }
  if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
  if (at_end) return false;
  at_end = true;  // and stays so if the source throws
  if (!source->next(record)) return false;
  at_end = false;
  return true;
}

Reader::Reader(const std::string& path, const ReaderOptions& options)
    : state_(std::make_unique<State>())
{
  check(options);
  state_->source = detail::open_records(path, options);
}

Reader::Reader(std::unique_ptr<ByteSource> source, std::string name, const ReaderOptions& options)
    : state_(std::make_unique<State>())
{
  check(options);
  state_->source =
      std::make_unique<detail::TextParser>(std::move(source), std::move(name), options);
}

Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

FileFormat Reader::format() const { return state_->source->format(); }

bool Reader::next(Record& record) { return state_->read(record); }

std::size_t Reader::next_batch(Batch& batch, std::size_t max_bytes, std::size_t max_records)
{
  batch.clear();
  State& state = *state_;
  Record& record = state.ahead;
  try {
    while (batch.empty() || batch.size() < max_records) {
      if (!state.has_ahead && !state.read(record)) break;
      state.has_ahead = true;
      if (!batch.empty() && batch.bytes() + record_bytes(record) > max_bytes) break;
      batch.append(record);
      state.has_ahead = false;
    }
  } catch (const Error&) {
    if (batch.empty()) throw;
    state.failure = std::current_exception();
  }
  return batch.size();
}

}  // namespace helicity::seq
