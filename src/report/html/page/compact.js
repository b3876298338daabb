import { badgesOf } from './badges.js';
import { inlineBar } from './bars.js';
import { make } from './dom.js';
import { say } from './language.js';
import { data, findResult } from './model.js';
import { showCell } from './table.js';

// One framework: a row per workload. Throughputs of different workloads have different units, so the bars are of what can be compared.

const measures = [
  ['step', (result) => result.step_seconds],
  ['memory', (result) => result.peak_device_bytes || result.peak_host_bytes],
  ['utilisation', (result) => result.utilisation],
  ['energy', (result) => result.joules_per_item],
];

function heading(name) {
  switch (name) {
    case 'step': return say('step');
    case 'memory': return say('memory');
    case 'utilisation': return say('utilisation');
    default: return say('energy');
  }
}

export function compactTable() {
  const results = data.contests.filter(({ usual }) => usual).flatMap(({ standings }) => standings.map(({ key }) => findResult(key)));
  const shown = measures.filter(([, value]) => results.some(value));
  const most = new Map(shown.map(([name, value]) => [name, Math.max(...results.map((result) => value(result) || 0))]));
  const varied = (field) => new Set(results.map(({ cell }) => cell[field])).size > 1;
  const nameOf = ({ cell, text }) => [cell.workload, varied('size') && cell.size, varied('precision') && cell.precision, varied('device') && cell.device,
    varied('scale') && cell.scale, `b${text.batch}`].filter(Boolean);
  return make('div', { class: 'scroll tall blocks', tabindex: '0', role: 'region', 'aria-label': say('overview') }, make('table', { class: 'compact' },
    make('thead', {}, make('tr', {}, [say('workload'), say('throughput'), ...shown.map(([name]) => heading(name)), say('remarks')]
      .map((text, at) => make('th', { scope: 'col', class: at === 1 && 'number' }, text)))),
    make('tbody', {}, results.map((result) => {
      const [main, ...rest] = nameOf(result);
      return make('tr', { 'data-key': result.key },
        make('td', {}, make('button', { type: 'button', class: 'name', onclick: () => showCell(result.key) }, make('strong', {}, main), ' ', make('span', { class: 'note' }, rest.join(' · ')))),
        make('td', { class: 'number' }, make('strong', {}, result.text.throughput), ' ', make('span', { class: 'note' }, result.text.interval)),
        shown.map(([name, value]) => make('td', { class: 'measure', 'data-label': heading(name) }, result.text[name], value(result) && inlineBar(result, value(result) / most.get(name)))),
        make('td', {}, badgesOf(result, 2)));
    }))));
}
