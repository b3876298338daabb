import { badgesOf } from './badges.js';
import { cellDetails, cellLink } from './cell.js';
import { forgetCharts } from './charts.js';
import { make, section, shortened } from './dom.js';
import { say } from './language.js';
import { data, findResult, isGood } from './model.js';

// The table of all results: sorted, filtered, a page at a time; a row opens into its cell.

const pageSize = 100;
const shownBadges = 3;
const choices = ['workload', 'framework', 'precision', 'device', 'scale'];

/// What the reader has set; it outlives a change of language.
const view = { sort: null, down: false, text: '', chosen: {}, rows: pageSize, open: new Set() };
let body, counter, more, headings;

function columns() {
  const list = [
    column('workload', (r) => r.cell.workload),
    column('size', (r) => r.cell.size),
    column('framework', (r) => r.cell.framework),
    column('precision', (r) => r.cell.precision),
    column('batch', (r) => r.cell.batch, (r) => r.text.batch),
    column('device', (r) => r.cell.device),
    column('scale', (r) => r.cell.ranks, (r) => r.cell.scale),
    column('throughput', (r) => (isGood(r) ? r.throughput.value : null), (r) => r.text.throughput),
    column('interval', (r) => r.relative_interval || null, (r) => r.text.interval),
    column('versus', (r) => (r.versus ? r.versus.ratio : null), (r) => r.text.versus),
    column('run_count', (r) => r.runs.length, (r) => r.text.runs),
    column('step', (r) => r.step_seconds, (r) => r.text.step),
    column('memory', (r) => r.peak_device_bytes || r.peak_host_bytes, (r) => r.text.memory),
    column('utilisation', (r) => r.utilisation, (r) => r.text.utilisation),
    column('energy', (r) => r.joules_per_item, (r) => r.text.energy),
    column('speedup', (r) => r.speedup, (r) => r.text.speedup),
    column('remarks', (r) => r.verdicts.length, (r) => badgesOf(r, shownBadges)),
  ];
  const always = new Set(['run_count', 'remarks', 'throughput']);
  return list.filter(({ name, value }) => {
    if (always.has(name)) return true;
    if (name === 'speedup') return data.results.some((r) => r.cell.ranks > 1 && r.speedup);
    return data.results.some((r) => value(r) !== null && value(r) !== undefined);
  });
}

function column(name, value, show = value) {
  return { name, value, show, numeric: !['workload', 'size', 'framework', 'precision', 'device', 'remarks'].includes(name) };
}

function searched(result) {
  if (!result.searched)
    result.searched = [result.key, result.status, ...result.verdicts.map(({ name }) => name)].join(' ').toLowerCase();
  return result.searched;
}

function chosenResults() {
  const wanted = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = data.results.filter((result) =>
    wanted.every((word) => searched(result).includes(word)) &&
    Object.entries(view.chosen).every(([name, value]) => !value || String(result.cell[name]) === value));
  const by = columns().find(({ name }) => name === view.sort);
  if (!by) return found;
  const sign = view.down ? -1 : 1;
  return found.sort((a, b) => sign * compare(by.value(a), by.value(b), sign));
}

/// What has no value goes last, whichever way is up.
function compare(a, b, sign) {
  const aNothing = a === null || a === undefined;
  const bNothing = b === null || b === undefined;
  if (aNothing || bNothing) return (aNothing - bNothing) * sign;
  return typeof a === 'number' ? a - b : a.localeCompare(b, 'en', { numeric: true });
}

export function resultTable() {
  body = make('tbody');
  counter = make('span', { class: 'note', role: 'status' });
  more = make('button', { type: 'button', class: 'plain', onclick: () => { view.rows += 10 * pageSize; fill(); } });
  headings = columns().map((entry) => heading(entry));
  const table = make('table', { class: 'results' }, make('thead', {}, make('tr', {}, headings)), body);
  body.addEventListener('keydown', walk);
  fill();
  return section('results', say('results'), controls(), make('div', { class: 'scroll tall' }, table), more);
}

function controls() {
  const input = make('input', { type: 'search', id: 'filter', placeholder: say('filter'), 'aria-label': say('filter') });
  input.value = view.text;
  input.addEventListener('input', () => { view.text = input.value; view.rows = pageSize; fill(); });
  const selects = choices.map(choice);
  const clear = () => {
    view.text = input.value = '';
    view.chosen = {};
    for (const select of selects) if (select) select.value = '';
    fill();
  };
  return make('div', { class: 'controls' }, input, selects,
    make('button', { type: 'button', class: 'plain', onclick: clear }, say('clear')), counter);
}

function choice(name) {
  const values = [...new Set(data.results.map((result) => String(result.cell[name])))].sort();
  if (values.length < 2) return null;
  const select = make('select', { 'aria-label': say(name), 'data-choice': name },
    make('option', { value: '' }, say('all_of', say(name))),
    values.map((value) => make('option', { value }, shortened(value, 40))));
  select.value = view.chosen[name] || '';
  select.addEventListener('change', () => { view.chosen[name] = select.value; view.rows = pageSize; fill(); });
  return select;
}

function heading({ name, numeric }) {
  const button = make('button', { type: 'button' }, say(name));
  const cell = make('th', { scope: 'col', class: numeric && 'number', 'data-column': name }, button);
  button.addEventListener('click', () => {
    // Figures are mostly read from the top down.
    view.down = view.sort === name ? !view.down : numeric;
    view.sort = name;
    fill();
  });
  return cell;
}

function fill() {
  for (const cell of headings) {
    const sorted = cell.dataset.column === view.sort;
    cell.setAttribute('aria-sort', !sorted ? 'none' : view.down ? 'descending' : 'ascending');
  }
  const found = chosenResults();
  const shown = found.slice(0, view.rows);
  forgetCharts(body);
  const shownColumns = columns();
  body.replaceChildren(...shown.flatMap((result) => rowsOf(result, shownColumns)));
  counter.textContent = say('shown', found.length, data.results.length);
  const left = found.length - shown.length;
  more.hidden = left === 0;
  more.textContent = say('show_more', Math.min(left, 10 * pageSize));
}

function rowsOf(result, shownColumns) {
  const row = make('tr', { class: 'row', tabindex: '0', 'aria-expanded': 'false', 'data-key': result.key },
    shownColumns.map(({ show, numeric }) => {
      const content = show(result);
      return make('td', { class: numeric && 'number' }, Array.isArray(content) ? content : shortened(content ?? '–', 60));
    }));
  row.addEventListener('click', (event) => { if (!event.target.closest('button, a')) toggle(result, row); });
  if (!view.open.has(result.key)) return [row];
  row.setAttribute('aria-expanded', 'true');
  return [row, opened(result, row, shownColumns.length)];
}

function opened(result, row, width) {
  return make('tr', { class: 'opened' }, make('td', { colspan: width }, cellDetails(result, () => { toggle(result, row); row.focus(); })));
}

function toggle(result, row) {
  const isOpen = view.open.has(result.key);
  row.setAttribute('aria-expanded', String(!isOpen));
  if (isOpen) {
    view.open.delete(result.key);
    forgetCharts(row.nextSibling);
    row.nextSibling.remove();
    if (location.hash === cellLink(result.key)) history.replaceState(null, '', '#results');
  } else {
    view.open.add(result.key);
    row.after(opened(result, row, row.children.length));
    history.replaceState(null, '', cellLink(result.key));
  }
}

function walk(event) {
  const row = event.target.closest('tr.row');
  if (!row || event.target !== row) return;
  if (event.key === 'Enter' || event.key === ' ') {
    toggle(findResult(row.dataset.key), row);
    event.preventDefault();
  }
  const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
  if (!step) return;
  let next = row[step];
  while (next && !next.classList.contains('row')) next = next[step];
  if (next) next.focus();
  event.preventDefault();
}

/// Opens a cell wherever it is in the table, and brings it into view.
export function showCell(key) {
  const result = findResult(key);
  if (!result) return;
  if (!chosenResults().includes(result)) {
    view.text = '';
    view.chosen = {};
    for (const control of document.querySelectorAll('.controls input, .controls select')) control.value = '';
  }
  view.rows = Math.max(view.rows, chosenResults().indexOf(result) + 1);
  view.open.add(key);
  fill();
  const row = [...body.children].find((each) => each.dataset.key === key);
  row.scrollIntoView({ block: 'start' });
  row.focus({ preventScroll: true });
  history.replaceState(null, '', cellLink(key));
}
