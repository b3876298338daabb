// trainmark-clock: a trainer that takes a known time per step. What the bench finds is tested
// against what is known here.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/output.h"
#include "clock/faults.h"
#include "clock/learning.h"
#include "clock/schedule.h"
#include "common/events.h"
#include "common/failure.h"
#include "common/host.h"
#include "common/listing.h"
#include "common/options.h"
#include "common/program.h"
#include "common/requests.h"
#include "protocol/rank_position.h"

namespace trainmark::clock {
namespace {

Description describe() {
  return {.framework = "clock",
          .versions = {{"clock", TRAINMARK_TRAINER_VERSION}},
          .devices = {{"cpu", ""}},
          .workloads = {{.name = "clock",
                         .title = "A known time per step",
                         .unit = "steps",
                         .modes = {"spin"},
                         .sizes = {{"full", 1, {{"classes", 1000}}},
                                   {"small", 1, {{"classes", 1000}}},
                                   {"tiny", 1, {{"classes", 1000}}}},
                         .precisions = {{"cpu", {"fp32"}}},
                         .several_ranks = true,
                         .data = {},
                         .quality = QualityDescription{.metric = "played quality",
                                                       .higher_is_better = true,
                                                       .target = Learning{}.target,
                                                       .epochs = Learning{}.epochs}}}};
}

void wait_until(std::int64_t when_ns, bool sleep) {
  if (sleep) {
    const timespec when{static_cast<time_t>(when_ns / 1'000'000'000), when_ns % 1'000'000'000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, nullptr) != 0) {
    }
  }
  while (train::monotonic_ns() < when_ns) {
  }
}

/// A loss that falls as a real one does, so that a bench which looks at it is content.
float loss_after(std::int64_t step, const Faults& faults) {
  if (faults.nan_after != never && step > faults.nan_after) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  return 1.0F + 6.0F / (1.0F + static_cast<float>(step) / 100.0F);
}

/// What was not asked for is not reported.
std::optional<std::int64_t> part_of(std::int64_t duration_ns, double share) {
  if (share <= 0) return std::nullopt;
  return std::llround(static_cast<double>(duration_ns) * share);
}

/// A number that the launcher gives to the ranks of a job.
int number_in(const std::string& variable, int otherwise) {
  const char* text = std::getenv(variable.c_str());
  return text == nullptr ? otherwise : std::atoi(text);
}

/// Of the job this process is a rank of.
int own_rank() {
  return number_in(rank_variables("torchrun").rank, 0);
}

int ranks_of_job() {
  return std::max(1, number_in(rank_variables("torchrun").ranks, 1));
}

struct Request {
  train::Options options;
  Shape shape;
  Faults faults;
  Learning learning;
  bool sleep = false;
  bool truth = false;
};

/// Between the steps of a training to quality: evaluations and checkpoints, which take their time.
class Lessons {
 public:
  Lessons(const Request& request, const Schedule& schedule, train::EventWriter& events)
      : request_(request),
        events_(events),
        items_(schedule.items(0) * ranks_of_job()),
        plan_(request.learning, request.options.seed, items_),
        learned_(load_checkpoint(request.learning, request.options.seed)) {}

  std::int64_t steps_left() const {
    return std::max<std::int64_t>(0, plan_.steps() - learned_.step);
  }

  nlohmann::json start() const {
    nlohmann::json quality = plan_.start();
    if (learned_.step > 0)
      quality["resumed"] = {{"step", learned_.step},
                            {"samples", learned_.step * items_},
                            {"seconds", learned_.seconds},
                            {"evaluations", learned_.evaluations}};
    return quality;
  }

  void step_done(std::int64_t duration_ns) {
    learned_.seconds += static_cast<double>(duration_ns) * 1e-9;
    ++learned_.step;
    if (plan_.evaluates_after(learned_.step)) evaluate();
    if (plan_.saves_after(learned_.step)) save();
  }

 private:
  void evaluate() {
    const double at = learned_.seconds;
    const std::int64_t began = train::monotonic_ns();
    wait_until(began + std::llround(request_.learning.evaluation_ms * 1e6), request_.sleep);
    const std::int64_t ended = train::monotonic_ns();
    const EvaluationEvent told{
        .step = learned_.step,
        .samples = learned_.step * items_,
        .epoch = plan_.epoch_at(learned_.step),
        .end_ns = ended,
        .duration_ns = ended - began,
        .quality = plan_.quality_at(learned_.step),
        .loss = std::abs(request_.learning.final_quality - plan_.quality_at(learned_.step))};
    events_.evaluation(told);
    nlohmann::json kept = evaluation_event(told);
    kept.erase("event");
    kept.erase("end");
    kept["at"] = at;
    learned_.evaluations.push_back(std::move(kept));
  }

  void save() {
    const std::int64_t began = train::monotonic_ns();
    const std::int64_t bytes =
        own_rank() == 0 ? save_checkpoint(request_.learning, request_.options.seed, learned_) : 0;
    wait_until(began + std::llround(request_.learning.checkpoint_ms * 1e6), request_.sleep);
    const std::int64_t ended = train::monotonic_ns();
    learned_.seconds += static_cast<double>(ended - began) * 1e-9;
    events_.checkpoint({learned_.step, ended, ended - began, bytes});
  }

  const Request& request_;
  train::EventWriter& events_;
  std::int64_t items_;  // of a step of the whole job
  LearningPlan plan_;
  Learned learned_;
};

void run(const Request& request, const Schedule& schedule, train::EventWriter& events) {
  const train::Options& options = request.options;
  std::optional<Lessons> lessons;
  if (request.learning.quality) lessons.emplace(request, schedule, events);
  const std::int64_t steps =
      lessons ? std::min(options.steps, lessons->steps_left()) : options.steps;
  nlohmann::json start = train::start_fields(options, describe());
  start["device_name"] = train::cpu_name();
  start["parameters"] = 0;
  start["threads"] = 1;
  start["math"] = {{"wait", request.sleep ? "sleep" : "spin"}};
  start["known_throughput"] = schedule.truth(0)["items_per_second"];
  if (lessons) start["quality"] = lessons->start();
  events.start(std::move(start));
  show_at_start(request.faults, events);
  if (request.faults.most_batch > 0 && options.batch > request.faults.most_batch) {
    throw train::OutOfMemory("no memory for this batch, as requested");
  }
  const auto classes = options.shapes.find("classes");
  if (request.faults.most_classes > 0 && classes != options.shapes.end() &&
      classes->second > static_cast<double>(request.faults.most_classes)) {
    throw train::OutOfMemory("no memory for so many classes, as requested");
  }

  // Steps end at times that are fixed from the beginning: a step that is held up makes the next one
  // shorter, and the sum stays true.
  std::int64_t target_ns = train::monotonic_ns();
  std::int64_t begin_ns = target_ns;
  std::int64_t step = 0;
  bool stopped = false;
  while (step < steps && !stopped) {
    const std::int64_t duration_ns = schedule.duration_ns(step);
    target_ns += duration_ns;
    wait_until(target_ns, request.sleep);
    const std::int64_t end_ns = train::monotonic_ns();
    events.step({step, end_ns, end_ns - begin_ns, schedule.items(step),
                 loss_after(step, request.faults),
                 part_of(duration_ns, request.shape.communication),
                 part_of(duration_ns, request.shape.exposed)});
    if (lessons) {
      lessons->step_done(end_ns - begin_ns);
      target_ns += train::monotonic_ns() - end_ns;  // the schedule waits for its lessons
    }
    begin_ns = lessons ? train::monotonic_ns() : end_ns;
    show_after(step, options.batch, request.faults, events);
    ++step;
    stopped = train::times_stop_was_requested() > request.faults.missed_stops;
    if (train::pause_requested()) {
      events.pause();
      train::wait_out_pause(events.descriptor());
      target_ns = begin_ns = train::monotonic_ns();
    }
  }
  events.memory(train::peak_host_bytes(), std::nullopt);
  events.end(step, stopped ? "stop" : "steps");
}

int main_body(int argc, const char* const* argv, train::EventWriter& events) {
  Request request;
  request.options.workload = "clock";
  CLI::App app("A trainer that takes a known time per step, to test the bench.", "trainmark-clock");
  train::add_options(app, request.options);
  add_shape_options(app, request.shape);
  add_fault_options(app, request.faults);
  add_learning_options(app, request.learning);
  app.add_flag("--sleep", request.sleep, "Sleep during a step instead of computing");
  app.add_flag("--truth", request.truth, "Print the expected throughput as JSON");
  if (!train::parse(app, argc, argv)) return 0;
  if (request.options.describe) {
    print_out("{}\n", to_json(describe()).dump(2));
    return 0;
  }
  if (request.options.list) {
    print_out("{}", train::to_text(describe()));
    return 0;
  }
  request.options = resolve(std::move(request.options), describe());
  if (request.learning.quality && request.learning.data.empty())
    throw UserError("--quality needs a data set; add --data PATH");
  if (request.shape.slow_rank == own_rank()) request.shape.slowdown += request.shape.slow_by;
  if (request.faults.rank != never && request.faults.rank != own_rank()) request.faults = {};
  const Schedule schedule(request.shape, request.options);
  if (request.truth) {
    nlohmann::json truth = schedule.truth(request.options.steps);
    if (request.learning.quality)
      truth["quality"] =
          LearningPlan(request.learning, request.options.seed, schedule.items(0) * ranks_of_job())
              .truth();
    print_out("{}\n", truth.dump(2));
    return 0;
  }
  if (!request.faults.no_events) run(request, schedule, events);
  return 0;
}

}  // namespace
}  // namespace trainmark::clock

int main(int argc, char** argv) {
  return trainmark::train::run_program("trainmark-clock",
                                       [&](trainmark::train::EventWriter& events) {
                                         return trainmark::clock::main_body(argc, argv, events);
                                       });
}
