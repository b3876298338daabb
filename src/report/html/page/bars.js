import { chartBox } from './charts.js';
import { whiskers } from './chart_marks.js';
import { shortened } from './dom.js';
import { frameworkColour } from './model.js';
import { brief } from './numbers.js';
import { colour, faint } from './theme.js';

// Horizontal bars, one a result, with the figure beside each.

const rowHeight = 46;
const widestWhisker = 1.35;  // of the longest bar: a wild interval must not squeeze all others

export function barName(result) {
  const { cell } = result;
  return [shortened(cell.framework, 26), shortened(`${cell.precision} · b${result.text.batch}`, 26)];
}

/// The end of the axis where whiskers reach beyond the bars; else Chart.js finds its own.
function axisEnd(results, value, interval) {
  if (!interval) return undefined;
  const longest = Math.max(...results.map(value));
  const ends = results.map((result) => Math.min((interval(result) || [0, 0])[1], widestWhisker * longest));
  return Math.max(longest * 1.02, ...ends);
}

/// `value`, `interval` and `figure` are functions of a result; `figure` gives a text and an aside.
export function barBox({ name, title, note, results, value, interval, figure, open, axis }) {
  return chartBox({
    name,
    title,
    note,
    height: results.length * rowHeight + (axis ? 52 : 34),
    label: `${title || name}: ` + results.map((result) => `${barName(result).join(' ')} ${figure(result)[0]}`).join('; '),
    configure: () => ({
      type: 'bar',
      plugins: [whiskers],
      data: {
        labels: results.map(barName),
        datasets: [{
          data: results.map(value),
          intervals: results.map((result) => (interval ? interval(result) : null)),
          figures: results.map(figure),
          backgroundColor: results.map(({ cell, published }) => (published ? faint(colour('quiet'), 0.12) : faint(frameworkColour(cell.framework), 0.85))),
          borderColor: colour('quiet'),
          borderWidth: results.map(({ published }) => (published ? 1.5 : 0)),
          borderRadius: 3,
          maxBarThickness: 22,
        }],
      },
      options: {
        indexAxis: 'y',
        layout: { padding: { right: 190 } },
        onClick: (_, [bar]) => bar && open(results[bar.index]),
        onHover: (event, bars) => { event.native.target.style.cursor = bars.length ? 'pointer' : 'default'; },
        scales: {
          x: { beginAtZero: true, max: axisEnd(results, value, interval), ticks: { maxTicksLimit: 6, callback: brief, includeBounds: false }, title: { display: Boolean(axis), text: axis } },
          y: { grid: { display: false }, ticks: { autoSkip: false, crossAlign: 'far' } },
        },
        plugins: { tooltip: { callbacks: { title: ([bar]) => results[bar.dataIndex].key.slice(0, 90), label: (bar) => figure(results[bar.dataIndex]).join('  ') } } },
      },
    }),
  });
}
