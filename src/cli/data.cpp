#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/json_fields.h"
#include "base/option_checks.h"
#include "base/output.h"
#include "base/text.h"
#include "base/version.h"
#include "base/waiting.h"
#include "cli/command.h"
#include "cli/data_text.h"
#include "cli/examples.h"
#include "cli/file_progress.h"
#include "cli/known_values.h"
#include "cli/output_path.h"
#include "data/making/check.h"
#include "data/making/describe.h"
#include "data/making/in_order.h"
#include "data/making/make.h"
#include "data/making/sheet.h"

namespace trainmark {

namespace {

/// One bar for each thing that is done to the items.
class ItemProgress {
 public:
  void operator()(std::string_view what, std::int64_t done, std::int64_t items) {
    if (what != what_) {
      progress_ = std::make_unique<FileProgress>(fmt::format("items {}", what));
      what_ = what;
    }
    progress_->show(static_cast<std::size_t>(done), static_cast<std::size_t>(items));
  }

 private:
  std::string what_;
  std::unique_ptr<FileProgress> progress_;
};

data::Progress shown_progress() {
  return [progress = std::make_shared<ItemProgress>()](std::string_view what, std::int64_t done,
                                                       std::int64_t items) {
    (*progress)(what, done, items);
  };
}

int make_data(const data::MakeSettings& settings) {
  const data::MadeDataSet made = data::make_data_set(settings, shown_progress());
  const std::string evaluation =
      made.evaluation_items == 0 ? ""
                                 : fmt::format(", {} more for evaluation", made.evaluation_items);
  say("made: {}: {}{}{}, {} ({}, {})", settings.out.string(),
      counted(static_cast<std::size_t>(made.items), "item"),
      made.classes == 0 ? "" : fmt::format(" of {} classes", made.classes), evaluation,
      bytes_text(static_cast<double>(made.bytes)), settings.items.format, made.kind);
  if (made.attainable)
    say("attainable: {} of {:.4f}", made.attainable->metric, made.attainable->quality);
  return exit_well;
}

struct CheckArguments {
  std::string path;
  int threads = data::all_threads();
  bool json = false;
};

int check_data(const CheckArguments& arguments) {
  const data::CheckedDataSet checked =
      data::check_data_set(arguments.path, arguments.threads, shown_progress());
  print_out("{}", arguments.json ? checked_json(arguments.path, checked)
                                 : checked_text(arguments.path, checked));
  return checked.is_sound() ? exit_well : exit_failed;
}

struct ShowArguments {
  std::string path, out;
  data::SheetSettings sheet;
};

/// A sheet among the items of a data set would be read as one of them, or take the place of one.
void check_lies_outside(const std::string& file, const std::string& set) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path inner =
      fs::weakly_canonical(file, error).lexically_relative(fs::weakly_canonical(set, error));
  if (inner.empty() || *inner.begin() == "..") return;
  throw UserError(
      fmt::format("--out {}: this is in the data set; name a file elsewhere", printable(file)));
}

int show_data(const ShowArguments& arguments) {
  if (!arguments.out.empty()) {
    check_lies_outside(arguments.out, arguments.path);
    check_output_file("--out", arguments.out, {});
  }
  std::optional<Waiting> waiting("reading " + printable(arguments.path));
  const std::shared_ptr<const data::DataSet> set = data::open_data_set(arguments.path);
  const data::DataSetDescription description = data::describe_data_set(*set, arguments.path);
  waiting.reset();
  print_out("{}", description_text(arguments.path, *set, description));
  if (arguments.out.empty()) return exit_well;
  waiting.emplace("drawing " + printable(arguments.out));
  const data::Bytes png = data::contact_sheet(set, arguments.sheet);
  write_file_atomically(arguments.out, {reinterpret_cast<const char*>(png.data()), png.size()});
  waiting.reset();
  say("written: {}", arguments.out);
  return exit_well;
}

using Chosen = std::shared_ptr<std::function<int()>>;

CLI::App* add_part(CLI::App& app, const std::string& name, const std::string& summary) {
  CLI::App* part = app.add_subcommand(name, summary);
  part->footer("");
  return part;
}

/// An option for one of the numbers that some subjects heed.
void add_number(CLI::App& app, data::MakeSettings& settings, const std::string& name,
                const std::string& help, std::int64_t least, std::int64_t most) {
  app.add_option_function<std::int64_t>(
         "--" + name,
         [&settings, name](std::int64_t value) { settings.items.numbers[name] = value; }, help)
      ->check(whole_from(least, most));
}

void add_threads(CLI::App& app, int& threads) {
  app.add_option("--threads", threads, "number of threads (default: one per core)")
      ->check(whole_from(1, 1024));
}

void add_make(CLI::App& data_command, const Chosen& chosen) {
  CLI::App& app =
      *add_part(data_command, "make", "write a data set of made-up pictures or sentences");
  auto settings = std::make_shared<data::MakeSettings>();
  auto out = std::make_shared<std::string>();
  auto faces = std::make_shared<bool>(false);
  settings->threads = data::all_threads();
  settings->made_by = fmt::format("trainmark {}", version());
  app.add_option("--format", settings->items.format,
                 join(known_values("data make", "--format"), ", ") +
                     "; `trainmark list data-formats` says more")
      ->required();
  app.add_option("--items", settings->items.items,
                 "number of pictures, sentences or pairs; of data with two sides, per side")
      ->required()
      ->check(whole_from(1, 1'000'000'000));
  app.add_option("--evaluation-items", settings->evaluation_items,
                 "number of items in a split of their own, to evaluate with (default: none)")
      ->check(whole_from(1, 1'000'000'000));
  add_path_option(app, "--out", *out, "the folder to make: new or empty")->required();
  app.add_option("--task", settings->subject,
                 "what is to be learned: " + join(known_values("data make", "--task"), ", ") +
                     "; for grammar (masked sentences) and translation (pairs), the best possible "
                     "quality is known");
  app.add_option("--seed", settings->items.seed,
                 "random seed; the same seed gives the same bytes (default: 1)")
      ->check(whole_from(0, INT64_MAX));
  app.add_flag("--faces", *faces,
               "the same as --task faces: 112 x 112 pixels; --classes is the number of people");
  add_number(app, *settings, "classes",
             "number of classes of labelled pictures (default: one per ten items, at most 1000)", 1,
             1'000'000);
  add_number(app, *settings, "width",
             "width of pictures in pixels (default: the usual one of the format)", 16, 8192);
  add_number(app, *settings, "height",
             "height in pixels; if only one of the two is given, pictures are square, streets 2:1",
             16, 8192);
  add_number(app, *settings, "quality",
             "JPEG quality (default: 87 to 97, from picture to picture; faces: 95)", 1, 100);
  add_number(app, *settings, "vocabulary",
             "number of different words (default: 30522; pairs: 33712)", 16, 1'000'000);
  add_number(app, *settings, "tokens", "length of the longest sentence (default: 128; pairs: 100)",
             8, 4096);
  add_number(app, *settings, "masked",
             "masked words per sentence of the task grammar (default: one in six or seven)", 1,
             4096);
  add_threads(app, settings->threads);
  add_examples(app, {{"trainmark data make --format imagefolder --items 1000 --out pictures",
                      "1000 pictures as large as ImageNet's"},
                     {"trainmark data make --format recordio --faces --classes 100 --items 5000 "
                      "--out faces",
                      "5000 faces of 100 people"},
                     {"trainmark data make --format token-lines --items 100000 --out pairs",
                      "sentences with translations"},
                     {"trainmark data make --format token-lines --task translation --items 100000 "
                      "--evaluation-items 1000 --out task",
                      "a task to learn, with a split to evaluate with"}});
  app.callback([=] {
    *chosen = [=] {
      settings->out = *out;
      if (*faces && !settings->subject.empty() && settings->subject != "faces")
        throw UserError(fmt::format("--faces and --task {} exclude each other; write one of them",
                                    printable(settings->subject)));
      if (*faces) settings->subject = "faces";
      return make_data(*settings);
    };
  });
}

void add_check(CLI::App& data_command, const Chosen& chosen) {
  CLI::App& app =
      *add_part(data_command, "check", "read a whole data set, and name what cannot be read");
  auto arguments = std::make_shared<CheckArguments>();
  app.add_option("path", arguments->path, "a folder or file; the format is recognized")->required();
  app.add_flag("--json", arguments->json, "for programs");
  add_threads(app, arguments->threads);
  add_examples(app, {{"trainmark data check pictures", "exit code 1 where an item is damaged"},
                     {"trainmark data check pictures --json", "for programs"}});
  app.callback([=] { *chosen = [=] { return check_data(*arguments); }; });
}

void add_show(CLI::App& data_command, const Chosen& chosen) {
  CLI::App& app =
      *add_part(data_command, "show", "describe a data set, with a sheet of its pictures");
  auto arguments = std::make_shared<ShowArguments>();
  data::SheetSettings& sheet = arguments->sheet;
  sheet.threads = data::all_threads();
  app.add_option("path", arguments->path, "a folder or file; the format is recognized")->required();
  add_path_option(app, "--out", arguments->out,
                  "write a contact sheet into this PNG file: pictures as training gets them, cut "
                  "and flipped at random");
  app.add_option("--items", sheet.items, "number of pictures on the sheet (default: 16)")
      ->check(whole_from(1, 1000));
  app.add_option("--seed", sheet.seed, "random seed of order and augmentation (default: 1)")
      ->check(whole_from(0, INT64_MAX));
  const auto side = whole_from(8, 4096);
  app.add_option("--width", sheet.width,
                 "width of each picture (default: that of the full workload)")
      ->check(side);
  app.add_option("--height", sheet.height,
                 "height of each picture (default: that of the full workload)")
      ->check(side);
  add_examples(app, {{"trainmark data show pictures", "items, classes and sizes"},
                     {"trainmark data show pictures --out sheet.png",
                      "what training sees of them, after augmentation"}});
  app.callback([=] { *chosen = [=] { return show_data(*arguments); }; });
}

const Registration<Subcommand> data_command(
    "data", {"make, check and show data sets", [](CLI::App& app) -> std::function<int()> {
               app.require_subcommand(1);
               const auto chosen = std::make_shared<std::function<int()>>();
               add_make(app, chosen);
               add_check(app, chosen);
               add_show(app, chosen);
               add_examples(
                   app, {{"trainmark data make --format imagefolder --items 1000 --out pictures",
                          "a data set to measure with"},
                         {"trainmark data check pictures", "is all of it readable?"},
                         {"trainmark data show pictures --out sheet.png", "what is in it"}});
               return [chosen] { return (*chosen)(); };
             }});

}  // namespace

}  // namespace trainmark
