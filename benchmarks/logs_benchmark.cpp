// How fast logs are read. `logs_benchmark` measures in memory; `logs_benchmark --write FOLDER
// BYTES` writes the same logs as files, for benchmarks/compare_with_re.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <string_view>

#include "logs/contents.h"
#include "logs/detect.h"
#include "logs/live_log.h"
#include "logs/text/text_source.h"
#include "made_up_log.h"

namespace trainmark {
namespace {

void read_all(benchmark::State& state, const std::string& text, const std::string& dialect) {
  for (auto _ : state) {
    LineReader lines(std::make_unique<TextSource>(text));
    const LogContents contents = read_log(lines, dialect, dialect_named(dialect));
    benchmark::DoNotOptimize(contents.found);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

constexpr std::size_t size = 64 << 20;

void read_paddleclas(benchmark::State& state) {
  read_all(state, paddleclas_log(size), "paddleclas");
}

void read_plsc(benchmark::State& state) {
  read_all(state, plsc_log(size), "plsc");
}

void detect_paddleclas(benchmark::State& state) {
  const std::string text = paddleclas_log(1 << 20);
  for (auto _ : state) {
    LineReader lines(std::make_unique<TextSource>(text));
    benchmark::DoNotOptimize(detect_dialect(lines).known());
  }
}

/// A program that still runs and prints as fast as it can: lines per second.
void listen(benchmark::State& state, const std::string& text) {
  constexpr std::size_t piece = 64 << 10;
  const auto lines = std::count(text.begin(), text.end(), '\n');
  for (auto _ : state) {
    LiveLog log{LiveOptions()};
    double now = 0;
    for (std::size_t at = 0; at < text.size(); at += piece, now += 0.05)
      log.feed(0, std::string_view(text).substr(at, piece), now);
    benchmark::DoNotOptimize(log.records());
  }
  state.SetItemsProcessed(state.iterations() * lines);
}

constexpr std::size_t live_size = 16 << 20;

void listen_to_paddleclas(benchmark::State& state) {
  listen(state, paddleclas_log(live_size));
}

void listen_to_unknown(benchmark::State& state) {
  listen(state, unknown_log(live_size));
}

void listen_to_chatter(benchmark::State& state) {
  listen(state, chatter(live_size));
}

BENCHMARK(listen_to_paddleclas)->Unit(benchmark::kMillisecond);
BENCHMARK(listen_to_unknown)->Unit(benchmark::kMillisecond);
BENCHMARK(listen_to_chatter)->Unit(benchmark::kMillisecond);
BENCHMARK(read_paddleclas)->Unit(benchmark::kMillisecond);
BENCHMARK(read_plsc)->Unit(benchmark::kMillisecond);
BENCHMARK(detect_paddleclas)->Unit(benchmark::kMicrosecond);

int write_logs(const std::string& folder, std::size_t bytes) {
  const auto write = [&](const std::string& name, std::string (*make)(std::size_t)) {
    // In pieces: a log of gigabytes need not fit the memory.
    const std::string piece = make(std::min(bytes, size));
    std::ofstream file(folder + "/" + name);
    for (std::size_t written = 0; written < bytes; written += piece.size()) file << piece;
    return file.good();
  };
  return write("paddleclas.log", paddleclas_log) && write("plsc.log", plsc_log) ? 0 : 1;
}

}  // namespace
}  // namespace trainmark

int main(int count, char** words) {
  if (count == 4 && std::string_view(words[1]) == "--write")
    return trainmark::write_logs(words[2], std::stoull(words[3]));
  benchmark::Initialize(&count, words);
  if (benchmark::ReportUnrecognizedArguments(count, words)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
