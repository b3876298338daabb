import { make, section, shortened } from './dom.js';
import { say } from './language.js';
import { lineBox, markOf, sharedLegend } from './lines.js';
import { data, frameworkColour, grouped, isGood, resultsOf } from './model.js';
import { colour } from './theme.js';

// More devices: throughput, speed-up and efficiency, each beside what would be ideal.

export function scaling() {
  const cards = data.groups.flatMap((group) =>
    [...grouped(resultsOf(group).filter(isGood), ({ cell }) => cell.precision)]
      .map(([precision, results]) => scalingCard(group, precision, results)));
  const shown = cards.filter(Boolean);
  if (shown.length === 0) return null;
  return section('scaling', say('scaling'), make('p', { class: 'note' }, say('scaling_note')), shown);
}

/// Lines that differ in scale alone, with the points in its order.
function linesOf(results) {
  const lines = grouped(results, ({ cell }) => JSON.stringify([cell.framework, cell.batch, cell.accumulate]));
  return [...lines.values()]
    .map((points) => points.sort((a, b) => a.cell.ranks - b.cell.ranks))
    .filter((points) => points.at(-1).cell.ranks > points[0].cell.ranks);
}

function scalingCard(group, precision, results) {
  const lines = linesOf(results);
  if (lines.length === 0) return null;
  const ticks = [...new Set(lines.flat().map(({ cell }) => cell.ranks))].sort((a, b) => a - b);
  const entries = lines.map((points, place) => ({
    label: shortened(`${points[0].cell.framework} · b${points[0].text.batch}`, 40),
    paint: () => frameworkColour(points[0].cell.framework),
    mark: markOf(place),
    points,
  }));
  const series = (value, text) => entries
    .map(({ points, ...entry }) => ({ ...entry, points: points.filter((r) => value(r) !== null).map((r) => ({ x: r.cell.ranks, y: value(r), text: text(r) })) }))
    .filter(({ points }) => points.length > 0);
  const ideal = { label: say('ideal'), paint: () => colour('quiet'), dashed: true };
  const straight = (y) => ({ ...ideal, points: ticks.map((x) => ({ x, y: y(x) })) });
  const ideals = entries.map(({ points: [first], paint }) => ({ ...ideal, paint, points: ticks.map((x) => ({ x, y: (first.throughput.value / first.cell.ranks) * x })) }));
  const speedups = series((r) => r.speedup, (r) => r.text.speedup);
  const shared = { ticks, xTitle: say('ranks'), height: 260, legend: false, logarithmic: true };
  return make('div', { class: 'card' },
    make('h3', {}, `${group.title} ${precision}`),
    sharedLegend([...entries, ideal]),
    make('div', { class: 'triple' },
      lineBox({ ...shared, name: 'scaling-throughput', title: say('throughput'), yTitle: `${group.unit}/s`,
        series: [...series((r) => r.throughput.value, (r) => r.text.throughput), ...ideals] }),
      speedups.length > 0 && lineBox({ ...shared, name: 'scaling-speedup', title: say('speedup'), yTitle: '×', series: [...speedups, straight((x) => x)] }),
      speedups.length > 0 && lineBox({ ...shared, logarithmic: false, name: 'scaling-efficiency', title: say('efficiency'), yTitle: '%', most: 110,
        series: [...series((r) => (r.efficiency === null ? null : r.efficiency * 100), (r) => r.text.efficiency), straight(() => 100)] })));
}
