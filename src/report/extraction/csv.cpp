// One line per log. New columns are added at the end; those that are there keep their meaning.

#include "report/extraction/extraction.h"
#include "report/writing/csv_fields.h"

namespace trainmark {

namespace {

void write(const Extraction& extraction, const ReportOptions&, std::ostream& out) {
  out << "file,dialect,unit,throughput,low,high,mean,median,items_over_time,method,scope,gpus,"
         "nodes,"
         "batch,precision,model,records,used,runs,run,verdicts,confidence,"
         "without_pauses,input_share,memory,mfu,quality,machine,"
         "mfu_recomputed,parameters\n";
  for (const LogFigure& figure : extraction.figures) {
    csv_line(out, figure.file, figure.dialect, figure.unit, figure.throughput, figure.interval.low,
             figure.interval.high, figure.mean, figure.median, figure.items_over_time,
             figure.method, std::string(text(figure.scope)), figure.gpus, figure.nodes,
             figure.batch, figure.precision, figure.model, figure.records, figure.used, figure.runs,
             figure.run, verdict_names(figure, ";"), std::string(text(figure.confidence)),
             figure.without_pauses, figure.input_share, figure.memory, figure.mfu,
             quality_text(figure, ";"), figure.machine, figure.mfu_recomputed, figure.parameters);
  }
}

const Registration<ExtractionFormat> registered("csv",
                                                {"one line per log, for spreadsheets", write});

}  // namespace

}  // namespace trainmark
