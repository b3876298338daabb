#include "data/formats/tar_members.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/tar_head.h"
#include "base/text.h"

namespace trainmark::data {

namespace {

constexpr std::uint64_t longest_extension = 1 << 20;  // a name or pax records

/// A field of text ends at its first zero.
std::string_view text_field(std::string_view head, std::size_t begin, std::size_t size) {
  const std::string_view field = head.substr(begin, size);
  return field.substr(0, field.find('\0'));
}

/// Octal digits between blanks, or, as GNU writes what does not fit, a binary number.
std::optional<std::uint64_t> number_field(std::string_view head, std::size_t begin,
                                          std::size_t size) {
  const std::string_view field = head.substr(begin, size);
  if (static_cast<unsigned char>(field[0]) == 0x80) {
    std::uint64_t number = 0;
    for (const char digit : field.substr(1)) {
      if (number >> 55 != 0) return {};
      number = number << 8 | static_cast<unsigned char>(digit);
    }
    return number;
  }
  const std::string_view digits = trim(text_field(head, begin, size));
  if (digits.empty()) return 0;
  std::uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, 8);
  if (error != std::errc() || end != digits.data() + digits.size()) return {};
  return number;
}

/// The sum is made with blanks in its own place. Some old programs added signed letters.
bool sum_fits(std::string_view head) {
  const std::optional<std::uint64_t> sum = number_field(head, 148, 8);
  std::int64_t of_unsigned = 0;
  std::int64_t of_signed = 0;
  for (std::size_t place = 0; place < head.size(); ++place) {
    const char letter = place >= 148 && place < 156 ? ' ' : head[place];
    of_unsigned += static_cast<unsigned char>(letter);
    of_signed += static_cast<signed char>(letter);
  }
  return sum && (static_cast<std::int64_t>(*sum) == of_unsigned ||
                 static_cast<std::int64_t>(*sum) == of_signed);
}

/// What pax records say of the next entry.
struct PaxWords {
  std::optional<std::string> path;
  std::optional<std::uint64_t> size;
  bool sparse = false;
};

/// "28 path=a/very/long/name\n", one after the other. False where they are damaged.
bool read_pax(std::string_view text, PaxWords& words) {
  while (!text.empty()) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    const auto digits = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || length > text.size() || length < digits + 3 ||
        text[digits] != ' ' || text[length - 1] != '\n')
      return false;
    const std::string_view record = text.substr(digits + 1, length - digits - 2);
    const std::size_t equals = record.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view key = record.substr(0, equals);
    const std::string_view value = record.substr(equals + 1);
    if (key == "path") words.path = std::string(value);
    if (key.starts_with("GNU.sparse.")) words.sparse = true;
    if (key == "size") {
      std::uint64_t size = 0;
      const auto [last, wrong] = std::from_chars(value.data(), value.data() + value.size(), size);
      if (wrong != std::errc() || last != value.data() + value.size()) return false;
      words.size = size;
    }
    text.remove_prefix(length);
  }
  return true;
}

/// The kinds of entries that have no bytes behind their head, whatever it says: links, devices,
/// folders.
bool has_no_bytes(char kind) {
  return kind >= '1' && kind <= '6';
}

}  // namespace

void TarMembers::refuse(const std::string& why) const {
  throw UserError(fmt::format("{}: damaged at byte {}: {}; pack it again, or remove it",
                              printable(file_.path().string()), at_, why));
}

/// The content of an entry that only tells of the next one.
std::string TarMembers::extension(std::uint64_t size) {
  const std::uint64_t begin = at_ + tar_block;
  if (size > longest_extension || begin > file_.size() || size > file_.size() - begin)
    refuse("a name that is too long");
  std::string content(size, '\0');
  file_.read(begin, {reinterpret_cast<std::uint8_t*>(content.data()), content.size()});
  at_ = begin + size + tar_padding(size);
  return content;
}

bool TarMembers::next(TarMember& member) {
  PaxWords pax;
  std::optional<std::string> long_name;
  for (;;) {
    // A head and the block behind it, which often is all that there is to read of a label.
    const BytesView seen = window_.see(at_, 2 * tar_block);
    if (seen.size() < tar_block) return false;
    const std::string_view blocks(reinterpret_cast<const char*>(seen.data()), seen.size());
    const std::string_view head = blocks.substr(0, tar_block);
    if (std::ranges::all_of(head, [](char letter) { return letter == '\0'; })) return false;
    if (!sum_fits(head)) refuse("not the head of an entry");
    const std::optional<std::uint64_t> said = number_field(head, 124, 12);
    if (!said) refuse("the size of an entry is not a number");

    const char kind = head[156];
    if (kind == 'x' || kind == 'X') {
      if (!read_pax(extension(*said), pax)) refuse("records before it that are not valid");
      continue;
    }
    if (kind == 'L') {
      const std::string content = extension(*said);
      long_name = std::string(text_field(content, 0, content.size()));
      continue;
    }
    if (kind == 'K' || kind == 'g') {
      extension(*said);
      continue;
    }
    if (kind == 'S' || pax.sparse)
      refuse("a file with holes (tar --sparse), which is not read here");

    const std::string_view prefix =
        head.substr(257, 6) == std::string_view("ustar\0", 6) ? text_field(head, 345, 155) : "";
    member.name = text_field(head, 0, tar_name_bytes);
    if (!prefix.empty()) member.name = std::string(prefix) + "/" + member.name;
    if (long_name) member.name = *long_name;
    if (pax.path) member.name = *pax.path;
    // Before there was a kind for folders, they were files whose names end in a slash.
    member.is_file = kind == '0' || kind == '7' || (kind == '\0' && !member.name.ends_with('/'));
    member.begin = at_ + tar_block;
    member.size = has_no_bytes(kind) ? 0 : pax.size.value_or(*said);
    member.first_bytes = blocks.substr(tar_block, std::min<std::uint64_t>(member.size, tar_block));
    if (member.size > std::uint64_t{1} << 62) refuse("an entry has an impossible size");
    at_ = member.begin + member.size + tar_padding(member.size);
    return true;
  }
}

}  // namespace trainmark::data
