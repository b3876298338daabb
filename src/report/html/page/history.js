import { axisTitle, chartBox } from './charts.js';
import { historyMarks } from './chart_marks.js';
import { differencesSection } from './comparison.js';
import { make, plainTable, section } from './dom.js';
import { say } from './language.js';
import { data } from './model.js';
import { brief } from './numbers.js';
import { colour } from './theme.js';

// Many journals: each cell through time, with its noise band, and where its speed changed.

export function historySections() {
  const { cells, journals, false_alarm: alarm, same } = data.history;
  const changed = cells.filter(({ changes }) => changes.length > 0);
  return [
    section('overview', say('overview'),
      make('div', { class: 'tiles' }, [[journals.length, say('journals')], [cells.length, say('cells_followed')], [changed.length, say('cells_changed'), 'doubt']]
        .map(([count, name, tone]) => make('div', { class: `tile ${count > 0 && tone ? tone : ''}` }, make('b', {}, String(count)), make('span', {}, name)))),
      make('p', { class: 'note' }, say('history_note', alarm * 100, same * 100)),
      changed.length > 0 && plainTable([say('cell'), say('changes'), say('newest')], changed.map(({ key, changes, newest }) =>
        [key, changes.map(({ text }) => make('div', {}, text)), newest]), { class: 'changes' })),
    section('results', say('results'), [...changed, ...cells.filter(({ changes }) => changes.length === 0)].map(historyCard)),
    section('journals', say('journals'), plainTable(['', say('started'), 'trainmark'],
      journals.map(({ name, started, trainmark }) => [name, started.replace('T', ' ').replace('Z', ''), trainmark]))),
    differencesSection(data.history.differences, journals.map(({ started, name }) => started.slice(0, 10) || name)),
  ].filter(Boolean);
}

function dayOf(place) {
  const journal = data.history.journals[place];
  return journal ? journal.started.slice(0, 10) || journal.name : '';
}

function historyCard(cell) {
  const few = cell.points.length < data.history.fewest;
  return make('div', { class: 'card' }, chartBox({
    name: 'history',
    title: cell.key,
    note: few ? say('history_too_few', data.history.fewest) : cell.changes.map(({ text }) => text).join(' · '),
    height: 240,
    label: `${cell.key}: ${cell.points.map(({ text }) => text).join(', ')}`,
    configure: () => ({
      type: 'line',
      plugins: [historyMarks],
      data: { datasets: [{ label: cell.key, data: cell.points, borderColor: colour('series-0'), backgroundColor: colour('series-0'), borderWidth: 1, pointRadius: 4 }] },
      options: {
        interaction: { mode: 'nearest', intersect: false },
        scales: {
          x: { type: 'linear', min: -0.4, max: data.history.journals.length - 0.6, ticks: { stepSize: 1, maxTicksLimit: 12, callback: (value) => (Number.isInteger(value) ? dayOf(value) : '') } },
          y: { title: axisTitle(`${cell.unit}/s`), grace: '10%', ticks: { callback: brief, maxTicksLimit: 6 } },
        },
        plugins: {
          historyMarks: { parts: cell.parts, changes: cell.changes },
          tooltip: { callbacks: { title: ([{ raw }]) => data.history.journals[raw.x].name, label: ({ raw }) => raw.text } },
        },
      },
    }),
  }));
}
