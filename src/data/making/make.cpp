#include "data/making/make.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/json_fields.h"
#include "base/signals.h"
#include "base/text.h"
#include "data/making/checksum.h"
#include "data/making/in_order.h"
#include "data/making/manifest.h"
#include "data/making/new_folder.h"
#include "data/making/sides.h"

namespace trainmark::data {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t items_to_judge_by = 64;  // how large the whole will be

const Format& format_to_write(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [other, format] : Registry<Format>::all())
    if (format.make_writer) known.push_back(other);
  const Format* format = Registry<Format>::find(name);
  if (format == nullptr)
    throw UserError(fmt::format("there is no format '{}' of data sets; {}", printable(name),
                                suggest(name, known)));
  if (!format->make_writer)
    throw UserError(fmt::format("data sets of the format {} are read, not made; write one of {}",
                                name, join(known, ", ")));
  return *format;
}

/// Those that can be written.
std::vector<std::string> formats_holding(const std::string& kind) {
  std::vector<std::string> names;
  for (const auto& [name, format] : Registry<Format>::all())
    if (format.make_writer && std::ranges::find(format.kinds, kind) != format.kinds.end())
      names.push_back(name);
  return names;
}

/// The subject by its name, or the first that the format can hold.
std::string subject_of(const MakeSettings& settings, const Format& format) {
  std::string name = settings.subject.empty() ? format.kinds.front() : settings.subject;
  const Subject* subject = Registry<Subject>::find(name);
  if (subject == nullptr)
    throw UserError(fmt::format("there are no data sets of the kind '{}'; {}", printable(name),
                                suggest(name, Registry<Subject>::names())));
  if (std::find(format.kinds.begin(), format.kinds.end(), subject->kind) == format.kinds.end())
    throw UserError(fmt::format("the format {} holds {}, not {}; write --format {}",
                                settings.items.format, join(format.kinds, " or "), name,
                                join(formats_holding(subject->kind), " or ")));
  for (const auto& [number, value] : settings.items.numbers) {
    if (std::find(subject->numbers.begin(), subject->numbers.end(), number) ==
        subject->numbers.end())
      throw UserError(fmt::format("--{} does not apply to {}; omit it", number, name));
  }
  return name;
}

void check_classes(const MakeSettings& settings, std::int64_t classes, const std::string& kind) {
  const ItemSettings& items = settings.items;
  if (items.numbers.contains("classes") && classes > items.items)
    throw UserError(fmt::format(
        "--classes {} of {}: each class needs an item; write fewer classes or more items", classes,
        counted(static_cast<std::size_t>(items.items), "item")));
  if (kind == kind::labelled_images && settings.evaluation_items > 0 &&
      classes > settings.evaluation_items)
    throw UserError(fmt::format(
        "--evaluation-items {}: each of {} classes needs an item; write {} items or more, or fewer "
        "--classes",
        settings.evaluation_items, classes, classes));
}

std::int64_t bytes_of(const Item& item) {
  const std::size_t words = item.tokens.size() + item.target.size();
  return static_cast<std::int64_t>(item.picture.size() + item.second.size() +
                                   words * sizeof(std::int32_t));
}

/// Items by the thousand, made in threads and written in their order.
class Making {
 public:
  Making(const MakeSettings& settings, const ItemMaker& maker, const Progress& progress)
      : settings_(settings), maker_(maker), progress_(progress) {}

  void write_split(Split split, DataSetWriter& writer, const fs::path& folder) {
    const bool evaluation = split == Split::evaluation;
    const std::int64_t first = evaluation ? first_evaluation_item : 0;
    const std::int64_t count = evaluation ? settings_.evaluation_items : settings_.items.items;
    write_side(
        count, folder, [&](std::int64_t index, Item& item) { maker_.make(first + index, item); },
        [&](const Item& item) { writer.write(item); });
    write_side(
        has_other_side() ? count : 0, folder,
        [&](std::int64_t index, Item& item) { maker_.make_other(first + index, item); },
        [&](const Item& item) { writer.write_other(item); });
    writer.finish();
  }

  std::int64_t bytes() const { return bytes_; }

 private:
  bool has_other_side() const { return maker_.other_items() > 0; }

  std::int64_t all_items() const {
    return (settings_.items.items + settings_.evaluation_items) * (has_other_side() ? 2 : 1);
  }

  void write_side(std::int64_t count, const fs::path& folder,
                  const std::function<void(std::int64_t, Item&)>& make,
                  const std::function<void(const Item&)>& write) {
    const std::int64_t all = all_items();
    std::vector<Item> places(places_for(settings_.threads));
    in_order(
        count, settings_.threads,
        [&](int, std::int64_t index, std::size_t place) { make(index, places[place]); },
        [&](std::int64_t, std::size_t place) {
          stop_if_interrupted();
          write(places[place]);
          bytes_ += bytes_of(places[place]);
          if (++done_ == items_to_judge_by) check_space(folder, all);
          progress_("made", done_, all);
        });
  }

  /// Rather now than in some hours.
  void check_space(const fs::path& folder, std::int64_t all) const {
    std::error_code error;
    const auto available = static_cast<double>(fs::space(folder, error).available);
    const double needed =
        static_cast<double>(bytes_) / static_cast<double>(done_) * static_cast<double>(all - done_);
    if (error || needed <= available) return;
    throw SystemError(fmt::format("{}: {} more would be needed, and {} are free on this disk",
                                  folder.parent_path().string(), bytes_text(needed),
                                  bytes_text(available)));
  }

  const MakeSettings& settings_;
  const ItemMaker& maker_;
  const Progress& progress_;
  std::int64_t bytes_ = 0, done_ = 0;
};

/// Reads what was written, as whoever trains on it does.
std::vector<Manifest::Sum> sums_of(const DataSet& set, int threads, const Progress& progress) {
  const std::int64_t all = size_of_sides(set);
  std::vector<Manifest::Sum> sums(static_cast<std::size_t>(all));
  std::vector<Item> items(static_cast<std::size_t>(threads));
  in_order(
      all, threads,
      [&](int worker, std::int64_t index, std::size_t) {
        Item& item = items[static_cast<std::size_t>(worker)];
        read_side(set, index, item);
        sums[static_cast<std::size_t>(index)] = {item.name, checksum_of(item)};
      },
      [&](std::int64_t index, std::size_t) {
        stop_if_interrupted();
        progress("read back", index + 1, all);
      });
  return sums;
}

/// In as many digits as the items carry, and as every machine computes them.
std::optional<Attainable> attainable_of(const ItemMaker& maker, std::int64_t evaluation_items) {
  std::optional<Attainable> result = maker.attainable(evaluation_items);
  if (result) result->quality = std::round(result->quality * 1e4) / 1e4;
  return result;
}

}  // namespace

MadeDataSet make_data_set(const MakeSettings& settings, const Progress& progress) {
  const Format& format = format_to_write(settings.items.format);
  const std::string name = subject_of(settings, format);
  const Subject& subject = *Registry<Subject>::find(name);
  const auto maker = subject.begin(settings.items);
  check_classes(settings, maker->classes(), subject.kind);

  const NotedSignals noted;  // what is half done is to be removed first
  NewFolder folder(settings.out);
  Making making(settings, *maker, progress);
  Manifest manifest{.made_by = settings.made_by,
                    .format = settings.items.format,
                    .kind = subject.kind,
                    .subject = name,
                    .seed = settings.items.seed,
                    .classes = maker->classes(),
                    .numbers = settings.items.numbers,
                    .sums = {},
                    .evaluation_sums = {},
                    .attainable = attainable_of(*maker, settings.evaluation_items)};
  const bool has_splits = settings.evaluation_items > 0;
  for (const Split split : {Split::training, Split::evaluation}) {
    if (split == Split::evaluation && !has_splits) continue;
    const auto writer = format.make_writer({.folder = folder.partial(),
                                            .kind = subject.kind,
                                            .classes = maker->classes(),
                                            .split = split,
                                            .has_splits = has_splits});
    making.write_split(split, *writer, folder.partial());
  }
  manifest.sums =
      sums_of(*format.open(folder.partial(), Split::training), settings.threads, progress);
  if (has_splits)
    manifest.evaluation_sums =
        sums_of(*format.open(folder.partial(), Split::evaluation), settings.threads, progress);
  write_manifest(folder.partial(), manifest);
  folder.finish();
  return {.items = std::ssize(manifest.sums),
          .evaluation_items = std::ssize(manifest.evaluation_sums),
          .classes = maker->classes(),
          .bytes = making.bytes(),
          .kind = subject.kind,
          .attainable = manifest.attainable};
}

}  // namespace trainmark::data
