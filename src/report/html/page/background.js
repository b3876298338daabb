import { failureWords } from './badges.js';
import { copyable, make, plainTable, section, visibleText } from './dom.js';
import { detail, inLanguage, say } from './language.js';
import { data, isGood } from './model.js';

// Where it was measured, how to repeat it, what is missing.

export function environmentSection() {
  const used = data.environments;
  if (used.length === 0) return null;
  return section('environment', say('environment'),
    used.length > 1 && environmentDifferences(used),
    used.map((environment, place) => make('details', { class: 'card', open: place === 0 },
      make('summary', {}, make('code', {}, environment.id), ' ', make('span', { class: 'note' }, say('environment_runs', environment.runs))),
      environment.hosts && make('p', {}, say('environment_hosts', environment.hosts.join(', '))),
      make('div', { class: 'pair' },
        partList(say('machine'), environment.parts.filter((part) => !part.software)),
        partList(say('software'), environment.parts.filter((part) => part.software))))));
}

function partList(title, list) {
  return make('div', {}, make('h4', {}, title), make('dl', {}, list.map((part) => [
    make('dt', {}, inLanguage(part.title)),
    part.lines.map(({ label, value }) => make('dd', {}, make('span', { class: 'note' }, inLanguage(label)), inLanguage(value)))])));
}

function environmentDifferences(used) {
  const rows = data.environment_differences.map(({ name, values }) => [inLanguage(name), ...inLanguage(values)]);
  return [make('p', {}, say('environments_differ', used.length)),
    rows.length === 0 ? make('p', {}, say('environments_same')) : plainTable([say('item'), ...used.map(({ id }) => id)], rows, { class: 'differences' })];
}

export function repeatSection() {
  const words = { copy: say('copy'), copied: say('copied') };
  if (data.suites.length === 0) return null;
  return section('repeat', say('repeat'),
    data.suites.map((suite) => make('div', { class: 'card' },
      make('h3', {}, detail(suite.title) || suite.name),
      make('p', { class: 'note' }, say('measured_with', suite.trainmark), ' · ', say('begun', suite.started)),
      make('p', {}, say('save_suite', suite.file)),
      copyable(visibleText(suite.command), words),
      make('details', {}, make('summary', {}, suite.file), copyable(visibleText(suite.text), words)))));
}

export function missingSection() {
  const failed = data.results.filter((result) => !isGood(result)).map((result) => {
    const { failure, reason } = result.runs[0];
    return [result.key, say('failed', failureWords(failure)) + (reason ? ` (${detail(reason)})` : '')];
  });
  const rows = [...failed, ...data.skipped.map(({ key, reason }) => [key, say('skipped', detail(reason))])];
  if (rows.length === 0 && data.damage.length === 0) return null;
  return section('missing', say('not_measured'),
    rows.length > 0 && make('ul', {}, rows.slice(0, 500).map(([key, text]) => make('li', {}, make('code', {}, key), ' ', text))),
    data.damage.length > 0 && [make('h3', {}, say('damaged_records')), make('ul', {}, data.damage.map((line) => make('li', {}, detail(line))))]);
}
