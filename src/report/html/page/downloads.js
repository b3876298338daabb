import { make } from './dom.js';
import { say } from './language.js';
import { data, standingOf } from './model.js';

// The rows that are shown, as files. They are made here: the page fetches nothing.

const csvFields = [
  ['workload', (r) => r.cell.workload], ['size', (r) => r.cell.size], ['framework', (r) => r.cell.framework], ['precision', (r) => r.cell.precision],
  ['batch', (r) => r.cell.batch], ['accumulate', (r) => r.cell.accumulate], ['device', (r) => r.cell.device], ['scale', (r) => r.cell.scale],
  ['ranks', (r) => r.cell.ranks], ['unit', (r) => r.unit], ['status', (r) => r.status],
  ['throughput', (r) => r.throughput && r.throughput.value], ['low', (r) => r.throughput && r.throughput.low], ['high', (r) => r.throughput && r.throughput.high],
  ['runs', (r) => r.runs.filter((run) => !run.failure).length], ['failed_runs', (r) => r.runs.filter((run) => run.failure).length],
  ['speedup', (r) => r.speedup], ['efficiency', (r) => r.efficiency], ['step_seconds', (r) => r.step_seconds],
  ['peak_host_bytes', (r) => r.peak_host_bytes], ['peak_device_bytes', (r) => r.peak_device_bytes],
  ['utilisation', (r) => r.utilisation], ['joules_per_item', (r) => r.joules_per_item],
  ['place', (r) => (standingOf(r) || {}).place], ['verdicts', (r) => r.verdicts.map(({ name }) => name).join(';')],
];

/// A text that a spreadsheet would take for a formula gets a quote before it.
export function csvField(value) {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvOf(results) {
  const lines = [csvFields.map(([name]) => name), ...results.map((result) => csvFields.map(([, value]) => csvField(value(result))))];
  return lines.map((line) => line.join(',') + '\n').join('');
}

function jsonOf(results) {
  const plain = results.map(({ text, runs, histogram, searched, ...rest }) => ({ ...rest,
    runs: runs.map(({ id, round, seed, started, seconds, summary, failure, reason }) => ({ id, round, seed, started, seconds, summary, failure, reason })) }));
  return JSON.stringify({ trainmark: data.trainmark, title: data.title, results: plain }, null, 1) + '\n';
}

function fileName(ending) {
  return `${data.title.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|-+$/g, '').slice(0, 60) || 'trainmark'}.${ending}`;
}

function save(text, type, ending) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  make('a', { href: address, download: fileName(ending) }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/// `chosen` gives the results that are shown.
export function downloadButtons(chosen) {
  const button = (id, label, act) => make('button', { type: 'button', class: 'plain', id, title: say('download_title'), onclick: act }, '↓ ', label);
  return [button('download-csv', say('download_csv'), () => save(csvOf(chosen()), 'text/csv', 'csv')),
    button('download-json', say('download_json'), () => save(jsonOf(chosen()), 'application/json', 'json'))];
}
