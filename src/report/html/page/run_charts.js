import { axisTitle, chartBox } from './charts.js';
import { parts } from './chart_marks.js';
import { say } from './language.js';
import { brief } from './numbers.js';
import { colour, faint, seriesColour } from './theme.js';

// What a run did step by step.

const longTail = 8;  // a step this many times the median needs a logarithmic axis

function milliseconds(seconds) {
  return seconds === null ? null : seconds * 1e3;
}

function tracePoints(trace, values) {
  return values.map((seconds, place) => ({ x: place * trace.bucket, y: milliseconds(seconds) }));
}

function partsOf(run) {
  const { summary, trace } = run;
  if (!summary) return { bands: [], stop: { at: trace.steps - 1, label: say('stop', run.failure) } };
  const end = summary.warmup + summary.used;
  return {
    bands: [
      { from: 0, to: summary.warmup, colour: colour('warm'), label: say('warmup') },
      { from: summary.warmup, to: Math.min(end, trace.steps - 1), colour: colour('steady'), label: say('steady') },
    ],
    stop: { at: trace.steps - 1, label: say('stop', summary.stopped) },
  };
}

function needsLogarithm(run) {
  const { trace, summary } = run;
  const most = Math.max(...(trace.high || trace.low));
  return Boolean(summary && summary.median > 0 && most > longTail * summary.median);
}

export function traceBox(run) {
  const { trace } = run;
  const thinned = trace.bucket > 1;
  return chartBox({
    name: 'trace',
    title: say('step_times'),
    note: thinned ? say('step_times_thinned', trace.steps, trace.bucket) : say('step_times_note'),
    height: 260,
    configure: () => {
      const paint = seriesColour(0);
      const line = { borderColor: paint, borderWidth: 1, pointRadius: trace.low.length < 80 ? 2 : 0, backgroundColor: paint };
      const datasets = [{ ...line, label: thinned ? say('shortest') : say('step'), data: tracePoints(trace, trace.low) }];
      if (thinned)
        datasets.push({ ...line, label: say('longest'), data: tracePoints(trace, trace.high), fill: '-1', backgroundColor: faint(paint, 0.3) });
      return {
        type: 'line',
        plugins: [parts],
        data: { datasets },
        options: {
          parsing: false,
          normalized: true,
          layout: { padding: { top: 22 } },
          interaction: { mode: 'nearest', axis: 'x', intersect: false },
          scales: {
            x: { type: 'linear', min: 0, max: Math.max(1, trace.steps - 1), title: axisTitle(say('step_axis')), ticks: { maxTicksLimit: 10 } },
            y: { type: needsLogarithm(run) ? 'logarithmic' : 'linear', beginAtZero: true, title: axisTitle(say('milliseconds')), ticks: { callback: brief, maxTicksLimit: 6 } },
          },
          plugins: { parts: partsOf(run), tooltip: { callbacks: { title: ([point]) => `${say('step_axis')} ${point.raw.x}`, label: ({ dataset: line_, raw }) => `${line_.label}: ${brief(raw.y)} ms` } } },
        },
      };
    },
  });
}

export function histogramBox(histogram) {
  const { from, width, counts, beyond, longest, steps } = histogram;
  const beyondNote = beyond > 0 ? ' ' + say('distribution_beyond', beyond, brief(milliseconds(longest))) : '';
  return chartBox({
    name: 'histogram',
    title: say('distribution'),
    note: say('distribution_note', steps) + beyondNote,
    height: 220,
    configure: () => ({
      type: 'bar',
      data: {
        labels: counts.map((_, place) => brief(milliseconds(from + (place + 0.5) * width))),
        datasets: [{ data: counts, backgroundColor: faint(colour('steady'), 0.8), barPercentage: 1, categoryPercentage: 0.96 }],
      },
      options: {
        scales: {
          x: { grid: { display: false }, title: axisTitle(say('milliseconds')), ticks: { maxTicksLimit: 8, maxRotation: 0 } },
          y: { title: axisTitle(say('count')), ticks: { precision: 0, maxTicksLimit: 5 } },
        },
      },
    }),
  });
}

/// curves: [{label, paint, losses: {at, values}}].
export function lossBox({ title, note, curves }) {
  return chartBox({
    name: 'loss',
    title,
    note,
    height: 220,
    configure: () => ({
      type: 'line',
      data: {
        datasets: curves.map(({ label, paint, losses }, place) => ({
          label,
          data: losses.at.map((at, place) => ({ x: at, y: losses.values[place] })),
          borderColor: paint(),
          backgroundColor: paint(),
          borderWidth: 1.5,
          // Curves that are the same lie on each other; dashes let the lower one be seen.
          borderDash: place === 0 ? [] : [6, 4 + 3 * place],
          pointRadius: 0,
        })),
      },
      options: {
        interaction: { mode: 'nearest', axis: 'x', intersect: false },
        scales: {
          x: { type: 'linear', title: axisTitle(say('step_axis')), ticks: { maxTicksLimit: 8 } },
          y: { title: axisTitle(say('losses')), ticks: { callback: brief, maxTicksLimit: 6 } },
        },
        plugins: { legend: { display: curves.length > 1, position: 'bottom' }, tooltip: { callbacks: { title: ([point]) => `${say('step_axis')} ${point.raw.x}` } } },
      },
    }),
  });
}
