import { explainedBadge } from './badges.js';
import { axisTitle, chartBox } from './charts.js';
import { changeMarks } from './chart_marks.js';
import { make, plainTable, section, shortened } from './dom.js';
import { detail, inLanguage, say } from './language.js';
import { data } from './model.js';
import { colour, faint } from './theme.js';

// Two journals: what became faster or slower, how sure that is, and what would resolve the rest.

const drawnCells = 40;
const answerTones = { faster: 'good', slower: 'bad', same: 'plain', unclear: 'doubt' };
const answerMarks = { faster: '▲', slower: '▼', same: '=', unclear: '?' };
const answerPaints = { faster: 'good', slower: 'bad', same: 'quiet', unclear: 'warm' };
const answerOrder = ['slower', 'unclear', 'faster', 'same'];
let shownAnswer = '';

export function comparisonSections() {
  const { cells } = data.comparison;
  const sorted = [...cells].sort((a, b) => answerOrder.indexOf(a.answer) - answerOrder.indexOf(b.answer) || (a.ratio || 0) - (b.ratio || 0));
  return [
    section('overview', say('overview'), gateNotice(), answerTiles(), make('p', { class: 'note' }, say('comparison_note', data.comparison.same * 100)),
      changeChart(sorted.filter((cell) => cell.ratio && cell.low && cell.high).slice(0, drawnCells))),
    section('results', say('results'), answerTable(sorted)),
    factorsSection(),
    unsettled(sorted),
    differencesSection(data.comparison.differences, [data.comparison.base, data.comparison.next]),
    onlySection(),
  ].filter(Boolean);
}

function gateNotice() {
  const { gate } = data.comparison;
  if (gate.length === 0) return null;
  return [make('h3', {}, say('gate_heading')), make('ul', { class: 'gate' }, gate.map(({ key, why }) =>
    make('li', {}, make('code', {}, key), ': ', inLanguage(why))))];
}

/// Of trainings to quality: is it the samples needed, or the time per sample?
function factorsSection() {
  const { head, rows } = inLanguage(data.comparison.factors);
  return rows.length > 0 && section('factors', say('quality_factors'), plainTable(head, rows, { class: 'factors' }));
}

function answerTiles() {
  return make('div', { class: 'tiles' }, answerOrder.map((answer) => make('div', { class: `tile ${data.comparison.counts[answer] > 0 ? answerTones[answer] : ''}` },
    make('b', {}, String(data.comparison.counts[answer])), make('span', {}, say(`answer_${answer}`)))));
}

function roundsText(rounds) {
  if (rounds === 1) return say('one_more_round');
  return rounds > 0 ? say('more_rounds', rounds) : '';
}

function answerBadge({ answer, why, more_rounds: rounds }) {
  const help = answer === 'unclear' ? [roundsText(rounds), detail(why)] : [say(`meaning_${answer}`, data.comparison.same * 100)];
  return explainedBadge(answerTones[answer], answerMarks[answer], say(`answer_${answer}`), help);
}

function answerTable(cells) {
  const place = make('div');
  const fillRows = () => {
    const rows = cells.filter(({ answer }) => !shownAnswer || answer === shownAnswer).map((cell) => [
      make('span', { 'data-key': cell.key }, cell.key), `${cell.base} (${cell.base_runs})`, `${cell.next} (${cell.next_runs})`,
      make('strong', {}, cell.change), cell.interval, answerBadge(cell),
      cell.answer === 'unclear' ? roundsText(cell.more_rounds) : '']);
    place.replaceChildren(plainTable([say('cell'), say('base'), say('next'), say('change'), say('change_interval'), say('answer'), say('remarks')],
      rows, { class: 'compared' }));
    buttons.forEach((button) => button.setAttribute('aria-pressed', String(button.dataset.answer === shownAnswer)));
  };
  const buttons = ['', ...answerOrder].map((answer) => make('button', { type: 'button', class: 'choice', 'data-answer': answer,
    onclick: () => { shownAnswer = answer; fillRows(); } }, answer ? say(`answer_${answer}`) : say('all')));
  fillRows();
  return [make('div', { class: 'choices', role: 'group', 'aria-label': say('answer') }, buttons), place];
}

function changeChart(cells) {
  if (cells.length === 0) return null;
  const change = (ratio) => (ratio - 1) * 100;
  return chartBox({
    name: 'changes',
    title: say('change'),
    height: cells.length * 30 + 70,
    label: cells.map(({ key, change: text, answer }) => `${key}: ${text} ${answer}`).join('; '),
    configure: () => ({
      type: 'bar',
      plugins: [changeMarks],
      data: {
        labels: cells.map(({ key }) => shortened(key, 60)),
        datasets: [{
          data: cells.map(({ low, high }) => [change(low), change(high)]),
          estimates: cells.map(({ ratio }) => change(ratio)),
          backgroundColor: cells.map(({ answer }) => faint(colour(answerPaints[answer]), 0.55)),
          maxBarThickness: 14,
          borderSkipped: false,
        }],
      },
      options: {
        indexAxis: 'y',
        scales: { x: { title: axisTitle('%') }, y: { ticks: { autoSkip: false } } },
        plugins: {
          changeMarks: { same: data.comparison.same * 100 },
          tooltip: { callbacks: { label: ({ dataIndex }) => `${cells[dataIndex].change} (${cells[dataIndex].interval})` } },
        },
      },
    }),
  });
}

function unsettled(cells) {
  const unclear = cells.filter(({ answer }) => answer === 'unclear');
  if (unclear.length === 0) return null;
  return section('settle', say('what_settles'), make('ul', {}, unclear.map(({ key, why, more_rounds: rounds }) =>
    make('li', {}, make('code', {}, key), ' ', rounds > 0 && make('strong', {}, roundsText(rounds)), ' ', make('span', { class: 'note' }, detail(why))))));
}

export function differencesSection(differences, names) {
  if (differences.length === 0) return null;
  return section('environment', say('environment_differences'),
    plainTable([say('item'), ...names], differences.map(({ name, values }) => [inLanguage(name), ...inLanguage(values)]), { class: 'differences' }));
}

function onlySection() {
  const { base, next, only_base: onlyBase, only_next: onlyNext } = data.comparison;
  const parts = [[base, onlyBase], [next, onlyNext]].filter(([, keys]) => keys.length > 0);
  if (parts.length === 0) return null;
  return section('missing', say('not_in_both'), parts.map(([name, keys]) => [make('h3', {}, say('only_in', name)),
    make('ul', {}, keys.slice(0, 500).map((key) => make('li', {}, make('code', {}, key))))]));
}
