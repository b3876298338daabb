import { make } from './dom.js';
import { colour } from './theme.js';

// Charts are drawn when they come into view: a journal may have thousands.

const boxes = new Set();

const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) drawBox(entry.target.chartBox);
}, { rootMargin: '200px' });

/// A figure with a chart. `configure` gives what Chart.js needs, in the colours of the moment.
export function chartBox({ title, note, height, label, configure, name }) {
  const canvas = make('canvas', { role: 'img', 'aria-label': label || title });
  const frame = make('div', { class: 'canvas' }, canvas);
  frame.style.height = `${height}px`;
  const figure = make('figure', { class: 'chart', 'data-chart': name },
    title && make('figcaption', {}, make('strong', {}, title), note && make('span', { class: 'note' }, note)), frame);
  const box = { canvas, figure, configure, chart: null };
  figure.chartBox = box;
  boxes.add(box);
  watcher.observe(figure);
  return figure;
}

function drawBox(box) {
  if (box.chart) return;
  Chart.defaults.color = colour('quiet');
  Chart.defaults.borderColor = colour('line');
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.font.size = 12;
  box.chart = new Chart(box.canvas, withHabits(box.configure()));
  box.figure.dataset.drawn = 'yes';
}

function withHabits(configuration) {
  const options = configuration.options;
  options.animation = false;
  options.responsive = true;
  options.maintainAspectRatio = false;
  options.plugins = { legend: { display: false }, ...options.plugins };
  options.plugins.legend.labels = { usePointStyle: true, boxHeight: 6, ...options.plugins.legend.labels };
  return configuration;
}

/// After a change of colours.
export function redrawCharts() {
  for (const box of boxes) {
    if (!box.chart) continue;
    box.chart.destroy();
    box.chart = null;
    drawBox(box);
  }
}

/// For the printer, which does not scroll.
export function drawAllCharts() {
  for (const box of boxes) drawBox(box);
}

export function forgetCharts(within) {
  for (const box of boxes) {
    if (within && !within.contains(box.figure)) continue;
    watcher.unobserve(box.figure);
    if (box.chart) box.chart.destroy();
    boxes.delete(box);
  }
}

export function axisTitle(text) {
  return { display: true, text, color: colour('quiet') };
}
