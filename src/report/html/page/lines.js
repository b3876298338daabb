import { axisTitle, chartBox } from './charts.js';
import { brief } from './numbers.js';

// Lines over a number that was varied. Besides its colour, each line has marks of its own.

const marks = ['circle', 'rect', 'triangle', 'rectRot', 'crossRot', 'star', 'rectRounded'];

/// series: [{label, paint, points: [{x, y, text}], dashed}]; `paint` gives the colour of the moment, `ticks` are the places on the x axis that were measured.
export function lineBox({ name, title, note, series, ticks, xTitle, yTitle, height = 280, most }) {
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
            type: ticks && ticks.at(-1) / ticks[0] >= 8 ? 'logarithmic' : 'linear',
            title: axisTitle(xTitle),
            ticks: { callback: brief, maxTicksLimit: 12 },
            afterBuildTicks: (axis) => { if (ticks) axis.ticks = ticks.map((value) => ({ value })); },
          },
          y: { beginAtZero: true, suggestedMax: most, title: axisTitle(yTitle), ticks: { callback: brief, maxTicksLimit: 6 } },
        },
        plugins: {
          legend: { display: true, position: 'bottom', labels: { filter: (item) => !item.text.startsWith('\u200b') } },
          tooltip: { callbacks: { title: () => '', label: ({ dataset: line, raw }) => `${line.label}: ${raw.text || brief(raw.y)}` } },
        },
      },
    }),
  });
}

function dataset({ label, paint, points, dashed }, place) {
  return {
    label,
    data: points,
    borderColor: paint(),
    backgroundColor: paint(),
    borderWidth: dashed ? 1.5 : 2,
    borderDash: dashed ? [5, 4] : [],
    pointStyle: marks[place % marks.length],
    pointRadius: dashed ? 0 : 4,
  };
}
