import { cellDetails } from './cell.js';
import { forgetCharts } from './charts.js';
import { make, section, shortened } from './dom.js';
import { downloadButtons } from './downloads.js';
import { say } from './language.js';
import { data, findResult, grouped, isGood } from './model.js';
import { commonFacts, shownColumns } from './table_columns.js';

// The table of all results: grouped by workload, sorted, filtered, a page at a time; a row opens into its cell.

const pageSize = 100;
const choices = ['workload', 'framework', 'precision', 'device', 'scale'];

/// What the reader has set; it outlives a change of language.
const view = { sort: null, down: false, text: '', chosen: {}, rows: pageSize, open: new Set() };
let body, counter, more, headings;

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
  const by = shownColumns().find(({ name }) => name === view.sort);
  const sign = view.down ? -1 : 1;
  const order = by ? (a, b) => sign * compare(by.value(a), by.value(b), sign) : fastestFirst;
  // Units differ between workloads: only what is of one group is put in order.
  return [...grouped(found, groupTitle).values()].flatMap((list) => list.sort(order));
}

function fastestFirst(a, b) {
  return isGood(b) - isGood(a) || a.cell.ranks - b.cell.ranks || (isGood(a) ? b.throughput.value - a.throughput.value : 0);
}

function groupTitle({ cell: { workload, size, device } }) {
  return `${workload} ${size} ${device}`;
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
  headings = shownColumns().map((entry) => heading(entry));
  const table = make('table', { class: 'results' }, make('thead', {}, make('tr', {}, headings)), body);
  body.addEventListener('keydown', walk);
  fill();
  if (data.results.length === 0) return null;
  const box = make('div', { class: 'scroll tall', tabindex: '0', role: 'region', 'aria-label': say('table_region') }, table);
  watchWidth(box, table);
  return section('results', say('results'), controls(), caption(), box, more);
}

/// A table that fits needs no box that scrolls: its header then stays at the top of the window.
function watchWidth(box, table) {
  const watcher = new ResizeObserver(() => {
    box.classList.toggle('fits', table.offsetWidth <= box.clientWidth + 1 || table.offsetWidth === 0);
  });
  watcher.observe(box);
}

function caption() {
  const facts = commonFacts();
  if (facts.length === 0) return null;
  return make('p', { class: 'note common' }, say('all_alike'), ' ', facts.map(([name, text]) => `${say(name)} ${shortened(text, 60)}`).join(' · '));
}

function controls() {
  const input = make('input', { type: 'search', id: 'filter', placeholder: say('filter'), 'aria-label': say('filter') });
  input.value = view.text;
  input.addEventListener('input', () => { view.text = input.value; view.rows = pageSize; remember(); fill(); });
  const selects = choices.map(choice);
  const clear = () => {
    view.text = input.value = '';
    view.chosen = {};
    for (const select of selects) if (select) select.value = '';
    remember();
    fill();
  };
  return make('div', { class: 'controls' }, input, selects,
    make('button', { type: 'button', class: 'plain', id: 'clear', onclick: clear }, say('clear')), downloadButtons(chosenResults), counter);
}

function choice(name) {
  const values = [...new Set(data.results.map((result) => String(result.cell[name])))].sort();
  if (values.length < 2) return null;
  const select = make('select', { 'aria-label': say(name), 'data-choice': name },
    make('option', { value: '' }, say('all_of', say(name))),
    values.map((value) => make('option', { value }, shortened(value, 40))));
  select.value = view.chosen[name] || '';
  select.addEventListener('change', () => { view.chosen[name] = select.value; view.rows = pageSize; remember(); fill(); });
  return select;
}

function heading({ name, numeric }) {
  const button = make('button', { type: 'button' }, say(name));
  const cell = make('th', { scope: 'col', class: numeric && 'number', 'data-column': name }, button);
  button.addEventListener('click', () => {
    // Figures are mostly read from the top down.
    view.down = view.sort === name ? !view.down : numeric;
    view.sort = name;
    remember();
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
  const columns = shownColumns();
  body.replaceChildren(...[...grouped(shown, groupTitle)].flatMap(([title, results]) =>
    [groupRow(title, results[0], columns.length), ...results.flatMap((result) => rowsOf(result, columns))]));
  counter.textContent = say('shown', found.length, data.results.length);
  const left = found.length - shown.length;
  more.hidden = left === 0;
  more.textContent = say('show_more', Math.min(left, 10 * pageSize));
}

function groupRow(title, { unit }, width) {
  return make('tr', { class: 'group' }, make('th', { scope: 'rowgroup', colspan: width },
    make('span', {}, shortened(title, 80), ' ', make('span', { class: 'note' }, unit && `${shortened(unit, 20)}/s`))));
}

function rowsOf(result, columns) {
  const row = make('tr', { class: 'row', tabindex: '0', 'aria-expanded': 'false', 'data-key': result.key },
    columns.map(({ show, numeric }) => {
      const content = show(result);
      return make('td', { class: numeric && 'number' }, Array.isArray(content) ? content : shortened(content ?? '–', 60));
    }));
  row.addEventListener('click', (event) => { if (!event.target.closest('button, a')) toggle(result, row); });
  if (!view.open.has(result.key)) return [row];
  row.setAttribute('aria-expanded', 'true');
  return [row, opened(result, row, columns.length)];
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
  } else {
    view.open.add(result.key);
    row.after(opened(result, row, row.children.length));
  }
  remember(isOpen ? null : result.key);
}

/// The address says what is shown, so that it can be passed on.
function remember(cell = null) {
  const place = new URLSearchParams();
  if (view.text) place.set('q', view.text);
  for (const name of choices) if (view.chosen[name]) place.set(name, view.chosen[name]);
  if (view.sort) place.set('sort', (view.down ? '-' : '') + view.sort);
  if (cell) place.set('cell', cell);
  history.replaceState(null, '', `#${place.size > 0 ? place : 'results'}`);
}

/// The reverse, before the table is built.
export function readAddress() {
  if (!location.hash.includes('=')) return;
  const place = new URLSearchParams(location.hash.slice(1));
  view.text = place.get('q') || '';
  view.chosen = Object.fromEntries(choices.map((name) => [name, place.get(name) || '']));
  const sort = place.get('sort') || '';
  view.down = sort.startsWith('-');
  view.sort = sort.replace('-', '') || null;
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
  remember(key);
}
