#include "data/formats/webdataset_samples.h"

#include <charconv>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/tar_members.h"

namespace trainmark::data {

namespace {

struct SplitName {
  std::string_view key;
  std::string suffix;  // in small letters
};

/// "a.b/c.seg.PNG" is "a.b/c" and "seg.png". Nothing where the name has no key or no dot, and for
/// WebDataset's own members, such as "__index__".
std::optional<SplitName> split_member(std::string_view name) {
  const std::size_t folder_end = name.rfind('/');
  const std::size_t base = folder_end == std::string_view::npos ? 0 : folder_end + 1;
  const std::size_t dot = name.find('.', base);
  if (dot == std::string_view::npos || dot == base) return {};
  const std::string_view first = name.substr(0, name.find('/'));
  if (first.size() >= 4 && first.starts_with("__") && first.ends_with("__")) return {};
  SplitName split{name.substr(0, dot), std::string(name.substr(dot + 1))};
  for (char& letter : split.suffix)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return split;
}

bool is_picture_suffix(std::string_view suffix) {
  return suffix == "jpg" || suffix == "jpeg" || suffix == "png";
}

/// The number in a .cls member, or the trouble with it.
std::int32_t label_in(const TarMember& member) {
  const std::string_view text = trim(member.first_bytes);
  std::int32_t label = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), label);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && label >= 0;
  return is_number && member.first_bytes.size() == member.size ? label
                                                               : WebDatasetSamples::bad_label;
}

/// The sample whose members are just being met.
class GatheredSample {
 public:
  explicit GatheredSample(WebDatasetSamples& found) : found_(found) {}

  void add(const SplitName& split, const TarMember& member) {
    if (key_ != split.key) {
      finish();
      key_ = split.key;
    }
    if (is_picture_suffix(split.suffix)) {
      ++pictures_;
      sample_.begin = member.begin;
      sample_.size = member.size;
      name_ = member.name;
    } else if (split.suffix == "cls") {
      sample_.label = ++labels_ == 1 ? label_in(member) : WebDatasetSamples::bad_label;
      if (name_.empty()) name_ = member.name;
    }
  }

  void finish() {
    if (pictures_ + labels_ > 0) {
      if (pictures_ == 0) sample_.label = WebDatasetSamples::no_picture;
      if (pictures_ > 1) sample_.label = WebDatasetSamples::two_pictures;
      found_.samples.push_back(sample_);
      found_.names.add(name_);
    }
    pictures_ = labels_ = 0;
    sample_ = {};
    name_.clear();
  }

 private:
  WebDatasetSamples& found_;
  WebDatasetSamples::Sample sample_;
  std::string key_, name_;
  int pictures_ = 0;
  int labels_ = 0;
};

}  // namespace

WebDatasetSamples find_samples(const InputFile& tar) {
  WebDatasetSamples found;
  GatheredSample gathered(found);
  TarMembers members(tar);
  for (TarMember member; members.next(member);) {
    if (!member.is_file) continue;
    if (const std::optional<SplitName> split = split_member(member.name))
      gathered.add(*split, member);
  }
  gathered.finish();
  return found;
}

std::string trouble_text(std::int32_t trouble) {
  switch (trouble) {
    case WebDatasetSamples::no_picture:
      return "there is no .jpg, .jpeg or .png of this name beside it";
    case WebDatasetSamples::two_pictures:
      return "there are two pictures of this name";
    case WebDatasetSamples::no_label:
      return "there is no .cls of this name beside it";
    default:
      return "its .cls is not one number from 0 on";
  }
}

}  // namespace trainmark::data
