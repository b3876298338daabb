#include "logs/generic/line_fields.h"

namespace trainmark {

namespace {

constexpr std::size_t most_moulds = 8;
constexpr std::size_t longest_mould = 2000;
constexpr std::size_t fewest_fields = 2;

bool is_figure(char letter) {
  return letter >= '0' && letter <= '9';
}

}  // namespace

/// Everything between the numbers is the same, letter by letter, and the numbers are of the same
/// kinds: then all that is made of the words around them is the same, too.
bool LineMoulds::fits(const Mould& mould, std::string_view line) {
  const std::string_view old = mould.line;
  places_.clear();
  std::size_t from = 0;
  std::size_t at = 0;
  for (const LineField& field : mould.first) {
    const std::string_view between = old.substr(from, field.begin - from);
    if (!line.substr(at).starts_with(between)) return false;
    Place place;
    place.begin = place.end = at + between.size();
    if (place.begin >= line.size() || !is_figure(line[place.begin])) return false;
    if (!read_value(line, place.end, place.value)) return false;
    if (place.value.kind != field.kind || place.value.duration != field.duration) return false;
    if (field.kind == ValueKind::number && place.value.whole != field.whole) return false;
    at = place.end;
    from = field.end;
    places_.push_back(place);
  }
  return line.substr(at) == old.substr(from);
}

int LineMoulds::fill(std::string_view line) {
  if (line.size() > longest_mould) return none;
  for (std::size_t i = 0; i < moulds_.size(); ++i) {
    const std::size_t tried = (last_ + i) % moulds_.size();
    Mould& mould = moulds_[tried];
    if (!fits(mould, line)) continue;
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const LineField& first = mould.first[k];
      LineField& field = mould.fields[k];
      const Place& place = places_[k];
      field.begin = static_cast<std::uint32_t>(place.begin);
      field.end = static_cast<std::uint32_t>(place.end);
      field.unit_end = field.end + (first.unit_end - first.end);
      field.words = field.begin - (first.begin - first.words);
      field.resolution = place.value.resolution;
      field.number = first.negative ? -place.value.number : place.value.number;
      field.value =
          field.kind == ValueKind::number ? field.quantity.value_of(field.number) : field.number;
    }
    last_ = tried;
    return static_cast<int>(tried);
  }
  return none;
}

void LineMoulds::keep(std::string_view line, const std::vector<LineField>& fields) {
  if (fields.size() < fewest_fields || line.size() > longest_mould) return;
  if (moulds_.size() < most_moulds) {
    last_ = moulds_.size();
    moulds_.push_back({std::string(line), fields, fields});
    return;
  }
  last_ = oldest_;
  moulds_[oldest_] = {std::string(line), fields, fields};
  oldest_ = (oldest_ + 1) % most_moulds;
}

}  // namespace trainmark
