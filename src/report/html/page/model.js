import { seriesColour } from './theme.js';

// The data object and what is looked up in it. `trainmark report` writes one into the page; whoever serves the page can
// send another.

export let data = null;
let byKey = new Map();
let places = new Map();
let byGroup = new Map();

export function setData(object) {
  data = object;
  byKey = new Map(data.results.map((result) => [result.key, result]));
  byGroup = grouped(data.results, ({ cell }) => groupKey(cell));
  const frameworks = [...new Set(data.results.map((result) => result.cell.framework))].sort();
  places = new Map(frameworks.map((framework, place) => [framework, place]));
}

export function findResult(key) {
  return byKey.get(key);
}

/// A framework has the same colour all over the page.
export function frameworkColour(framework) {
  return seriesColour(places.get(framework) || 0);
}

export function isGood(result) {
  return result.status === 'ok';
}

/// What may be compared with each other.
function groupKey({ workload, size, device }) {
  return JSON.stringify([workload, size, device]);
}

export function resultsOf(group) {
  return byGroup.get(groupKey(group)) || [];
}

/// Lists of what `key` says is alike, in the order of first appearance.
export function grouped(list, key) {
  const groups = new Map();
  for (const entry of list) {
    const name = key(entry);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(entry);
  }
  return groups;
}

/// Of each framework and precision the fastest, at one scale; the fastest of all first.
export function fastest(results, scale) {
  const best = grouped(results.filter((result) => isGood(result) && result.cell.scale === scale),
    ({ cell }) => JSON.stringify([cell.framework, cell.precision]));
  return [...best.values()]
    .map((list) => list.reduce((a, b) => (b.throughput.value > a.throughput.value ? b : a)))
    .sort((a, b) => b.throughput.value - a.throughput.value);
}

/// The scales of results, the smallest first.
export function scalesOf(results) {
  const scales = new Map(results.filter(isGood).map(({ cell }) => [cell.scale, cell.ranks]));
  return [...scales.keys()].sort((a, b) => scales.get(a) - scales.get(b));
}

/// The words of a run's command.
export function commandOf(run) {
  return run.command.map((place) => data.texts[place]).join(' ');
}
