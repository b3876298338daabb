// What the names of verdicts, failures and areas of an environment mean, for those who read a
// report.

#include <algorithm>
#include <array>

#include "report/words/words.h"

namespace trainmark {

namespace {

constexpr auto verdicts = std::to_array<Phrase>({
    {"not-converged", "The run ended before its interval was as narrow as asked for.",
     "运行结束时，置信区间尚未达到要求的宽度。"},
    {"no-steady-state", "The speed was still changing when the run ended.",
     "直到运行结束，速度仍未稳定。"},
    {"outliers",
     "Some steps took far longer or shorter than the rest; they are counted all the same.",
     "个别训练步耗时明显异常，但仍计入统计。"},
    {"mean-of-rates-differs",
     "The mean of the steps' rates is not items ÷ time: the steps are uneven.",
     "各步速率的平均值与“样本数÷时间”不一致，说明各步快慢不均。"},
    {"loss-nan", "The loss was not a number: what was timed is not training.",
     "损失值为 NaN，所测并非有效的训练。"},
    {"loss-flat", "The loss did not move: perhaps nothing was learned.",
     "损失值没有变化，可能没有真正训练。"},
    {"gaps-between-steps",
     "Much time passed between the steps, outside of what the trainer counts as a step.",
     "训练步之间存在较多未计入单步耗时的时间。"},
    {"fewer-steps", "The run did fewer steps than asked for.", "运行的步数少于要求。"},
    {"drift", "The speed changed slowly over the run.", "运行过程中速度缓慢变化。"},
    {"plateau", "More steps no longer narrow the interval: the speed itself wanders.",
     "增加步数已无法缩小置信区间：速度本身在波动。"},
    {"single-run", "Only one run: how much runs differ is not known.",
     "只有一次运行，无法得知各次运行之间的差异。"},
    {"first-run-slower", "The first run was much slower than the others.",
     "第一次运行明显慢于其余各次。"},
    {"runs-disagree", "The runs differ by more than their own noise explains.",
     "各次运行之间的差异超出其自身波动。"},
    {"runs-failed", "Some runs failed; the figure is of the others.",
     "部分运行失败，数据取自其余运行。"},
    {"straggler", "One rank is slower than the others in every step, and all wait for it.",
     "某个进程每一步都较慢，其余进程都在等待它。"},
    {"faster-than-linear", "More devices gave more than their share: hard to believe.",
     "加速比超过线性，难以置信。"},
    {"amp-slower-than-fp32", "Mixed precision was slower than fp32 on the same GPU.",
     "同一 GPU 上混合精度反而慢于 fp32。"},
    {"mfu-above-one", "The model would need more FLOPs than the device can do.",
     "模型所需算力超过设备的实测峰值。"},
    {"batch-mismatch", "The trainer used another batch than the cell asks for.",
     "训练程序实际使用的批大小与要求不同。"},
    {"precision-mismatch", "The trainer used another precision than the cell asks for.",
     "训练程序实际使用的精度与要求不同。"},
    {"rank-missing", "Not all ranks took part.", "并非所有进程都参与了训练。"},
    {"throttled", "The device ran below its clock because of heat or power.",
     "设备因温度或功耗而降频。"},
    {"other-load", "Other programs used the same cores meanwhile.",
     "测量期间有其他程序占用相同的处理器核。"},
    {"stolen-time", "The host gave a part of the cores' time to other guests.",
     "宿主机将部分处理器时间分给了其他虚拟机。"},
    {"frequency-scaling", "The processor's clock follows the load, so that speeds waver.",
     "处理器频率随负载变化，速度会有波动。"},
    {"did-not-stop", "The trainer did not end when asked, and was ended by force.",
     "训练程序未按要求结束，被强制终止。"},
    {"steps-not-kept", "Not all steps were kept.", "部分训练步的记录未保存。"},
    {"logs-not-kept", "A part of the logs was not kept.", "部分日志未保存。"},
    {"swapping", "The machine moved memory to disk meanwhile.", "测量期间发生了内存交换。"},
    // Of figures that were read from what other programs print:
    {"foreign", "Read from what a program of others prints, and not measured.",
     "数据取自其他程序的输出，并非由本工具测量。"},
    {"clock-differs", "The program prints another speed than passes on the wall.",
     "程序输出的速度与实际经过的时间不符。"},
    {"too-few-records", "The log has few records that can be used.", "日志中可用的记录过少。"},
    {"running-mean", "The log prints means since the epoch began: the interval is too narrow.",
     "日志输出的是自本轮开始以来的均值，置信区间偏窄。"},
    {"rate-not-batch-over-time", "The printed rate × the printed time is not the batch size.",
     "日志中的速率×时间与批大小不符。"},
    {"summary-differs", "The program's own closing figure is another one.",
     "程序自己给出的汇总数据与此不同。"},
    {"several-runs", "The log holds several runs; the figure is that of one.",
     "日志包含多次运行，数据取自其中一次。"},
    {"header-older", "The header and the records may be of different runs.",
     "日志头与记录可能来自不同的运行。"},
    {"gpus-unknown", "The number of GPUs is needed, and said nowhere.", "缺少 GPU 数量。"},
    {"nodes-unknown", "The number of nodes is needed, and said nowhere.", "缺少节点数量。"},
    {"batch-unknown", "The batch size is needed, and said nowhere.", "缺少批大小。"},
    {"gpus-uncertain", "The number of GPUs is known by a hint only.", "GPU 数量仅为推测。"},
    {"gpus-differs", "The log says another number of GPUs than was given.",
     "日志中的 GPU 数量与给定值不同。"},
    {"nodes-differs", "The log says another number of nodes than was given.",
     "日志中的节点数量与给定值不同。"},
    {"batch-differs", "The log says another batch size than was given.",
     "日志中的批大小与给定值不同。"},
    {"more-ranks-than-gpus", "More ranks print than there are GPUs.",
     "输出日志的进程数多于 GPU 数量。"},
    {"ranks-repeat", "Several ranks print the same records; they are counted once.",
     "多个进程输出了相同的记录，只计一次。"},
    {"decoys", "Lines that look like figures of training and are none were passed over.",
     "已略过看似训练数据、实则不是的行。"},
    {"lines-cut", "Of very long lines, only the front was read.", "过长的行只读取了开头部分。"},
    {"records-merged", "The log has so many records that neighbours were averaged.",
     "记录过多，相邻记录已取平均。"},
    {"file-damaged", "The file is damaged; the figure is of what could be read.",
     "文件已损坏，数据取自可读取的部分。"},
});

constexpr auto failures = std::to_array<Phrase>({
    {"out-of-memory", "out of memory", "内存不足"},
    {"timeout", "timeout", "超时"},
    {"crash", "crash", "崩溃"},
    {"exit", "exit", "异常退出"},
    {"no-events", "no events", "没有事件"},
    {"bad-events", "bad events", "事件有误"},
    {"nan-loss", "NaN loss", "损失为 NaN"},
    {"unsupported", "unsupported", "不支持"},
    {"start-failed", "could not be started", "无法启动"},
    {"rank-lost", "a rank was lost", "进程失联"},
    {"no-steady-state", "no steady state", "速度未稳定"},
    {"no-records", "no records", "没有记录"},
    {"no-figure", "no figure", "没有数据"},
    {"other", "other", "其他原因"},
});

constexpr auto areas = std::to_array<Phrase>({
    {"cpu", "Processor", "处理器"},
    {"memory", "Memory", "内存"},
    {"gpus", "GPUs", "GPU"},
    {"system", "System", "系统"},
    {"isolation", "Isolation", "容器与虚拟化"},
    {"libraries", "Libraries", "软件库"},
    {"tools", "Launch tools", "启动工具"},
    {"variables", "Variables", "环境变量"},
    {"trainmark", "Trainmark", "Trainmark"},
});

}  // namespace

std::span<const Phrase> area_phrases() {
  return areas;
}
std::span<const Phrase> verdict_phrases() {
  return verdicts;
}
std::span<const Phrase> failure_phrases() {
  return failures;
}

std::string_view explain_verdict(std::string_view name, Language language) {
  const Phrase* phrase = find_phrase(verdicts, name);
  return phrase ? phrase->in(language) : std::string_view();
}

std::string failure_words(std::string_view failure, Language language) {
  if (const Phrase* phrase = find_phrase(failures, failure))
    return std::string(phrase->in(language));
  std::string text(failure);
  std::replace(text.begin(), text.end(), '-', ' ');
  return text;
}

}  // namespace trainmark
