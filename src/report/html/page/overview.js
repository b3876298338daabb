import { barBox } from './bars.js';
import { make, section, shortened } from './dom.js';
import { say } from './language.js';
import { data, fastest, grouped, isGood, resultsOf, scalesOf } from './model.js';
import { duration, percent } from './numbers.js';
import { showCell } from './table.js';

// What most people come for: how much was measured, and who is the fastest.

const rankingRows = 12;
const chosenScales = new Map();  // by group; what the reader chose outlives newer data

export function overview() {
  return section('overview', say('overview'), tiles(),
    data.results.length === 0 ? make('p', {}, say('no_results')) : [make('p', { class: 'note' }, say('ranking_note')), data.references.length > 0 && make('p', { class: 'note' }, say('published_note'))],
    make('div', { class: 'cards' }, data.groups.map(ranking)));
}

function tiles() {
  const runs = data.results.flatMap((result) => result.runs);
  const counts = [
    [data.results.filter(isGood).length, say('tile_cells')],
    [runs.length, say('tile_runs')],
    [duration(runs.reduce((sum, run) => sum + (run.seconds || 0), 0)), say('tile_time')],
    [data.results.filter((result) => result.verdicts.length > 0).length, say('tile_remarks'), 'doubt'],
    [runs.filter((run) => run.failure).length, say('tile_failed'), 'bad'],
    [data.skipped.length, say('tile_skipped'), 'doubt'],
  ];
  return make('div', { class: 'tiles' }, counts.map(([count, name, tone]) =>
    make('div', { class: `tile ${count !== 0 && tone ? tone : ''}` }, make('b', {}, String(count)), make('span', {}, name))));
}

/// The scale with the most to compare; the smallest of those.
function usualScale(results, scales) {
  return scales.reduce((best, scale) => (fastest(results, scale).length > fastest(results, best).length ? scale : best), scales[0]);
}

function ranking(group) {
  const results = resultsOf(group);
  const scales = scalesOf(results);
  if (scales.length === 0) return null;
  const place = make('div');
  const buttons = scales.map((scale) => make('button', { type: 'button', class: 'choice', onclick: () => { chosenScales.set(group.title, scale); choose(scale); } }, scale));
  const choose = (scale) => {
    buttons.forEach((button, at) => button.setAttribute('aria-pressed', String(scales[at] === scale)));
    const all = fastest(results, scale);
    place.replaceChildren(rankingBox(group, all.slice(0, rankingRows), scale),
      all.length > rankingRows ? make('p', { class: 'note' }, say('ranking_more', all.length - rankingRows)) : '');
  };
  const before = chosenScales.get(group.title);
  choose(scales.includes(before) ? before : usualScale(results, scales));
  return make('div', { class: 'card' },
    make('h3', {}, group.title, ' ', make('span', { class: 'note' }, `${group.unit}/s`)),
    scales.length > 1 && make('div', { class: 'choices', role: 'group', 'aria-label': say('scale') }, buttons),
    place);
}

/// Published figures of the same workload and scale, in the shape of results: of each framework and precision the fastest.
function referencesOf(group, scale) {
  const alike = data.references
    .filter(({ cell, unit }) => cell.workload === group.workload && cell.size === group.size && cell.scale === scale && unit === group.unit)
    .map(({ cell, value, text, source }) => ({ cell, key: source, published: source, throughput: { value }, text: { throughput: text, interval: '', batch: String(cell.batch) } }));
  const best = grouped(alike, ({ cell }) => JSON.stringify([cell.framework, cell.precision]));
  return [...best.values()].map((list) => list.reduce((a, b) => (b.throughput.value > a.throughput.value ? b : a)));
}

function rankingBox(group, measured, scale) {
  const results = [...measured, ...referencesOf(group, scale)].sort((a, b) => b.throughput.value - a.throughput.value);
  const best = measured[0].throughput.value;
  return barBox({
    name: 'ranking',
    results,
    value: (result) => result.throughput.value,
    interval: ({ throughput, published }) => published ? null : (throughput.high > throughput.low ? [throughput.low, throughput.high] : null),
    figure: (result) => [result.text.throughput.split(' ')[0],
      result.published ? shortened(result.published, 20)
        : result.text.interval + (result === measured[0] ? '' : `  ${percent(result.throughput.value / best)}`)],
    open: (result) => { if (!result.published) showCell(result.key); },
  });
}

/// The machine in a line: the GPUs and processors of the first environments.
export function machineLine() {
  const nameOf = ([name, value]) => (name === 'model' || name.startsWith('gpu ') ? [value.split(',')[0]] : []);
  const machine = (environment) => {
    const named = (title) => environment.parts.filter((part) => part.title.en === title)
      .flatMap((part) => part.lines).flatMap(nameOf);
    const gpus = named('GPUs');
    const counted = [...new Set(gpus)].map((name) => {
      const count = gpus.filter((other) => other === name).length;
      return count > 1 ? `${count} × ${name}` : name;
    });
    return [...counted, ...named('Processor')].join(' · ');
  };
  return [...new Set(data.environments.map(machine))].slice(0, 2).join('; ');
}

