import { make, section, shortened } from './dom.js';
import { say } from './language.js';
import { lineBox } from './lines.js';
import { data, frameworkColour, grouped, isGood, resultsOf } from './model.js';
import { colour, seriesColour } from './theme.js';

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
  const label = ([{ cell, text }]) => shortened(`${cell.framework} · b${text.batch}`, 40);
  const paintOf = ([{ cell }], place) => () => (lines.length > 7 ? frameworkColour(cell.framework) : seriesColour(place));
  const series = (value, text) => lines
    .map((points, place) => ({
      label: label(points),
      paint: paintOf(points, place),
      points: points.filter((r) => value(r) !== null).map((r) => ({ x: r.cell.ranks, y: value(r), text: text(r) })),
    }))
    .filter(({ points }) => points.length > 0);
  const straight = (y) => ({ label: say('ideal'), paint: () => colour('quiet'), dashed: true, points: ticks.map((x) => ({ x, y: y(x) })) });
  const ideals = lines.map(([first], place) => ({
    label: place === 0 ? say('ideal') : `\u200b${say('ideal')}`,
    paint: paintOf([first], place),
    dashed: true,
    points: ticks.map((x) => ({ x, y: (first.throughput.value / first.cell.ranks) * x })),
  }));
  const speedups = series((r) => r.speedup, (r) => r.text.speedup);
  const shared = { ticks, xTitle: say('ranks'), height: 260 };
  return make('div', { class: 'card' },
    make('h3', {}, `${group.title} ${precision}`),
    make('div', { class: 'triple' },
      lineBox({ ...shared, name: 'scaling-throughput', title: say('throughput'), yTitle: `${group.unit}/s`,
        series: [...series((r) => r.throughput.value, (r) => r.text.throughput), ...ideals] }),
      speedups.length > 0 && lineBox({ ...shared, name: 'scaling-speedup', title: say('speedup'), yTitle: '×', series: [...speedups, straight((x) => x)] }),
      speedups.length > 0 && lineBox({ ...shared, name: 'scaling-efficiency', title: say('efficiency'), yTitle: '', most: 1.1,
        series: [...series((r) => r.efficiency, (r) => r.text.efficiency), straight(() => 1)] })));
}
