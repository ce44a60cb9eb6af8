// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

#include <helicity/core/error.hpp>
#include <helicity/core/memory_usage.hpp>
#include <helicity/seq/reader.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace helicity::app {
namespace {

/// Enough for all lanes of all threads, little enough to stay in memory several times over.
constexpr std::size_t batch_records = 32768;
constexpr std::size_t batch_bytes = std::size_t{8} << 20;
constexpr double batch_cells = 8e9;
constexpr std::size_t few_pairs = 256;  ///< so many pairs are gathered whatever their cells

/// Counts what a piece holds; a path of m by n letters has at most 2 * min(m, n) + 1 CIGAR words.
class Gauge
{
 public:
  void add(const seq::RecordView& query, const seq::RecordView& target)
  {
    const std::size_t m = query.sequence.size(), n = target.sequence.size();
    ++pairs_;
    path_bytes_ += 8 * std::min(m, n);
    cells_ += static_cast<double>(m) * static_cast<double>(n);
  }

  bool full() const
  {
    return pairs_ >= batch_records || path_bytes_ >= 8 * batch_bytes ||
           (pairs_ >= few_pairs && cells_ >= batch_cells);
  }

 private:
  std::size_t pairs_ = 0;
  std::size_t path_bytes_ = 0;
  double cells_ = 0;
};

/// The i-th query with the i-th target.
class PairedSource final : public PairSource
{
 public:
  PairedSource(const Options& options, const TargetFile& targets)
      : query_name_(options.query),
        target_name_(options.target),
        queries_(options.query, reader_options(options)),
        targets_(targets.open())
  {}

  bool next(Work& work) override
  {
    auto queries = std::make_shared<seq::Batch>();
    auto targets = std::make_shared<seq::Batch>();
    while (queries->size() < batch_records && queries->bytes() + targets->bytes() < batch_bytes) {
      const bool more_queries = queries_.next(query_);
      const bool more_targets = targets_.next(target_);
      if (more_queries != more_targets) fail(more_queries);
      if (!more_queries) break;
      queries->append(query_);
      targets->append(target_);
      ++count_;
    }
    work = {};
    for (std::uint32_t i = 0; i < queries->size(); ++i) work.pairs.push_back({i, i});
    work.queries = std::move(queries);
    work.targets = std::move(targets);
    return !work.pairs.empty();
  }

 private:
  /// Counts the rest of the longer file to say by how much they differ.
  [[noreturn]] void fail(bool more_queries)
  {
    std::uint64_t longer = count_ + 1;
    while (more_queries ? queries_.next(query_) : targets_.next(target_)) ++longer;
    throw InputError(fmt::format(
        "{} has {} sequences, {} has {}: pairs need as many of one as of the other, or --all",
        query_name_, more_queries ? longer : count_, target_name_, more_queries ? count_ : longer));
  }

  std::string query_name_, target_name_;
  seq::Reader queries_, targets_;
  seq::Record query_, target_;
  std::uint64_t count_ = 0;
};

/// Each query with each target. The targets stay in memory if they fit a share of the budget, else
/// their file is read again for each query; the order of pairs is the same.
class AllSource final : public PairSource
{
 public:
  AllSource(const Options& options, const TargetFile& targets)
      : file_(targets), queries_(options.query, reader_options(options))
  {
    const std::size_t memory = options.config.exec.memory;
    keep_ = load_targets((memory != 0 ? memory : available_bytes()) / 4);
  }

  bool next(Work& work) override
  {
    work = {};
    Gauge gauge;
    while (advance()) {
      if (work.pairs.empty()) {
        work.queries = query_batch_;
        work.targets = target_batch_;
      }
      if (work.queries != query_batch_ || work.targets != target_batch_) break;
      work.pairs.push_back({query_, target_});
      gauge.add((*query_batch_)[query_], (*target_batch_)[target_]);
      ++target_;
      if (gauge.full()) break;
    }
    return !work.pairs.empty();
  }

 private:
  /// Reads all targets if they fit `budget` bytes.
  bool load_targets(std::size_t budget)
  {
    auto batch = std::make_shared<seq::Batch>();
    seq::Reader reader = file_.open();
    for (seq::Record record; reader.next(record);) {
      batch->append(record);
      if (batch->bytes() > budget) return false;
    }
    target_batch_ = std::move(batch);
    return true;
  }

  /// Makes (query_, target_) the next pair; false at the end.
  bool advance()
  {
    for (;;) {
      if (!query_batch_ || query_ == query_batch_->size()) {
        if (!read_queries()) return false;
      }
      if (keep_ ? target_ < target_batch_->size() : find_target()) return true;
      ++query_;
      target_ = 0;
      targets_.reset();
    }
  }

  bool read_queries()
  {
    auto batch = std::make_shared<seq::Batch>();
    query_ = 0;
    const bool any = queries_.next_batch(*batch, batch_bytes, batch_records) > 0;
    query_batch_ = std::move(batch);
    return any;
  }

  /// Streams the targets for the current query.
  bool find_target()
  {
    if (targets_ && target_ < target_batch_->size()) return true;
    if (!targets_) targets_ = std::make_unique<seq::Reader>(file_.open());
    auto batch = std::make_shared<seq::Batch>();
    target_ = 0;
    const bool any = targets_->next_batch(*batch, batch_bytes, batch_records) > 0;
    target_batch_ = std::move(batch);
    return any;
  }

  const TargetFile& file_;
  seq::Reader queries_;
  std::unique_ptr<seq::Reader> targets_;  ///< while they are streamed
  std::shared_ptr<const seq::Batch> query_batch_, target_batch_;
  std::uint32_t query_ = 0, target_ = 0;
  bool keep_ = false;
};

}  // namespace

std::unique_ptr<PairSource> make_source(const Options& options, const TargetFile& targets)
{
  if (options.all) return std::make_unique<AllSource>(options, targets);
  return std::make_unique<PairedSource>(options, targets);
}

}  // namespace helicity::app
