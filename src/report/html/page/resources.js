import { barBox } from './bars.js';
import { make, section } from './dom.js';
import { say } from './language.js';
import { data, fastest, resultsOf, scalesOf } from './model.js';
import { gibibytes } from './numbers.js';
import { showCell } from './table.js';

// What a figure cost: memory, the share of the device's compute that was used, energy, money.

const kinds = [
  { name: 'memory', value: (r) => r.peak_device_bytes || r.peak_host_bytes, show: gibibytes, axis: 'GiB' },
  { name: 'utilisation', value: (r) => r.utilisation, show: (share) => share * 100, axis: '%' },
  { name: 'energy', value: (r) => r.joules_per_item, show: (joules) => joules, axis: 'J' },
  { name: 'gpu_busy', value: (r) => r.gpu_busy, show: (share) => share * 100, axis: '%' },
  { name: 'cost', value: (r) => r.cost_per_million, show: (money) => money, axis: '' },
];

const resourceRows = 12;

export function resources() {
  if (data.contests.every(({ standings }) => standings.length === 1)) return null;  // the table says it all
  const cards = data.groups.map((group) => {
    const results = resultsOf(group);
    const best = scalesOf(results).slice(0, 1).flatMap((scale) => fastest(results, scale)).slice(0, resourceRows);
    const charts = kinds.map((kind) => resourceBox(kind, best)).filter(Boolean);
    return charts.length > 0 && make('div', { class: 'card' }, make('h3', {}, group.title), make('div', { class: 'triple' }, charts));
  }).filter(Boolean);
  return cards.length > 0 ? section('resources', say('resources'), make('div', { class: 'cards' }, cards)) : null;
}

function resourceBox({ name, value, show, axis }, best) {
  const results = best.filter((result) => value(result));
  if (results.length === 0) return null;
  return barBox({
    name,
    title: say(name),
    note: axis,
    results,
    value: (result) => show(value(result)),
    figure: (result) => [result.text[name], ''],
    open: (result) => showCell(result.key),
  });
}
