// SPDX-License-Identifier: Apache-2.0
// The real files of data/: what is in them, against plain text processing and samtools.
#include <helicity/seq/reader.hpp>

#include "support.hpp"

#include <set>

namespace helicity::seq {
namespace {

struct Content
{
  std::size_t records = 0;
  std::size_t letters = 0;
};

class RealData : public FileTest
{
 protected:
  static std::string data(const std::string& name)
  {
    return std::string(HELICITY_SOURCE_DIR) + "/data/" + name;
  }

  static Content content(const std::string& name, Alphabet alphabet = Alphabet::dna)
  {
    ReaderOptions options;
    options.alphabet = alphabet;
    Content content;
    for (const Record& record : read_all(Reader(data(name), options))) {
      ++content.records;
      content.letters += record.sequence.size();
    }
    return content;
  }

  static void expect(const std::string& name, std::size_t records, std::size_t letters,
                     Alphabet alphabet = Alphabet::dna)
  {
    const Content got = content(name, alphabet);
    EXPECT_EQ(got.records, records) << name;
    EXPECT_EQ(got.letters, letters) << name;
  }
};

TEST_F(RealData, Sizes)
{
  expect("lambda.fa.gz", 1, 48502);
  expect("phix174.fa.gz", 6, 6 * 5386);
  expect("phix_reads.fq.gz", 1113, 1113 * 35);
  expect("mt_human.fa.gz", 1, 16569);
  expect("mt_orang.fa.gz", 1, 16499);
  expect("lambda_reads.fq.gz", 300, 33014);
  EXPECT_EQ(content("lambda_windows.fa").records, 300u);
  EXPECT_EQ(content("globins.fa", Alphabet::protein).records, 45u);
}

TEST_F(RealData, WindowsAreWhereTheirNamesSay)
{
  const std::string genome = read_all(Reader(data("lambda.fa.gz")))[0].sequence;
  std::set<std::string> names;
  for (const Record& window : read_all(Reader(data("lambda_windows.fa")))) {
    unsigned begin = 0;
    unsigned end = 0;
    ASSERT_EQ(std::sscanf(window.name.c_str(), "NC_001416.1:%u-%u", &begin, &end), 2);
    const std::string part = genome.substr(begin - 1, end - begin + 1);
    const bool backward = window.name.find("/rc") != std::string::npos;
    EXPECT_EQ(window.sequence, backward ? reverse_complement(part) : part);
    EXPECT_TRUE(names.insert(window.name).second);
  }
}

TEST_F(RealData, EqualToSamtools)
{
  if (!have("samtools")) GTEST_SKIP() << "samtools is not installed";
  for (const char* name : {"phix174.fa.gz", "lambda.fa.gz", "mt_orang.fa.gz"}) {
    ASSERT_TRUE(run("zcat " + data(name) +
                    " > a.fa && samtools faidx a.fa && cut -f 1 a.fa.fai > names && "
                    "samtools faidx -n 0 -r names a.fa > b.fa"));
    const auto ours = read_all(Reader(data(name)));
    const auto theirs = read_all(Reader(path("b.fa")));
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
      EXPECT_EQ(ours[i].name, theirs[i].name);
      EXPECT_EQ(ours[i].sequence, theirs[i].sequence);
    }
  }
}

}  // namespace
}  // namespace helicity::seq
