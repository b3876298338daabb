#include "report/words/words.h"

#include <array>

#include "base/error.h"

namespace trainmark {

namespace {

struct Entry {
  Word word;
  std::string_view en;
  std::string_view zh;
};

constexpr std::size_t word_count = static_cast<std::size_t>(Word::count_);

// In the order of the enumeration, which the compiler checks below.
constexpr std::array<Entry, word_count> entries = {{
    {Word::workload, "workload", "模型"},
    {Word::size, "size", "规模"},
    {Word::framework, "framework", "框架"},
    {Word::precision, "precision", "精度"},
    {Word::batch, "batch", "批大小"},
    {Word::device, "device", "设备"},
    {Word::scale, "scale", "卡数"},
    {Word::throughput, "throughput", "吞吐率"},
    {Word::interval, "± 95 %", "± 95 %"},
    {Word::runs, "runs", "次数"},
    {Word::step_time, "step", "单步耗时"},
    {Word::memory, "memory", "峰值内存"},
    {Word::utilisation, "MFU", "算力利用率 (MFU)"},
    {Word::energy, "energy an item", "每样本能耗"},
    {Word::speedup, "speed-up", "加速比"},
    {Word::efficiency, "efficiency", "扩展效率"},
    {Word::communication, "in communication", "通信时间占比"},
    {Word::exposed, "waiting for it", "等待通信占比"},
    {Word::remarks, "remarks", "备注"},
    {Word::average, "average", "均值"},
    {Word::median, "median", "中值"},
    {Word::parameters, "parameters", "参数"},
    {Word::item, "item", "项目"},
    {Word::node_count, "node_num", "机器数"},
    {Word::device_count, "gpu_num", "卡数"},
    {Word::rank_count, "rank_num", "进程数"},
    {Word::failed, "failed: {}", "失败：{}"},
    {Word::skipped, "skipped: {}", "跳过：{}"},
    {Word::not_measured, "Not measured", "未测得"},
    {Word::remarks_heading, "Remarks", "备注"},
    {Word::damaged_records, "Records of the journal that could not be read",
     "日志簿中无法读取的记录"},
    {Word::no_results, "The journal holds no runs.", "日志簿中没有任何运行记录。"},
    {Word::report_title, "Training speed: {}", "训练性能测试：{}"},
    {Word::report_intro,
     "Made by trainmark from the journal of the measurement: what was tested, on which machine, "
     "how to repeat it, the results, and the logs behind every figure.",
     "本报告由 trainmark "
     "根据测量日志簿生成，包括测试内容、执行环境、复现方法、测试结果，以及每个数字背后的日志。"},
    {Word::contents, "Contents", "目录"},
    {Word::tested, "1. What was tested", "一、测试说明"},
    {Word::tested_metric,
     "The figure is **throughput**: items trained ÷ time elapsed, over the steady part of a run, "
     "of the whole job. The interval (±) covers the truth in 95 % of cases and includes the spread "
     "between runs.",
     "衡量指标是**吞吐率**：在一次运行的稳定阶段内，整个任务训练的样本数除以经过的时间。"
     "区间（±）为 95 % 置信区间，包含各次运行之间的差异。"},
    {Word::tested_workloads, "Workloads:", "测试模型："},
    {Word::tested_dimensions, "Measured along these dimensions:", "测试维度如下："},
    {Word::dimension_devices, "Devices", "卡数"},
    {Word::dimension_devices_text, "{} (nodes `n`, processes a node `g`)",
     "{}（`n` 为机器数，`g` 为每台机器的进程数）"},
    {Word::dimension_precision, "Precision", "训练精度"},
    {Word::dimension_precision_text, "{}", "{}"},
    {Word::dimension_batch, "Batch size", "BatchSize"},
    {Word::dimension_batch_text,
     "per device, as each framework was given it:", "每张卡上的大小，各框架取值如下："},
    {Word::environment, "2. Environment", "二、环境介绍"},
    {Word::machine, "Machine", "物理机环境"},
    {Word::software, "Software", "软件环境"},
    {Word::environment_used_by, "Environment {}: {} runs", "环境 {}：{} 次运行"},
    {Word::no_environment, "The journal does not say.", "日志簿中没有记录。"},
    {Word::repeat, "5. How to repeat it", "五、测试步骤"},
    {Word::repeat_command,
     "Save the suite below as {}, then:", "将下面的测试套件保存为 {}，然后执行："},
    {Word::repeat_suite,
     "Suite {}, {} cells, {} rounds, begun {}:", "测试套件 {}：{} 个单元，{} 轮，开始于 {}："},
    {Word::repeat_seed, "Seeds of the runs: {}", "各次运行的随机种子：{}"},
    {Word::repeat_trainmark, "Measured with trainmark {}", "使用 trainmark {} 测量"},
    {Word::repeat_rule, "Stopping rule: {}", "停止规则：{}"},
    {Word::repeat_no_suite,
     "No suite was used. The programs were started so:", "没有使用测试套件，各程序的启动命令为："},
    {Word::results, "6. Results", "六、测试结果"},
    {Word::unit, "Unit: {}", "单位：{}"},
    {Word::matrix_note_batch,
     "A raised [BS=…] is the batch a figure was measured with, where it is not the row's.",
     "上标 [BS=…] 表示该数据实际使用的 BatchSize 与所在行不同。"},
    {Word::matrix_note_remark, "A raised [!] has a remark below.",
     "上标 [!] 表示该数据有备注，见后文。"},
    {Word::matrix_note_accumulate, "A raised [AccGrad=…] is the number of batches a step adds up.",
     "上标 [AccGrad=…] 表示每步累积梯度的批次数。"},
    {Word::details, "Details", "详细数据"},
    {Word::details_note,
     "Average and median are of the runs; speed-up is the median ÷ the median at 1n1g.",
     "均值与中值取自各次运行；加速比为中值速度与单机单卡（1n1g）中值速度之比。"},
    {Word::scaling, "Scaling", "加速比"},
    {Word::scaling_note, "{}, batch {} per device, {}:", "{}，每卡批大小 {}，{}："},
    {Word::proof, "Do they train the same?", "训练的数学是否相同？"},
    {Word::proof_note,
     "Same weights, same data, fp32 or fp64, no dropout: the largest relative differences of their "
     "losses, "
     "of the first step's gradients, and of what all steps made of the weights "
     "(`trainmark verify`).",
     "相同权重、相同数据、fp32 或 fp64、无 dropout：损失、首步梯度及权重更新的最大相对差异"
     "（`trainmark verify`）。"},
    {Word::proof_reference, "the reference", "参照"},
    {Word::proof_none, "not verified; `trainmark verify` would tell",
     "未验证；可用 `trainmark verify` 验证"},
    {Word::proof_same, "the same: {:.1e} over {} steps ({}, against {}, {})",
     "相同：{:.1e}，{} 步（{}，对照 {}，{}）"},
    {Word::proof_differs, "NOT the same: {:.1e} over {} steps ({}, against {}, {})",
     "不同：{:.1e}，{} 步（{}，对照 {}，{}）"},
    {Word::proof_tensors,
     "; gradients {:.1e} ({}), updates {:.1e} ({}), growth of the weights {:.1e}",
     "；梯度 {:.1e}（{}），更新 {:.1e}（{}），权重增长 {:.1e}"},
    {Word::proof_cause, "; too far: {}", "；超出限度：{}"},
    {Word::proof_failed, "not verified: {}", "未能验证：{}"},
    {Word::fairness, "What differs between the frameworks", "各框架的差异"},
    {Word::fairness_note,
     "These differences may explain a part of the figures; what is equal everywhere is left out.",
     "以下差异可能解释部分数据的差别；各框架相同的项不列出。"},
    {Word::fairness_same, "Nothing that the trainers reported differs.",
     "各训练程序报告的信息没有差异。"},
    {Word::versions, "versions", "版本"},
    {Word::remarks_note,
     "What may spoil a figure, or makes it hard to believe:", "可能影响数据可信度的情况："},
    {Word::logs, "7. Logs", "七、日志数据"},
    {Word::logs_note, "Each folder holds the events and the output of one run.",
     "每个目录包含一次运行的事件和输出。"},
    {Word::comparison_title, "Comparison: {} → {}", "对比：{} → {}"},
    {Word::cell, "cell", "单元"},
    {Word::base, "base", "基准"},
    {Word::next, "new", "新"},
    {Word::change, "change", "变化"},
    {Word::change_interval, "95 % interval", "95 % 区间"},
    {Word::answer, "answer", "结论"},
    {Word::faster, "faster", "更快"},
    {Word::slower, "slower", "更慢"},
    {Word::same, "same", "相同"},
    {Word::unclear, "unclear", "不确定"},
    {Word::more_rounds, "about {} more rounds would settle it", "约需再测 {} 轮才能确定"},
    {Word::comparison_summary, "{} faster, {} slower, {} same, {} unclear",
     "{} 个更快，{} 个更慢，{} 个相同，{} 个不确定"},
    {Word::only_in, "Only in {}", "仅存在于 {}"},
    {Word::nothing_in_common, "The two have no cell in common.", "两者没有共同的单元。"},
    {Word::features, "3. Feature support", "三、特性支持"},
    {Word::features_note, "What the runs of this journal have shown; `-` was not tried.",
     "由本日志簿中的运行得出；`-` 表示未测试。"},
    {Word::feature, "feature", "特性"},
    {Word::feature_devices, "several processes on one node", "单机多卡"},
    {Word::feature_nodes, "several nodes", "多机训练"},
    {Word::feature_accumulate, "accumulated gradients", "梯度累积"},
    {Word::feature_proof, "proven to train the same", "已验证训练数学相同"},
    {Word::yes, "yes", "是"},
    {Word::no, "no", "否"},
    {Word::setting_up, "4. Set-up", "四、环境搭建"},
    {Word::setting_up_trainmark,
     "Trainmark {}: `make build` in its checkout installs what it needs and builds it.",
     "Trainmark {}：在其源码目录执行 `make build`，会安装依赖并编译。"},
    {Word::setting_up_framework, "{}: {}; installed by {}", "{}：{}；安装命令 {}"},
    {Word::setting_up_foreign, "{}: {}; started by its own command (below)",
     "{}：{}；由其自身命令启动（见下文）"},
    {Word::setting_up_unknown, "its versions were not told", "未报告版本"},
    {Word::topology, "How the GPUs are linked", "GPU 互联拓扑"},
    {Word::all_workloads, "All workloads, one process each", "各模型单卡吞吐率"},
    {Word::all_workloads_note, "The fastest batch of each framework at the smallest scale.",
     "各框架在最小规模下最快的批大小。"},
    {Word::time_to_train, "time to train (s)", "Time2Train(sec)"},
    {Word::accuracy, "accuracy (%)", "准确率(%)"},
    {Word::plot, "Plot", "图"},
    {Word::environments_differ, "What differs in the environment", "环境差异"},
    {Word::environments_same, "Nothing that is recorded of machine and software differs.",
     "已记录的机器与软件信息没有差异。"},
    {Word::what_settles, "What would settle what is unclear", "如何确定不明确的结论"},
    {Word::journals, "journals", "日志簿"},
    {Word::begun, "begun", "开始时间"},
    {Word::history_title, "Training speed over time", "训练性能历史"},
    {Word::history_summary, "{} journals, {} cells in several of them, {} with a change",
     "{} 个日志簿，{} 个单元出现多次，其中 {} 个有变化"},
    {Word::history_note,
     "A change is marked where it is beyond what the scatter between journals explains (false "
     "alarms in at most {} % of histories without a change) and larger than {} %. The noise band "
     "is where a further result of the same speed would lie, with 95 %.",
     "若变化超出各日志簿之间的波动所能解释的范围（无变化的历史中误报率不超过 {} %）且大于 {} "
     "%，则标为变化点。噪声带表示相同速度的下一结果以 95 % 概率所在的范围。"},
    {Word::history_too_few, "too few to tell: {} are needed", "数量不足：至少需要 {} 个"},
    {Word::history_none, "none", "无"},
    {Word::history_line, "history", "历史"},
    {Word::newest, "newest", "最新"},
    {Word::noise_band, "noise", "噪声"},
    {Word::changes, "changes", "变化点"},
    {Word::share_of_fastest, "of the fastest", "相对最快"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (static_cast<std::size_t>(entries[i].word) != i) return false;
  return true;
}
static_assert(in_order(), "a word is missing, or stands elsewhere than in the enumeration");

}  // namespace

std::optional<Language> language_of(std::string_view name) {
  if (name == "en") return Language::en;
  if (name == "zh") return Language::zh;
  return std::nullopt;
}

std::string_view say(Word word, Language language) {
  const auto index = static_cast<std::size_t>(word);
  TRAINMARK_ASSERT(index < entries.size());
  return language == Language::zh ? entries[index].zh : entries[index].en;
}

const Phrase* find_phrase(std::span<const Phrase> phrases, std::string_view key) {
  for (const Phrase& phrase : phrases)
    if (phrase.key == key) return &phrase;
  return nullptr;
}

}  // namespace trainmark
