// One line a log. New columns are added at the end; those that are there keep their meaning.

#include "report/extraction/extraction.h"
#include "report/writing/csv_fields.h"

namespace trainmark {

namespace {

void write(const Extraction& extraction, const ReportOptions&, std::ostream& out) {
  out << "file,dialect,unit,throughput,low,high,mean,median,items_over_time,method,scope,gpus,"
         "nodes,"
         "batch,precision,model,records,used,runs,run,verdicts\n";
  for (const LogFigure& figure : extraction.figures) {
    csv_line(out, figure.file, figure.dialect, figure.unit, figure.throughput, figure.interval.low,
             figure.interval.high, figure.mean, figure.median, figure.items_over_time,
             figure.method, std::string(text(figure.scope)), figure.gpus, figure.nodes,
             figure.batch, figure.precision, figure.model, figure.records, figure.used, figure.runs,
             figure.run, verdict_names(figure, ";"));
  }
}

const Registration<ExtractionFormat> registered("csv", {"one line a log, for spreadsheets", write});

}  // namespace

}  // namespace trainmark
