#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "logs/grammar/dialect.h"
#include "logs/text/line_reader.h"

namespace trainmark {

/// Which dialects read something in a log, the one that reads most first.
struct Detection {
  struct Candidate {
    std::string name;
    std::size_t records = 0;
  };
  std::vector<Candidate> candidates;

  bool known() const { return !candidates.empty(); }
};

/// Shows lines to every dialect there is.
class DialectDetector {
 public:
  DialectDetector();

  void look(std::string_view line);

  /// The most records that one dialect has read.
  std::size_t records() const { return records_; }

  /// Has a program's dialect read so many? Of what libraries print, more must be seen: the program
  /// itself may print less often.
  bool is_sure(std::size_t enough) const;

  Detection result() const;

 private:
  struct Trial {
    std::string name;
    RecordReader read;
    bool of_library = false;
    bool (*is_mark)(std::string_view line) = nullptr;  // until such a line was seen
    std::size_t records = 0;
    bool counts() const { return is_mark == nullptr && records > 0; }
  };

  /// Lines that look alike, by their letters: those that no dialect has read often enough are not
  /// shown to them again.
  class Barren {
   public:
    bool is_known(std::uint64_t kind) const;
    void note(std::uint64_t kind, bool read);

   private:
    std::unordered_map<std::uint64_t, std::uint32_t> unread_;
  };

  std::vector<Trial> trials_;
  Barren barren_;
  std::size_t records_ = 0;
};

/// Reads no further than it must: until a dialect has enough records to be sure of it.
Detection detect_dialect(LineReader& lines);

/// For a log in which no dialect reads anything: which ones are near, and how to describe one.
std::string unknown_dialect_advice(LineReader& lines);

}  // namespace trainmark
