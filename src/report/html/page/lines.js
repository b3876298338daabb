import { axisTitle, chartBox } from './charts.js';
import { make } from './dom.js';
import { brief } from './numbers.js';

// Lines over a number that was varied. Besides its colour, each line has marks of its own.

const signs = ['●', '■', '▲', '◆', '✕', '✱', '▢'];
const marks = ['circle', 'rect', 'triangle', 'rectRot', 'crossRot', 'star', 'rectRounded'];

/// series: [{label, paint, points: [{x, y, text}], dashed}]; `paint` gives the colour of the moment, `ticks` are the places on the x axis that were measured.
export function lineBox({ name, title, note, series, ticks, xTitle, yTitle, height = 280, most, logarithmic = false, legend = true, yTick = brief, fromZero = true }) {
  return chartBox({
    name,
    title,
    note,
    height,
    configure: () => ({
      type: 'line',
      data: { datasets: series.map((line, place) => dataset(line, place)) },
      options: {
        interaction: { mode: 'nearest', intersect: false },
        scales: {
          x: {
            type: logarithmic || (ticks && ticks.at(-1) / ticks[0] >= 8) ? 'logarithmic' : 'linear',
            title: axisTitle(xTitle),
            ticks: { callback: brief, maxTicksLimit: 12 },
            afterBuildTicks: (axis) => { if (ticks) axis.ticks = ticks.map((value) => ({ value })); },
          },
          y: logarithmic
            ? { type: 'logarithmic', title: axisTitle(yTitle), ticks: { callback: roundOnly }, ...spanOf(series) }
            : { beginAtZero: fromZero, suggestedMax: most, title: axisTitle(yTitle), ticks: { callback: yTick, maxTicksLimit: 6 } },
        },
        plugins: {
          legend: { display: legend, position: 'bottom', labels: { filter: (item) => !item.text.startsWith('\u200b') } },
          tooltip: { callbacks: { title: () => '', label: ({ dataset: line, raw }) => `${line.label}: ${raw.text || brief(raw.y)}` } },
        },
      },
    }),
  });
}

/// Of a logarithmic axis: 1, 2 and 5 times the powers of ten.
function roundOnly(value) {
  return [1, 2, 5].includes(Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9))) ? brief(value) : '';
}

/// A little room around the points.
function spanOf(series) {
  const values = series.flatMap(({ points }) => points.map(({ y }) => y)).filter((y) => y > 0);
  return { min: Math.min(...values) * 0.85, max: Math.max(...values) * 1.18 };
}

/// One legend for several charts: the marks and colours of their lines.
export function sharedLegend(entries) {
  return make('ul', { class: 'legend' }, entries.map(({ label, paint, mark, dashed }) => {
    const sign = make('span', { class: 'sign', 'aria-hidden': 'true' }, dashed ? '┄' : signs[marks.indexOf(mark)] || '●');
    sign.style.color = paint();
    return make('li', {}, sign, ' ', label);
  }));
}

export function markOf(place) {
  return marks[place % marks.length];
}

function dataset({ label, paint, points, dashed, mark }, place) {
  return {
    label,
    data: points,
    borderColor: paint(),
    backgroundColor: paint(),
    borderWidth: dashed ? 1.5 : 2,
    borderDash: dashed ? [5, 4] : [],
    pointStyle: mark || marks[place % marks.length],
    pointRadius: dashed ? 0 : 4,
  };
}
