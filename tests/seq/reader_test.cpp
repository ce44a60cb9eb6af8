// SPDX-License-Identifier: Apache-2.0
#include <helicity/seq/reader.hpp>

#include <helicity/core/error.hpp>

#include "support.hpp"

#include <random>

namespace helicity::seq {
namespace {

std::string shown(const std::string& text, std::size_t chunk = 1 << 20)
{
  std::string result;
  for (const Record& record : read_all(text_reader(text, chunk))) result += show(record) + "\n";
  return result;
}

TEST(Reader, Fasta)
{
  EXPECT_EQ(shown(">a first one\nACGT\nacgu\n>b\nNRY\n"), "a|first one|ACGTacgu|\nb||NRY|\n");
}

TEST(Reader, FastaOddities)
{
  EXPECT_EQ(shown(">a\r\nAC\r\nGT\r\n"), "a||ACGT|\n");                          // CRLF
  EXPECT_EQ(shown(">a\nACGT"), "a||ACGT|\n");                                    // no last newline
  EXPECT_EQ(shown(">a\n>b\nA\n>c"), "a|||\nb||A|\nc|||\n");                      // empty sequences
  EXPECT_EQ(shown("\n\r\n>a\n\nAC\n\n\nGT\n\n>b\nA\n\n"), "a||ACGT|\nb||A|\n");  // blank lines
  EXPECT_EQ(shown(">a\nAC \t\nGT\t \r\n"), "a||ACGT|\n");                        // trailing blanks
  EXPECT_EQ(shown(">\nA\n"), "||A|\n");                                          // no name
  EXPECT_EQ(shown("> a  b\tc \nA\n"), "a|b\tc|A|\n");  // blank before the name
  EXPECT_EQ(shown(">a >b @c\nA\n"), "a|>b @c|A|\n");
  EXPECT_EQ(shown(">gi\x01gj x\nA\n"), "gi\x01gj|x|A|\n");  // as in NCBI's nr
}

TEST(Reader, Fastq)
{
  EXPECT_EQ(shown("@r one\nACGT\n+\n!~@>\n@s\nA\n+s\n+\n"), "r|one|ACGT|!~@>\ns||A|+\n");
  EXPECT_EQ(shown("@r\r\nAC\r\n+\r\nII\r\n\r\n@s\r\nA\r\n+\r\nI"), "r||AC|II\ns||A|I\n");
}

TEST(Reader, FastqOnSeveralLines)
{
  EXPECT_EQ(shown("@r\nAC\nGT\n+\n@@\n+@\n@s\nA\n+\n@\n"), "r||ACGT|@@+@\ns||A|@\n");
}

TEST(Reader, FastqEmptyRead)
{
  EXPECT_EQ(shown("@r\n\n+\n\n@s\nA\n+\nI\n"), "r|||\ns||A|I\n");
  EXPECT_EQ(shown("@r\n+\n@s\n+"), "r|||\ns|||\n");
  const auto records = read_all(text_reader("@r\n\n+\n\n"));
  ASSERT_EQ(records.size(), 1u);
  EXPECT_TRUE(records[0].has_quality);
  EXPECT_FALSE(read_all(text_reader(">r\n"))[0].has_quality);
}

TEST(Reader, EmptyInputHasNoRecord)
{
  for (const char* text : {"", "\n", " \r\n\n"}) {
    Reader reader = text_reader(text);
    EXPECT_EQ(reader.format(), FileFormat::empty);
    Record record;
    EXPECT_FALSE(reader.next(record));
    EXPECT_FALSE(reader.next(record));
  }
}

TEST(Reader, FormatIsFoundByContent)
{
  EXPECT_EQ(text_reader(">a").format(), FileFormat::fasta);
  EXPECT_EQ(text_reader("\n@a").format(), FileFormat::fastq);
  EXPECT_EQ(failure_of("\nACGT\n"),
            "text:line 2: 'A': expected '>' (FASTA), '@' (FASTQ), or a SAM, BAM or CRAM file");
}

TEST(Reader, BadLettersAreLocated)
{
  const std::string dna = ": expected A C G T U N or an IUPAC code (RYSWKMBDHV)";
  EXPECT_EQ(failure_of(">a\nACGT\n>b c\nAC\nGxT\n"),
            "text:record 2 (b), line 5: letter 'x' at position 4" + dna);
  EXPECT_EQ(failure_of(">a\nAC-T\n"), "text:record 1 (a), line 2: letter '-' at position 3" + dna);
  EXPECT_EQ(failure_of(">a\nA.\n"), "text:record 1 (a), line 2: letter '.' at position 2" + dna);
  EXPECT_EQ(failure_of(">a\nA C\n"), "text:record 1 (a), line 2: letter ' ' at position 2" + dna);
  EXPECT_EQ(failure_of(std::string(">a\nA\0C\n", 7)),
            "text:record 1 (a), line 2: letter '\\x00' at position 2" + dna);
  EXPECT_EQ(failure_of(">\n\xff\n"), "text:record 1, line 2: letter '\\xff' at position 1" + dna);
  EXPECT_EQ(failure_of(">a\n@b\n"), "text:record 1 (a), line 2: letter '@' at position 1" + dna);
  EXPECT_EQ(failure_of("@a\nAC!\n+\nIII\n"),
            "text:record 1 (a), line 2: letter '!' at position 3" + dna);
}

TEST(Reader, ProteinLetters)
{
  ReaderOptions options;
  options.alphabet = Alphabet::protein;
  EXPECT_EQ(failure_of(">a\nARNDCQEGHILKMFPSTWYVBZX*UOJarndcqeghilkmfpstwyvbzxuoj\n", options), "");
  EXPECT_EQ(failure_of(">a\nAR1\n", options),
            "text:record 1 (a), line 2: letter '1' at position 3: expected an amino acid letter "
            "(A-Z) or *");
}

TEST(Reader, MalformedFastqIsLocated)
{
  EXPECT_EQ(failure_of("@a\nACGT\n"),
            "text:record 1 (a), line 2: the file ends: expected '+' after the sequence");
  EXPECT_EQ(failure_of("@a\nACGT\n@b\nA\n+\nI\n"),
            "text:record 1 (a), line 3: '@': expected '+' and a line of qualities before the next "
            "record");
  EXPECT_EQ(failure_of("@a\nACGT\n+\nIII\n"),
            "text:record 1 (a), line 4: the file ends after 3 qualities: expected 4");
  EXPECT_EQ(failure_of("@a\nACGT\n+\nIIIII\n"),
            "text:record 1 (a), line 4: more qualities than letters: expected 4");
  EXPECT_EQ(failure_of("@a\nACGT\n+\nIII\n@b\nA\n+\nI\n"),
            "text:record 1 (a), line 5: more qualities than letters: expected 4");
  EXPECT_EQ(
      failure_of("@a\nAC\n+\nI\x1f\n"),
      "text:record 1 (a), line 4: quality '\\x1f' at position 2: expected '!' to '~' (Phred + 33)");
  EXPECT_EQ(failure_of("@a\nA\n+\nI\n>b\nA\n"),
            "text:record 2, line 5: '>': expected '@' and the name of the next record");
  EXPECT_EQ(failure_of("@a\nA\n+\nI\njunk"),
            "text:record 2, line 5: 'j': expected '@' and the name of the next record");
}

TEST(Reader, BadHeadersAreLocated)
{
  EXPECT_EQ(failure_of(std::string(">a\0b\nA\n", 7)),
            "text:record 1, line 1: byte '\\x00' in the header");
  EXPECT_EQ(failure_of(">a\rACGT\r"),
            "text:record 1, line 1: carriage return inside the header: expected lines that end in "
            "LF or CRLF");
  EXPECT_EQ(failure_of(">" + std::string((16 << 20) + 1, 'a')),
            "text:record 1, line 1: the header is longer than 16 MiB");
}

TEST(Reader, LengthLimit)
{
  ReaderOptions options;
  options.max_length = 10;
  EXPECT_EQ(failure_of(">a\nACGTA\nCGTAC  \r\n", options), "");
  EXPECT_EQ(failure_of(">a\nACGTA\nCGTACG\n", options),
            "text:record 1 (a), line 3: the sequence is longer than 10 letters");
  EXPECT_EQ(failure_of(">a\n" + std::string(100000, 'A'), options),
            "text:record 1 (a), line 2: the sequence is longer than 10 letters");
  options.max_length = 0;
  EXPECT_THROW(text_reader("", 1, options), UsageError);
  options.max_length = std::int64_t{1} << 31;
  EXPECT_THROW(text_reader("", 1, options), UsageError);
  options = {};
  options.threads = 0;
  EXPECT_THROW(text_reader("", 1, options), UsageError);
}

TEST(Reader, StaysAtItsEndAfterAnError)
{
  Reader reader = text_reader(">a\n-\n>b\nA\n");
  Record record;
  EXPECT_THROW(reader.next(record), InputError);
  EXPECT_FALSE(reader.next(record));
}

TEST(Reader, VeryLongLine)
{
  std::string text = ">long\n";
  text.append(std::size_t{100} << 20, 'A');
  text += "\n>b\nC\n";
  const auto records = read_all(text_reader(text));
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].sequence, std::string(std::size_t{100} << 20, 'A'));
  EXPECT_EQ(show(records[1]), "b||C|");
}

/// Random records, and the same ones written as a file with random line widths and line ends.
struct RandomFile
{
  std::vector<Record> records;
  std::string text;
};

std::string wrap(std::mt19937& random, const std::string& letters, const std::string& end)
{
  std::string text;
  const std::size_t width = 1 + random() % (letters.size() + 2);
  for (std::size_t i = 0; i < letters.size(); i += width) text += letters.substr(i, width) + end;
  return text.empty() ? end : text;
}

RandomFile random_file(std::mt19937& random, bool fastq)
{
  RandomFile file;
  const std::string end = random() % 2 ? "\n" : "\r\n";
  for (std::size_t i = random() % 20 + 1; i > 0; --i) {
    Record record;
    record.name = std::string("r").append(std::to_string(random()));
    if (random() % 2) record.comment.append("some comment > @ + ").append(std::to_string(random()));
    record.sequence.resize(random() % 4 ? random() % 200 : 0);
    for (char& c : record.sequence) c = "ACGTNUacgtnuRYSWKMBDHV"[random() % 22];
    record.has_quality = fastq;
    if (fastq) record.quality.resize(record.sequence.size());
    for (char& c : record.quality) c = static_cast<char>('!' + random() % 94);
    file.text.append(fastq ? "@" : ">").append(record.name);
    if (!record.comment.empty()) file.text.append(" ").append(record.comment);
    file.text += end + wrap(random, record.sequence, end);
    if (fastq) file.text.append("+").append(end).append(wrap(random, record.quality, end));
    file.records.push_back(record);
  }
  if (random() % 2) file.text.resize(file.text.size() - end.size());
  return file;
}

void expect_equal(const std::vector<Record>& got, const std::vector<Record>& want)
{
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(show(got[i]), show(want[i]));
    ASSERT_EQ(got[i].has_quality, want[i].has_quality);
  }
}

TEST(Reader, RandomFilesInEveryChunkSize)
{
  std::mt19937 random(4);
  for (int round = 0; round < 400; ++round) {
    const RandomFile file = random_file(random, round % 2 == 0);
    for (const std::size_t chunk : {1u, 2u, 3u, 7u, 64u, 1u << 20})
      expect_equal(read_all(text_reader(file.text, chunk)), file.records);
  }
}

TEST(Reader, BatchesHoldTheSameRecords)
{
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    const RandomFile file = random_file(random, round % 2 == 0);
    const std::size_t max_bytes = random() % 600;
    const std::size_t max_records = 1 + random() % 5;
    Reader reader = text_reader(file.text);
    std::vector<Record> got;
    for (Batch batch; reader.next_batch(batch, max_bytes, max_records) > 0;) {
      ASSERT_LE(batch.size(), max_records);
      if (batch.size() > 1) {
        ASSERT_LE(batch.bytes(), max_bytes);
      }
      std::size_t letters = 0;
      for (std::size_t i = 0; i < batch.size(); ++i) {
        const RecordView v = batch[i];
        letters += v.sequence.size();
        got.push_back({std::string(v.name), std::string(v.comment), std::string(v.sequence),
                       std::string(v.quality), v.has_quality});
      }
      ASSERT_EQ(batch.letters(), letters);
    }
    expect_equal(got, file.records);
  }
}

TEST(Reader, BatchMixesWithNext)
{
  Reader reader = text_reader(">a\nACGT\n>b\nACGT\n>c\nA\n");
  Batch batch;
  ASSERT_EQ(reader.next_batch(batch, 6, 10), 1u);
  Record record;
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(record.name, "b");
  ASSERT_EQ(reader.next_batch(batch, 6, 10), 1u);
  EXPECT_EQ(batch[0].name, "c");
  EXPECT_EQ(reader.next_batch(batch, 6, 10), 0u);
}

TEST(Reader, BatchEndsBeforeAMalformedRecord)
{
  Reader reader = text_reader(">a\nA\n>b\n-\n");
  Batch batch;
  ASSERT_EQ(reader.next_batch(batch, 1000, 10), 1u);
  EXPECT_EQ(batch[0].name, "a");
  EXPECT_THROW(reader.next_batch(batch, 1000, 10), InputError);
  EXPECT_EQ(reader.next_batch(batch, 1000, 10), 0u);
}

}  // namespace
}  // namespace helicity::seq
