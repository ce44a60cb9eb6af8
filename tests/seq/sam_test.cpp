// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/sam.hpp>

#include <helicity/core/error.hpp>

#include "support.hpp"

#if defined(__SANITIZE_ADDRESS__)
/// htslib 1.16: bgzf_close frees nothing when the last flush fails, as on a full disk.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhts.so"; }
#endif

namespace helicity::seq {
namespace {

constexpr std::uint32_t op(std::uint32_t length, char letter)
{
  return length << 4 | static_cast<std::uint32_t>(std::string_view("MIDNSHP=X").find(letter));
}

class SamFile : public FileTest
{
 protected:
  static SamHeader header()
  {
    return {{{"chr1", 1000}, {"chr2", 2147483647}}, "helicity-align", "0.1", "helicity-align a\tb"};
  }

  void write_two(const std::string& file, AlignmentFormat format, int threads = 1) const
  {
    AlignmentFileWriter writer(file, format, header(), threads);
    const std::vector<std::uint32_t> cigar{op(3, '='), op(1, 'X'), op(1, 'D'), op(2, 'S')};
    SamRecord record;
    record.name = "read1";
    record.flag = 16;
    record.reference = 1;
    record.position = 9;
    record.cigar = cigar;
    record.sequence = "ACGuNR";
    record.quality = "!I~5AB";
    record.edit_distance = 2;
    record.score = -300;
    record.mismatches = "3A0^C0";
    writer.write(record);
    SamRecord unmapped;
    unmapped.name = "read2";
    unmapped.sequence = "acgt";
    unmapped.mapping_quality = 0;
    writer.write(unmapped);
    writer.finish();
  }

  static constexpr const char* text_ =
      "@HD\tVN:1.6\tSO:unknown\n@SQ\tSN:chr1\tLN:1000\n@SQ\tSN:chr2\tLN:2147483647\n"
      "@PG\tID:helicity-align\tPN:helicity-align\tVN:0.1\tCL:helicity-align a b\n"
      "read1\t16\tchr2\t10\t255\t3=1X1D2S\t*\t0\t0\tACGTNR\t!I~5AB\tNM:i:2\tAS:i:-300\tMD:Z:3A0^"
      "C0\n"
      "read2\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\t*\n";
};

TEST_F(SamFile, SamText)
{
  write_two(path("a.sam"), AlignmentFormat::sam);
  EXPECT_EQ(read(path("a.sam")), text_);
}

TEST_F(SamFile, BamSaysTheSame)
{
  if (!have("samtools")) GTEST_SKIP() << "samtools is not installed";
  for (const int threads : {1, 3}) {
    write_two(path("a.bam"), AlignmentFormat::bam, threads);
    ASSERT_TRUE(run("samtools quickcheck a.bam && samtools view --no-PG -h -o b.sam a.bam"));
    EXPECT_EQ(read(path("b.sam")), text_);
  }
}

TEST_F(SamFile, CigarOfManyOperations)
{
  if (!have("samtools")) GTEST_SKIP() << "samtools is not installed";
  std::vector<std::uint32_t> cigar;
  std::string want;
  for (int i = 0; i < 40000; ++i) {
    cigar.push_back(op(1, 'M'));
    cigar.push_back(op(1, 'D'));
    want += "1M1D";
  }
  cigar.pop_back();
  want.resize(want.size() - 2);
  SamRecord record;
  record.name = "many";
  record.flag = 0;
  record.reference = 1;
  record.position = 0;
  record.cigar = cigar;
  const std::string sequence(40000, 'A');
  record.sequence = sequence;
  AlignmentFileWriter writer(path("a.bam"), AlignmentFormat::bam, header());
  writer.write(record);
  writer.finish();
  ASSERT_TRUE(
      run("samtools quickcheck a.bam && samtools view a.bam | cut -f 6 | tr -d '\\n' > cigar"));
  EXPECT_EQ(read(path("cigar")), want);
}

TEST_F(SamFile, NothingIsLeftWithoutFinish)
{
  {
    AlignmentFileWriter writer(path("a.bam"), AlignmentFormat::bam, header());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(SamFile, RecordsThatDoNotFitAreRefused)
{
  AlignmentFileWriter writer(path("a.sam"), AlignmentFormat::sam, header());
  SamRecord record;
  record.name = "r";
  record.sequence = "ACGT";
  writer.write(record);
  const std::string long_name(255, 'r');
  for (const std::string& name :
       {std::string(), long_name, std::string("a b"), std::string("a\tb")}) {
    SamRecord bad = record;
    bad.name = name;
    EXPECT_THROW(writer.write(bad), InputError) << name;
  }
  SamRecord bad = record;
  bad.quality = "II";
  EXPECT_THROW(writer.write(bad), InputError);
  bad = record;
  bad.sequence = "MEEP";
  EXPECT_THROW(writer.write(bad), InputError);
  bad = record;
  bad.flag = 0;
  bad.reference = 0;
  bad.position = 0;
  const std::vector<std::uint32_t> cigar{op(3, 'M')};
  bad.cigar = cigar;
  EXPECT_THROW(writer.write(bad), InputError);
  bad = record;
  bad.reference = 2;
  EXPECT_THROW(writer.write(bad), UsageError);
  writer.write(record);  // still usable
  writer.finish();
  EXPECT_THROW(writer.write(record), UsageError);
}

TEST_F(SamFile, ReferencesAreChecked)
{
  const auto open = [this](std::vector<SamReference> references) {
    AlignmentFileWriter(path("a.sam"), AlignmentFormat::sam, {std::move(references), "p", "", ""});
  };
  EXPECT_THROW(open({{"a", 1}, {"a", 2}}), InputError);
  EXPECT_THROW(open({{"", 1}}), InputError);
  EXPECT_THROW(open({{"a,b", 1}}), InputError);
  EXPECT_THROW(open({{"*", 1}}), InputError);
  EXPECT_THROW(open({{"a", 0}}), InputError);
  EXPECT_THROW(open({{"a", std::int64_t{1} << 31}}), InputError);
  EXPECT_NO_THROW(open({{"gi|1*=a:b", 1}}));
  EXPECT_NO_THROW(open({}));
}

TEST_F(SamFile, WhereNothingCanBeWritten)
{
  EXPECT_THROW(AlignmentFileWriter(path("none/a.sam"), AlignmentFormat::sam, header()),
               RuntimeFault);
  if (!std::filesystem::exists("/dev/full")) return;
  EXPECT_THROW(write_two("/dev/full", AlignmentFormat::sam), RuntimeFault);
  EXPECT_THROW(write_two("/dev/full", AlignmentFormat::bam), RuntimeFault);
}

}  // namespace
}  // namespace helicity::seq
