import { shadeOf } from './theme.js';

// The data object and what is looked up in it. `trainmark report` writes one into the page; whoever serves the page can
// send another.

export let data = null;
let byKey = new Map();
let shades = new Map();
let byGroup = new Map();
let standings = new Map();

// The same colour in every report. Others get what is left, in the order of their names.
const familyHues = { libtorch: 0, pytorch: 5, tensorflow: 1, jax: 2, paddle: 3, mxnet: 4, clock: 6 };
const hues = 7;

export function setData(object) {
  data = object;
  byKey = new Map(data.results.map((result) => [result.key, result]));
  byGroup = grouped(data.results, ({ cell }) => groupKey(cell));
  shades = shadesOf([...new Set(data.results.map((result) => result.cell.framework))].sort());
  standings = new Map(data.contests.flatMap((contest) => contest.standings.map((standing) =>
    [standing.key, { ...standing, shown: shownPlace(contest, standing) }])));
}

/// A leader that others tie with has not won, and one without rivals has no place at all.
function shownPlace({ standings: all }, { place }) {
  if (place !== 'best') return place;
  if (all.length === 1) return null;
  if (all.some((other) => other.place === 'same')) return 'same';
  return all.some((other) => other.place === 'unclear') ? 'unclear' : 'best';
}

/// A hue for each framework, a shade of it for each of its modes.
function shadesOf(frameworks) {
  const families = grouped(frameworks, (framework) => framework.split(':')[0]);
  const known = (family) => (Object.hasOwn(familyHues, family) ? familyHues[family] : null);
  const taken = new Set([...families.keys()].map(known));
  const free = [...Array(hues).keys()].filter((hue) => !taken.has(hue));
  const found = new Map();
  let others = 0;
  for (const [family, members] of families) {
    const hue = known(family) ?? (free.length > 0 ? free[others++ % free.length] : others++ % hues);
    members.forEach((framework, shade) => found.set(framework, { hue, shade }));
  }
  return found;
}

export function findResult(key) {
  return byKey.get(key);
}

/// A framework has the same colour all over the page.
export function frameworkColour(framework) {
  const { hue, shade } = shades.get(framework) || { hue: 0, shade: 0 };
  return shadeOf(hue, shade);
}

/// How a result stands against the fastest of its contest; nothing for batches that are not their framework's fastest.
export function standingOf(result) {
  return standings.get(result.key);
}

/// The contests of a group at one scale: one for each precision.
export function contestsOf(group, scale) {
  return data.contests.filter((contest) => groupKey(contest) === groupKey(group) && contest.scale === scale);
}

/// The throughput that others are measured against: of the same workload, precision and scale.
export function bestOf({ cell }) {
  const contest = contestsOf(cell, cell.scale).find(({ precision }) => precision === cell.precision);
  const best = contest && contest.standings.find(({ place }) => place === 'best');
  return best ? findResult(best.key).throughput.value : null;
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
