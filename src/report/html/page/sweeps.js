import { barBox } from './bars.js';
import { make, section, shortened } from './dom.js';
import { say } from './language.js';
import { lineBox } from './lines.js';
import { data, frameworkColour, grouped, isGood, resultsOf } from './model.js';
import { percent } from './numbers.js';
import { showCell } from './table.js';

// What batch and precision do, with everything else alike.

const precisionRows = 16;

export function sweeps() {
  const cards = data.groups.map((group) => {
    const results = resultsOf(group).filter(isGood);
    const charts = [batchSweep(group, results), precisionSweep(results)].filter(Boolean);
    return charts.length > 0 && make('div', { class: 'card' }, make('h3', {}, group.title), make('div', { class: 'pair' }, charts));
  }).filter(Boolean);
  return cards.length > 0 ? section('sweeps', say('sweeps'), cards) : null;
}

function batchSweep(group, results) {
  const lines = [...grouped(results, ({ cell }) => JSON.stringify([cell.framework, cell.precision, cell.scale, cell.accumulate])).values()]
    .map((points) => points.sort((a, b) => a.cell.batch - b.cell.batch))
    .filter((points) => points.length > 1);
  if (lines.length === 0) return null;
  const ticks = [...new Set(lines.flat().map(({ cell }) => cell.batch))].sort((a, b) => a - b);
  return lineBox({
    name: 'batch',
    title: say('batch_sweep'),
    xTitle: say('batch'),
    yTitle: `${group.unit}/s`,
    ticks: ticks.length <= 16 ? ticks : null,
    series: lines.slice(0, 14).map((points) => ({
      label: shortened(`${points[0].cell.framework} ${points[0].cell.precision} ${points[0].cell.scale}`, 44),
      paint: () => frameworkColour(points[0].cell.framework),
      points: points.map((r) => ({ x: r.cell.batch, y: r.throughput.value, text: `${r.text.throughput} ${r.text.interval}` })),
    })),
  });
}

function precisionSweep(results) {
  const alike = [...grouped(results, ({ cell }) => JSON.stringify([cell.framework, cell.batch, cell.scale, cell.accumulate])).values()]
    .filter((list) => list.length > 1)
    .map((list) => list.sort((a, b) => (b.cell.precision === 'fp32') - (a.cell.precision === 'fp32')))
    .slice(0, precisionRows / 2);
  if (alike.length === 0) return null;
  const base = new Map(alike.flatMap((list) => list.map((r) => [r, list[0]])));
  return barBox({
    name: 'precision',
    title: say('precision_sweep'),
    results: alike.flat(),
    value: (r) => r.throughput.value,
    interval: ({ throughput }) => (throughput.high > throughput.low ? [throughput.low, throughput.high] : null),
    figure: (r) => [r.text.throughput.split(' ')[0],
      base.get(r) === r ? r.text.interval : `${r.text.interval}  ${percent(r.throughput.value / base.get(r).throughput.value)}`],
    open: (r) => showCell(r.key),
  });
}
