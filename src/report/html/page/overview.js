import { barBox } from './bars.js';
import { badgesOf, foreignBadge, placeBadge } from './badges.js';
import { compactTable } from './compact.js';
import { make, section, shortened } from './dom.js';
import { inLanguage, say } from './language.js';
import { contestsOf, data, findResult, grouped, isGood, resultsOf, scalesOf, standingOf } from './model.js';
import { duration, percent } from './numbers.js';
import { showCell } from './table.js';

// What most people come for: the result in a sentence, and who is the fastest.

const rankingRows = 12;
const rankingBadges = 2;
const chosenScales = new Map();  // by group; what the reader chose outlives newer data

export function overview() {
  const cards = data.groups.map(ranking).filter(Boolean);
  return section('overview', say('overview'),
    data.headline && inLanguage(data.headline) && make('p', { class: 'headline' }, unbroken(inLanguage(data.headline))),
    tiles(),
    data.results.length === 0 && make('p', {}, say('no_results')),
    isOneFramework() ? compactTable() : cards.length > 0 && [notes(), make('div', { class: 'cards' }, cards)]);
}

/// No line ends between a figure and its per cent sign.
function unbroken(sentence) {
  return sentence.replace(/(\d) %/g, '$1\u00a0%');
}

function notes() {
  return [say('ranking_note'), data.references.length > 0 && say('published_note'), data.results.some(({ imported }) => imported) && say('imported_legend')]
    .filter(Boolean).map((text) => make('p', { class: 'note' }, text));
}

/// Cards with a single bar each would say little. The clock, by which the bench checks itself, is no framework to compare with.
function isOneFramework() {
  const good = data.results.filter(isGood);
  const trained = good.filter(({ cell }) => cell.workload !== 'clock');
  return data.references.length === 0 && good.length > 0 && data.contests.every(({ standings }) => standings.length === 1)
    && new Set((trained.length > 0 ? trained : good).map(({ cell }) => cell.framework)).size === 1;
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
  return make('p', { class: 'tiles' }, counts.filter(([count, , tone]) => count !== 0 || !tone).map(([count, name, tone]) =>
    make('span', { class: `tile ${tone || ''}` }, make('b', {}, String(count)), ' ', name)));
}

/// The scale with the most to compare; the smallest of those.
function usualScale(group, scales) {
  const entries = (scale) => contestsOf(group, scale).reduce((sum, { standings }) => sum + standings.length, 0);
  return scales.reduce((best, scale) => (entries(scale) > entries(best) ? scale : best), scales[0]);
}

function ranking(group) {
  const scales = scalesOf(resultsOf(group));
  if (scales.length === 0) return null;
  const place = make('div');
  const buttons = scales.map((scale) => make('button', { type: 'button', class: 'choice', onclick: () => { chosenScales.set(group.title, scale); choose(scale); } }, scale));
  const choose = (scale) => {
    buttons.forEach((button, at) => button.setAttribute('aria-pressed', String(scales[at] === scale)));
    const measured = contestsOf(group, scale).flatMap(({ standings }) => standings.map(({ key }) => findResult(key)));
    place.replaceChildren(rankingBox(group, measured, scale),
      measured.length > rankingRows ? make('p', { class: 'note' }, say('ranking_more', measured.length - rankingRows)) : '');
  };
  const before = chosenScales.get(group.title);
  choose(scales.includes(before) ? before : usualScale(group, scales));
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

export function intervalOf({ throughput, published }) {
  return !published && throughput.high > throughput.low ? [throughput.low, throughput.high] : null;
}

function rankingBox(group, measured, scale) {
  const fastest = (list) => list.sort((a, b) => b.throughput.value - a.throughput.value);
  const results = fastest([...fastest(measured).slice(0, rankingRows), ...referencesOf(group, scale)]);
  return barBox({
    name: 'ranking',
    results,
    value: (result) => result.throughput.value,
    interval: intervalOf,
    figure: (result) => [result.text.throughput.split(' ')[0], aside(result),
      result.published ? [] : [placeBadge(standingOf(result)), foreignBadge(result), ...badgesOf(result, rankingBadges, false)].filter(Boolean)],
    open: (result) => showCell(result.key),
  });
}

function aside(result) {
  if (result.published) return shortened(result.published, 28);
  const { ratio, place } = standingOf(result);
  return result.text.interval + (ratio && place !== 'best' ? ` · ${percent(ratio)}` : '');
}

/// The machine in a line: the GPUs and processors of the first environments.
export function machineLine() {
  const nameOf = ({ name, value }) => (name === 'model' || name.startsWith('gpu ') ? [value.en.split(',')[0]] : []);
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
