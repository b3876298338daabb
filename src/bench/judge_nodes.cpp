#include "bench/judge_nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/verdict_names.h"
#include "bench/node_differences.h"
#include "environ/machine/environment.h"

namespace trainmark {

namespace {

constexpr std::size_t most_nodes_named = 4;

/// What several nodes say under one name, as one verdict.
class NodeVerdicts {
 public:
  void add(const std::string& host, const Verdict& verdict) {
    const auto found = std::find_if(named_.begin(), named_.end(),
                                    [&](const Named& named) { return named.name == verdict.name; });
    Named& named = found != named_.end() ? *found : named_.emplace_back(Named{verdict.name, {}});
    named.messages.push_back(host + ": " + verdict.message);
  }

  void write(Verdicts& verdicts) {
    for (Named& named : named_) {
      const std::size_t all = named.messages.size();
      named.messages.resize(std::min(all, most_nodes_named));
      std::string text = join(named.messages, "; ");
      if (all > most_nodes_named) text += fmt::format("; and {} more", all - most_nodes_named);
      verdicts.push_back({named.name, text});
    }
  }

 private:
  struct Named {
    std::string name;
    std::vector<std::string> messages;
  };
  std::vector<Named> named_;
};

/// Of all nodes, or nothing: what one of them does not tell may be anything.
class OfAllNodes {
 public:
  void add(const std::optional<double>& value) {
    all_tell_ = all_tell_ && value.has_value();
    sum_ += value.value_or(0);
    most_ = std::max(most_, value.value_or(0));
    ++nodes_;
  }

  std::optional<double> sum() const { return given(sum_); }
  std::optional<double> mean() const { return given(sum_ / std::max(1, nodes_)); }
  std::optional<double> most() const { return given(most_); }

 private:
  std::optional<double> given(double value) const {
    return all_tell_ && nodes_ > 0 ? std::optional(value) : std::nullopt;
  }

  double sum_ = 0, most_ = 0;
  int nodes_ = 0;
  bool all_tell_ = true;
};

NodeRecord record_of(const NodeReport& node, RunRecord& record) {
  NodeRecord own;
  own.host = node.host;
  own.conditions = node.conditions;
  if (node.environment.is_null()) return own;
  own.environment = environment_id(node.environment);
  own.instance = environment_instance(node.environment);
  record.node_environments.emplace(own.environment, node.environment);
  return own;
}

/// A node of which nothing is known may be the one that held up all others.
void check_silence(const std::vector<NodeReport>& nodes, RunRecord& record) {
  std::vector<std::string> silent;
  for (const NodeReport& node : nodes)
    if (node.environment.is_null() || node.conditions.is_null()) silent.push_back(node.host);
  if (silent.empty() || record.summary.used == 0) return;
  record.verdicts.push_back(
      {verdicts::node_silent,
       fmt::format("{} of {} did not report everything that happened there: {}", silent.size(),
                   counted(nodes.size(), "node"), join(silent, ", "))});
}

}  // namespace

std::optional<double> judge_nodes(const std::vector<NodeReport>& nodes,
                                  std::optional<std::pair<double, double>> moments,
                                  RunRecord& record) {
  NodeVerdicts said;
  OfAllNodes watts, busy, memory;
  for (const NodeReport& node : nodes) {
    NodeRecord own = record_of(node, record);
    if (moments) {
      own.watts = total_watts(node.power, moments->first, moments->second);
      own.gpu_busy = mean_busy(node.busy, moments->first, moments->second);
    }
    own.peak_device_bytes = node.peak_memory;
    watts.add(own.watts);
    busy.add(own.gpu_busy);  // nodes have as many ranks each
    memory.add(own.peak_device_bytes);
    for (const Verdict& verdict : node.verdicts) said.add(node.host, verdict);
    record.nodes.push_back(std::move(own));
  }
  said.write(record.verdicts);
  for (Verdict& verdict : node_differences(nodes)) record.verdicts.push_back(std::move(verdict));
  check_silence(nodes, record);
  record.gpu_busy = busy.mean();
  // Programs of others do not say how much memory they have; the driver does.
  if (!record.peak_device_bytes) record.peak_device_bytes = memory.most();
  return watts.sum();
}

}  // namespace trainmark
