import { badgesOf, foreignBadge, placeBadge } from './badges.js';
import { bestOf, data, isGood, standingOf } from './model.js';

// What the table of results can show. What is the same in every row goes into the caption, and what no row has is left out.

const texts = new Set(['framework', 'precision', 'remarks']);
const shownBadges = 3;

function column(name, value, show = value) {
  return { name, value, show, numeric: !texts.has(name) };
}

/// As a share of the best of the same workload, precision and scale: all batches are told apart.
function timesBest(result) {
  const best = isGood(result) ? bestOf(result) : null;
  return best ? result.throughput.value / best : null;
}

function placed(result) {
  const share = timesBest(result);
  return [share === null ? '–' : share.toFixed(2), ' ', placeBadge(standingOf(result))];
}

function allColumns() {
  return [
    column('framework', (r) => r.cell.framework),
    column('precision', (r) => r.cell.precision),
    column('batch', (r) => r.cell.batch, (r) => r.text.batch),
    column('scale', (r) => r.cell.ranks, (r) => r.cell.scale),
    column('throughput', (r) => (isGood(r) ? r.throughput.value : null), (r) => r.text.throughput),
    column('interval', (r) => r.relative_interval || null, (r) => r.text.interval),
    column('times_best', timesBest, placed),
    column('versus', (r) => (r.versus ? r.versus.ratio : null), (r) => r.text.versus),
    column('run_count', (r) => r.runs.length, (r) => r.text.runs),
    column('step', (r) => r.step_seconds, (r) => r.text.step),
    column('memory', (r) => r.peak_device_bytes || r.peak_host_bytes, (r) => r.text.memory),
    column('utilisation', (r) => r.utilisation, (r) => r.text.utilisation),
    column('energy', (r) => r.joules_per_item, (r) => r.text.energy),
    column('gpu_busy', (r) => r.gpu_busy, (r) => r.text.gpu_busy),
    column('input_cost', (r) => (r.input_cost ? r.input_cost.share : null), (r) => r.text.input_cost),
    column('input_wait', (r) => r.input_wait, (r) => r.text.input_wait),
    column('cost', (r) => r.cost_per_million, (r) => r.text.cost),
    column('speedup', (r) => r.speedup, (r) => r.text.speedup),
    column('remarks', (r) => r.verdicts.length, (r) => [foreignBadge(r), ...badgesOf(r, shownBadges)].filter(Boolean)),
  ];
}

const foldable = new Set(['framework', 'precision', 'batch', 'scale', 'run_count']);

function isConstant({ name, show }) {
  return foldable.has(name) && data.results.length > 1 && new Set(data.results.map((r) => String(show(r)))).size === 1;
}

function isTold({ name, value }) {
  if (name === 'throughput' || name === 'remarks') return true;
  if (name === 'speedup') return data.results.some((r) => r.cell.ranks > 1 && r.speedup);
  if (name === 'times_best') return data.contests.some(({ standings }) => standings.length > 1);
  return data.results.some((r) => value(r) !== null && value(r) !== undefined);
}

export function shownColumns() {
  return allColumns().filter((each) => isTold(each) && !isConstant(each));
}

/// What all rows have in common: [name, text].
export function commonFacts() {
  return allColumns().filter(isConstant).map(({ name, show }) => [name, String(show(data.results[0]))]);
}
