#include "data/pipeline/slot_filler.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "data/formats/fresh_item.h"
#include "data/pipeline/bucketing.h"

namespace trainmark::data {

namespace {

// In a row. Where so many are bad, hardly any is good, and who would read them all would wait.
constexpr std::int64_t most_bad_items = 10'000;

/// How items of this kind are prepared, once the settings are known to fit.
const PreparedKind& checked_kind(const DataSet& set, const PipelineSettings& settings) {
  const PreparedKind* kind = Registry<PreparedKind>::find(settings.kind);
  if (kind == nullptr)
    throw UserError(fmt::format("there is no pipeline for data of the kind '{}'; {}", settings.kind,
                                suggest(settings.kind, Registry<PreparedKind>::names())));
  if (set.kind() != settings.kind)
    throw UserError(
        fmt::format("the data set holds {}, and the workload trains {}; give one that "
                    "holds {}",
                    set.kind(), settings.kind, settings.kind));
  if (set.size() < 1) throw UserError("the data set is empty; give one that has items");
  if (settings.classes > 0 && set.classes() > settings.classes)
    throw UserError(
        fmt::format("the data set has {} classes, and the workload {}; give the "
                    "workload {} classes",
                    set.classes(), settings.classes, set.classes()));
  const auto check = [](bool fine, const char* name, std::int64_t value, const char* range) {
    if (!fine) throw UserError(fmt::format("{} {} is out of range; write {}", name, value, range));
  };
  check(settings.batch >= 1, "a batch of", settings.batch, "1 or more");
  check(settings.workers >= 1 && settings.workers <= 1024, "a number of workers of",
        settings.workers, "1 to 1024");
  check(settings.prefetch >= 0 && settings.prefetch <= 1024, "a prefetch of", settings.prefetch,
        "0 to 1024");
  check(settings.ranks >= 1 && settings.rank >= 0 && settings.rank < settings.ranks, "rank",
        settings.rank, "0 to the number of ranks less one");
  check(settings.start.epoch >= 0, "epoch", settings.start.epoch, "0 or more");
  check(settings.start.batch >= 0, "batch", settings.start.batch, "0 or more");
  kind->check(settings);
  return *kind;
}

std::unique_ptr<Schedule> make_schedule(const DataSet& set, const PipelineSettings& settings) {
  Sharing sharing{.seed = settings.seed,
                  .batch = settings.batch,
                  .rank = settings.rank,
                  .ranks = settings.ranks,
                  .evaluation = settings.evaluation};
  if (settings.kind == kind::sentence_pairs) {
    if (settings.like_lengths)
      return std::make_unique<BucketedSchedule>(set, settings.tokens, sharing);
    sharing.batch = std::max<std::int64_t>(1, settings.batch / settings.tokens);
  }
  if (settings.evaluation) return std::make_unique<OrderedSchedule>(set.evaluation_size(), sharing);
  return std::make_unique<ShuffledSchedule>(set.size(), sharing);
}

}  // namespace

SlotFiller::SlotFiller(std::shared_ptr<const DataSet> set, const PipelineSettings& settings)
    : set_(std::move(set)), settings_(settings) {
  const PreparedKind& kind = checked_kind(*set_, settings_);
  schedule_ = make_schedule(*set_, settings_);
  preparation_ = kind.make(set_, settings_);
}

void SlotFiller::lay_out(HostBatch& batch) const {
  batch.items = schedule_->items(batch.position);
  batch.names.resize(static_cast<std::size_t>(batch.items));
  preparation_->lay_out(batch);
}

std::optional<std::string> SlotFiller::fill(HostBatch& batch, std::int64_t slot, Workbench& bench,
                                            const std::atomic<bool>& stop) const {
  std::optional<std::string> first_fault;
  const std::int64_t attempts = std::min(schedule_->attempts(), most_bad_items);
  for (std::int64_t attempt = 0; attempt < attempts && !stop; ++attempt) {
    const std::int64_t index = schedule_->item(batch.position, slot, attempt);
    const std::optional<std::string> fault = try_item(index, batch, slot, bench);
    if (!fault) return first_fault;
    if (settings_.evaluation)
      throw UserError(
          fmt::format("{}; repair or remove it, for the evaluation needs every item", *fault));
    if (settings_.on_bad == OnBadItem::refuse)
      throw UserError(fmt::format("{}; repair or remove it, or let bad items be skipped", *fault));
    if (!first_fault) first_fault = fault;
  }
  if (stop) return first_fault;
  throw UserError(fmt::format("{} items of the data set in a row cannot be read, the first is {}",
                              attempts, first_fault.value_or("")));
}

std::optional<std::string> SlotFiller::try_item(std::int64_t index, HostBatch& batch,
                                                std::int64_t slot, Workbench& bench) const {
  freshen(bench.item);
  const auto fault = [&](const char* why) {
    const std::string name =
        bench.item.name.empty() ? fmt::format("item {}", index) : printable(bench.item.name);
    return fmt::format("{}: {}", name, printable(why));
  };
  try {
    set_->read(index, bench.item);
    preparation_->prepare(index, bench, batch, slot);
  } catch (const BadItem& error) {
    return fault(error.what());
  } catch (const BadPicture& error) {
    return fault(error.what());
  }
  batch.names[static_cast<std::size_t>(slot)] = bench.item.name;
  return std::nullopt;
}

}  // namespace trainmark::data
