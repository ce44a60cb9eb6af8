// SPDX-License-Identifier: Apache-2.0
#include "writer.hpp"

#include "sam_writer.hpp"
#include "text_writer.hpp"

namespace helicity::app {

std::unique_ptr<Writer> make_writer(const Options& options, const align::ScoreTable& table,
                                    const TargetFile& targets)
{
  switch (options.format) {
    case Format::tsv: return make_tsv_writer(options);
    case Format::paf: return make_paf_writer(options);
    case Format::pretty: return make_pretty_writer(options, table);
    case Format::sam:
    case Format::bam: break;
  }
  return make_sam_writer(options, targets);
}

}  // namespace helicity::app
