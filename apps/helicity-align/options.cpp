// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "choice.hpp"
#include "scheme.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <system_error>

namespace helicity::app {
namespace {

constexpr Choice<Format> formats[] = {{"tsv", Format::tsv},
                                      {"paf", Format::paf},
                                      {"sam", Format::sam},
                                      {"bam", Format::bam},
                                      {"pretty", Format::pretty}};

constexpr const char* footer =
    R"(Files: FASTA or FASTQ (plain, gzip or BGZF), SAM, BAM or CRAM, told apart by content; - is standard
input. A gap of length L costs open + L * extend. tsv and paf count from 0, ends excluded.

Examples:
  helicity-align --mode semi-global --both-strands reads.fq windows.fa
  helicity-align --mode local --all --format sam -o out.sam reads.fq.gz genome.fa
  helicity-align --protein --format pretty query.faa target.faa)";

void add_input_options(CLI::App& app, Options& options)
{
  app.add_option("QUERY", options.query, "Queries")->required()->type_name("FILE");
  app.add_option("TARGET", options.target, "Targets")->required()->type_name("FILE");
  app.add_flag("--all", options.all, "Each query with each target, not the i-th with the i-th");
}

void add_mode_options(CLI::App& app, Options& options, Scheme& scheme, bool& score_only)
{
  app.add_option("--mode", scheme.mode, "global, local or semi-global")->type_name("MODE");
  app.add_option("--free-ends", scheme.free_ends,
                 "Ends that semi-global leaves unaligned at no cost, with commas between: query, "
                 "target, query-begin, query-end, target-begin, target-end, overlap (all)")
      ->type_name("ENDS")
      ->default_str("target");
  app.add_flag("--both-strands", options.config.both_strands,
               "Also try the reverse complement of each query; forward wins a tie");
  app.add_flag("--score-only", score_only, "Compute scores only (tsv)");
}

void add_scoring_options(CLI::App& app, Scheme& scheme)
{
  const align::Scoring dna;
  const auto cost = [&](const char* name, std::optional<int>& value, const char* help,
                        const std::string& shown) {
    app.add_option(name, value, help)->type_name("N")->default_str(shown);
  };
  app.add_option("--alphabet", scheme.alphabet, "dna or protein")
      ->type_name("NAME")
      ->default_str("dna, with a protein matrix protein");
  app.add_flag("--protein", scheme.protein, "The same as --alphabet protein");
  cost("--match", scheme.match, "Score of equal bases", fmt::format("{}", dna.match));
  cost("--mismatch", scheme.mismatch, "Cost of unequal bases", fmt::format("{}", dna.mismatch));
  cost("--n-score", scheme.n_score, "Score where a base is N", "minus --mismatch");
  app.add_option("--matrix", scheme.matrix,
                 "Substitution matrix: BLOSUM45/50/62/80/90, PAM30/70/120/250 or a file of NCBI's "
                 "format")
      ->type_name("NAME|FILE")
      ->default_str(fmt::format("dna none, protein {}", default_protein_matrix));
  cost("--gap-open", scheme.gap_open, "Cost of a gap, besides its letters",
       fmt::format("dna {}, protein {}", dna.gap_open, default_protein_gap_open));
  cost("--gap-extend", scheme.gap_extend, "Cost of each letter of a gap",
       fmt::format("dna {}, protein {}", dna.gap_extend, default_protein_gap_extend));
  app.add_flag("--blast-gaps", scheme.blast_gaps,
               "Read --gap-open as the cost of a gap's first letter: open + (L - 1) * extend");
}

void add_output_options(CLI::App& app, Options& options, std::string& format)
{
  app.add_option("--format", format, "tsv, paf, sam, bam or pretty")->type_name("FORMAT");
  app.add_flag("--cigar-m,!--eqx", options.match_op, "Write M in CIGARs instead of = and X");
  app.add_option("-o,--output", options.output, "Output file; - is standard output")
      ->type_name("FILE");
  app.add_option("--metrics", options.metrics, "Write counts, times and memory to a JSON file")
      ->type_name("FILE");
  app.add_flag("--strict", options.strict, "Exit with 2 if a pair could not be aligned");
}

void check(const Options& options, bool score_only)
{
  if (score_only && options.format != Format::tsv)
    throw UsageError("--score-only writes tsv only: the other formats hold alignments");
  if (options.query == "-" && options.target == "-")
    throw UsageError("QUERY and TARGET cannot both be standard input");
  for (const std::string& input : {options.query, options.target}) {
    std::error_code missing;
    if (std::filesystem::is_regular_file(input, missing) &&
        std::filesystem::equivalent(input, options.output, missing))
      throw UsageError(fmt::format("-o {} would replace an input", options.output));
  }
}

std::string command_line(int argc, const char* const* argv)
{
  const std::vector<std::string_view> words(argv, argv + argc);
  return join(words, " ");
}

}  // namespace

Options parse_options(int argc, const char* const* argv)
{
  Options options;
  Scheme scheme;
  std::string format = "tsv";
  bool score_only = false;

  CLI::App app("Exact alignment of pairs of sequences, on CPU or GPU", "helicity-align");
  set_up(app);
  add_input_options(app, options);
  app.option_defaults()->group("Alignment");
  add_mode_options(app, options, scheme, score_only);
  app.option_defaults()->group("Scoring");
  add_scoring_options(app, scheme);
  app.option_defaults()->group("Output");
  add_output_options(app, options, format);
  app.option_defaults()->group("Run");
  add_exec_options(app, options.config.exec);
  add_verbosity_options(app, options.verbosity);
  app.footer(footer);
  parse(app, argc, argv);

  options.format = choose<Format>("--format", format, formats);
  options.config.output = score_only ? align::Output::score : align::Output::cigar;
  check(options, score_only);
  options.alphabet = resolve_scheme(scheme, options.config);
  options.command_line = command_line(argc, argv);
  return options;
}

}  // namespace helicity::app
