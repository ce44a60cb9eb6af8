// SPDX-License-Identifier: Apache-2.0
// Files: compression, standard input, SAM, BAM and CRAM. The oracles are gzip, bgzip and samtools.
#include <helicity/seq/reader.hpp>

#include <helicity/core/error.hpp>

#include "support.hpp"

#include <unistd.h>

#include <cstdio>

namespace helicity::seq {
namespace {

class ReaderFile : public FileTest
{
 protected:
  void SetUp() override
  {
    FileTest::SetUp();
    unsigned state = 1;
    for (int i = 0; i < 3000; ++i) {
      text_.append("@r").append(std::to_string(i)).append(" c\n");
      std::string quality;
      for (int k = 0; k < 100; ++k) {
        state = state * 1664525u + 1013904223u;
        text_ += "ACGT"[state >> 30];
        quality += static_cast<char>('!' + (state >> 24) % 40);
      }
      text_.append("\n+\n").append(quality).append("\n");
    }
    write("r.fq", text_);
  }

  std::string read_back(const std::string& file, const ReaderOptions& options = {}) const
  {
    std::string result;
    for (const Record& r : read_all(Reader(file, options)))
      result.append("@")
          .append(r.name)
          .append(" ")
          .append(r.comment)
          .append("\n")
          .append(r.sequence)
          .append("\n+\n")
          .append(r.quality)
          .append("\n");
    return result;
  }

  std::string failure(const std::string& file, const ReaderOptions& options = {}) const
  {
    try {
      read_all(Reader(file, options));
    } catch (const InputError& error) {
      const std::string text = error.what();
      return text.rfind(folder_.string() + "/", 0) == 0 ? text.substr(folder_.string().size() + 1)
                                                        : text;
    }
    return "";
  }

  void cut(const std::string& from, const std::string& to, std::size_t size) const
  {
    write(to, read(path(from)).substr(0, size));
  }

  std::string text_;
};

TEST_F(ReaderFile, Plain) { EXPECT_EQ(read_back(path("r.fq")), text_); }

TEST_F(ReaderFile, Gzip)
{
  ASSERT_TRUE(run("gzip -k r.fq"));
  EXPECT_EQ(read_back(path("r.fq.gz")), text_);
  ASSERT_TRUE(run("cat r.fq.gz r.fq.gz > two.gz"));  // members end to end are one file
  EXPECT_EQ(read_back(path("two.gz")), text_ + text_);
}

TEST_F(ReaderFile, Bgzf)
{
  if (!have("bgzip")) GTEST_SKIP() << "bgzip (tabix) is not installed";
  ASSERT_TRUE(run("bgzip -c r.fq > r.bgz"));
  EXPECT_EQ(read_back(path("r.bgz")), text_);
  ReaderOptions options;
  options.threads = 3;
  EXPECT_EQ(read_back(path("r.bgz"), options), text_);
}

TEST_F(ReaderFile, NamesDoNotMatterContentDoes)
{
  ASSERT_TRUE(run("cp r.fq looks.bam && gzip -c r.fq > looks.fa"));
  EXPECT_EQ(read_back(path("looks.bam")), text_);
  EXPECT_EQ(read_back(path("looks.fa")), text_);
}

TEST_F(ReaderFile, TruncatedGzip)
{
  ASSERT_TRUE(run("gzip -k r.fq"));
  const std::size_t size = std::filesystem::file_size(path("r.fq.gz"));
  for (const std::size_t kept : {size / 2, size - 1, size - 8, std::size_t{40}}) {
    cut("r.fq.gz", "cut.gz", kept);
    const std::string message = failure(path("cut.gz"));
    EXPECT_EQ(message.rfind("cut.gz", 0), 0u) << message;
    EXPECT_NE(message.find("truncated or damaged"), std::string::npos) << message;
  }
  cut("r.fq.gz", "half.gz", size / 2);
  EXPECT_NE(failure(path("half.gz")).find("half.gz:record 1"), std::string::npos)
      << failure(path("half.gz"));
  cut("r.fq.gz", "head.gz", 5);
  EXPECT_EQ(failure(path("head.gz")), "head.gz: truncated: the gzip header is not complete");
}

TEST_F(ReaderFile, DamagedGzip)
{
  ASSERT_TRUE(run("gzip -k r.fq"));
  std::string bytes = read(path("r.fq.gz"));
  bytes[bytes.size() - 6] ^= 1;  // the checksum
  write("sum.gz", bytes);
  EXPECT_NE(failure(path("sum.gz")).find("truncated or damaged"), std::string::npos);
}

TEST_F(ReaderFile, TruncatedBgzf)
{
  if (!have("bgzip")) GTEST_SKIP() << "bgzip (tabix) is not installed";
  ASSERT_TRUE(run("bgzip -c r.fq > r.bgz"));
  const std::size_t size = std::filesystem::file_size(path("r.bgz"));
  for (const int threads : {1, 2}) {
    ReaderOptions options;
    options.threads = threads;
    cut("r.bgz", "noeof.bgz", size - 28);  // whole blocks, but not the last, empty one
    EXPECT_EQ(
        failure(path("noeof.bgz"), options),
        "noeof.bgz:record 3001, line 12001: truncated: the BGZF end-of-file block is missing");
    cut("r.bgz", "half.bgz", size / 2);
    EXPECT_NE(failure(path("half.bgz"), options).find("truncated"), std::string::npos)
        << failure(path("half.bgz"), options);
  }
}

TEST_F(ReaderFile, EmptyFiles)
{
  write("empty", "");
  EXPECT_EQ(Reader(path("empty")).format(), FileFormat::empty);
  EXPECT_EQ(read_back(path("empty")), "");
  ASSERT_TRUE(run("gzip -k empty"));
  EXPECT_EQ(read_back(path("empty.gz")), "");
}

TEST_F(ReaderFile, WhatCannotBeOpened)
{
  EXPECT_EQ(failure(path("none.fa")), "none.fa: No such file or directory");
  EXPECT_NE(failure(folder_.string()).find("Is a directory"), std::string::npos);
}

TEST_F(ReaderFile, OtherFormatsAreNamed)
{
  write("a.vcf", "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n");
  EXPECT_NE(failure(path("a.vcf")).find("VCF"), std::string::npos) << failure(path("a.vcf"));
  if (have("xz")) {
    ASSERT_TRUE(run("xz -k r.fq"));
    EXPECT_NE(failure(path("r.fq.xz")).find("expected FASTA or FASTQ (plain, gzip or BGZF)"),
              std::string::npos);
  }
  write("junk", std::string("\x7f"
                            "ELF\0\0\0",
                            7));
  EXPECT_NE(failure(path("junk")).find("'\\x7f': expected '>'"), std::string::npos)
      << failure(path("junk"));
}

TEST_F(ReaderFile, StandardInput)
{
  const int saved = dup(0);
  ASSERT_TRUE(run("gzip -k r.fq"));
  for (const char* name : {"r.fq", "r.fq.gz"}) {
    std::FILE* file = std::fopen(path(name).c_str(), "rb");
    ASSERT_NE(file, nullptr);
    dup2(fileno(file), 0);
    EXPECT_EQ(read_back("-"), text_);
    std::fclose(file);
    dup2(saved, 0);
  }
  close(saved);
}

class ReaderAlignments : public ReaderFile
{
 protected:
  static constexpr const char* sam_ =
      "@HD\tVN:1.6\tSO:unknown\n@SQ\tSN:chr\tLN:100\n"
      "forward\t0\tchr\t1\t60\t4M\t*\t0\t0\tACGR\tABC~\n"
      "reverse\t16\tchr\t5\t60\t5M\t*\t0\t0\tAACGN\t!+5?I\n"
      "second\t256\tchr\t9\t0\t4M\t*\t0\t0\t*\t*\n"
      "part\t2048\tchr\t9\t0\t1S3M\t*\t0\t0\tACGT\tIIII\n"
      "bare\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\t*\n"
      "empty\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\n";
  static constexpr const char* shown_ =
      "forward||ACGR|ABC~\nreverse||NCGTT|I?5+!\nbare||ACGT|\nempty|||\n";

  void SetUp() override
  {
    ReaderFile::SetUp();
    if (!have("samtools")) GTEST_SKIP() << "samtools is not installed";
    write("a.sam", sam_);
  }

  static std::string shown(const std::string& file, const ReaderOptions& options = {})
  {
    std::string result;
    for (const Record& record : read_all(Reader(file, options))) result += show(record) + "\n";
    return result;
  }
};

TEST_F(ReaderAlignments, Sam)
{
  EXPECT_EQ(Reader(path("a.sam")).format(), FileFormat::sam);
  EXPECT_EQ(shown(path("a.sam")), shown_);
}

TEST_F(ReaderAlignments, Bam)
{
  ASSERT_TRUE(run("samtools view -b -o a.bam a.sam"));
  EXPECT_EQ(Reader(path("a.bam")).format(), FileFormat::bam);
  EXPECT_EQ(shown(path("a.bam")), shown_);
  ReaderOptions options;
  options.threads = 2;
  EXPECT_EQ(shown(path("a.bam"), options), shown_);
}

TEST_F(ReaderAlignments, Cram)
{
  ASSERT_TRUE(run("samtools import -0 r.fq -O cram -o r.cram 2>/dev/null"));
  EXPECT_EQ(Reader(path("r.cram")).format(), FileFormat::cram);
  std::string want;
  for (const Record& record : read_all(Reader(path("r.fq"))))
    want += record.name + "||" + record.sequence + "|" + record.quality + "\n";
  EXPECT_EQ(shown(path("r.cram")), want);
  const std::size_t size = std::filesystem::file_size(path("r.cram"));
  cut("r.cram", "cut.cram", size / 2);
  EXPECT_NE(failure(path("cut.cram")).find("truncated"), std::string::npos);
}

TEST_F(ReaderAlignments, UnalignedBam)
{
  ASSERT_TRUE(run("samtools import -0 r.fq -o r.bam 2>/dev/null"));
  const auto reads = read_all(Reader(path("r.fq")));
  const auto same = read_all(Reader(path("r.bam")));
  ASSERT_EQ(same.size(), reads.size());
  for (std::size_t i = 0; i < reads.size(); ++i) {
    ASSERT_EQ(same[i].name, reads[i].name);
    ASSERT_EQ(same[i].sequence, reads[i].sequence);
    ASSERT_EQ(same[i].quality, reads[i].quality);
  }
}

TEST_F(ReaderAlignments, TruncatedBam)
{
  ASSERT_TRUE(run("samtools import -0 r.fq -o r.bam 2>/dev/null"));
  const std::size_t size = std::filesystem::file_size(path("r.bam"));
  cut("r.bam", "cut.bam", size / 2);
  EXPECT_NE(failure(path("cut.bam")).find("cut.bam:record "), std::string::npos)
      << failure(path("cut.bam"));
  for (const int threads : {1, 2}) {
    ReaderOptions options;
    options.threads = threads;
    cut("r.bam", "noeof.bam", size - 28);
    EXPECT_EQ(failure(path("noeof.bam"), options),
              "noeof.bam:record 3001: truncated: the BGZF end-of-file block is missing");
  }
}

TEST_F(ReaderAlignments, MalformedSam)
{
  write("bad.sam", std::string(sam_) + "broken\t4\t*\n");
  EXPECT_NE(failure(path("bad.sam")).find("bad.sam:record 7: truncated or malformed record"),
            std::string::npos)
      << failure(path("bad.sam"));
}

TEST_F(ReaderAlignments, ReadsAreNoProteins)
{
  ReaderOptions options;
  options.alphabet = Alphabet::protein;
  EXPECT_NE(failure(path("a.sam"), options).find("expected proteins"), std::string::npos);
}

TEST_F(ReaderAlignments, LengthLimit)
{
  ReaderOptions options;
  options.max_length = 4;
  EXPECT_EQ(failure(path("a.sam"), options),
            "a.sam:record 2 (reverse): the sequence is longer than 4 letters");
}

}  // namespace
}  // namespace helicity::seq
