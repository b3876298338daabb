import { axisTitle, chartBox } from './charts.js';
import { parts } from './chart_marks.js';
import { say, stopName } from './language.js';
import { brief } from './numbers.js';
import { colour, faint } from './theme.js';
import { addZoom } from './zoom.js';

// What a run did step by step.

const longTail = 8;  // a step this many times the median needs a logarithmic axis

function milliseconds(seconds) {
  return seconds === null ? null : seconds * 1e3;
}

function tracePoints(trace, values) {
  return values.map((seconds, place) => ({ x: place * trace.bucket, y: milliseconds(seconds) }));
}

/// Of several rounds only what they share: the latest end of a warm-up.
function partsOf(rounds) {
  const last = Math.max(...rounds.map(({ run }) => run.trace.steps)) - 1;
  const [{ run }] = rounds;
  if (rounds.length === 1 && !run.summary) return { bands: [], stop: { at: last, label: say('stop', run.failure) } };
  const good = rounds.map((round) => round.run.summary).filter(Boolean);
  if (good.length === 0) return { bands: [] };
  const warmup = Math.max(...good.map((summary) => summary.warmup));
  const end = Math.max(...good.map((summary) => summary.warmup + summary.used));
  return {
    bands: [
      { from: 0, to: warmup, colour: colour('warm'), label: say('warmup') },
      { from: warmup, to: Math.min(end, last), colour: colour('steady'), label: say('steady') },
    ],
    stop: rounds.length === 1 ? { at: last, label: say('stop', stopName(run.summary.stopped)) } : undefined,
  };
}

function needsLogarithm(rounds) {
  return rounds.some(({ run: { trace, summary } }) =>
    summary && summary.median > 0 && Math.max(...(trace.high || trace.low)) > longTail * summary.median);
}

function traceLines({ run: { trace }, label, paint }) {
  const line = { borderColor: paint(), borderWidth: 1, pointRadius: trace.low.length < 80 ? 2 : 0, backgroundColor: paint() };
  if (trace.bucket === 1) return [{ ...line, label, data: tracePoints(trace, trace.low) }];
  return [{ ...line, label: `${label}, ${say('shortest')}`, data: tracePoints(trace, trace.low) },
    { ...line, label: `${label}, ${say('longest')}`, data: tracePoints(trace, trace.high), fill: '-1', backgroundColor: faint(paint(), 0.2) }];
}

/// rounds: [{run, label, paint}], drawn over each other.
export function traceBox(rounds) {
  const traces = rounds.map(({ run }) => run.trace);
  const bucket = Math.max(...traces.map((trace) => trace.bucket));
  const steps = Math.max(...traces.map((trace) => trace.steps));
  const whole = [0, Math.max(1, steps - 1)];
  const box = chartBox({
    name: 'trace',
    title: say('step_times'),
    note: `${bucket > 1 ? say('step_times_thinned', steps, bucket) : say('step_times_note')} ${say('zoom_note')}`,
    height: 260,
    configure: () => ({
      type: 'line',
      plugins: [parts],
      data: { datasets: rounds.flatMap(traceLines) },
      options: {
        parsing: false,
        normalized: true,
        layout: { padding: { top: 22 } },
        interaction: { mode: 'nearest', axis: 'x', intersect: false },
        scales: {
          x: { type: 'linear', min: whole[0], max: whole[1], title: axisTitle(say('step_axis')), ticks: { maxTicksLimit: 10 } },
          y: { type: needsLogarithm(rounds) ? 'logarithmic' : 'linear', beginAtZero: true, title: axisTitle(say('milliseconds')), ticks: { callback: brief, maxTicksLimit: 6 } },
        },
        plugins: {
          legend: { display: rounds.length > 1, position: 'bottom', labels: { filter: (item) => bucket === 1 || item.datasetIndex % 2 === 0 } },
          parts: partsOf(rounds),
          tooltip: { callbacks: { title: ([point]) => `${say('step_axis')} ${point.raw.x}`, label: ({ dataset: line, raw }) => `${line.label}: ${brief(raw.y)} ms` } },
        },
      },
    }),
  });
  addZoom(box, whole);
  return box;
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
