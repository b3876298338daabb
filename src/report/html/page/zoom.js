import { make } from './dom.js';
import { say } from './language.js';

// A part of a chart's x axis: dragged over with a pointer, or chosen with buttons.

const leastSteps = 4;

/// `figure` is a chartBox; `whole` is its axis, [from, to].
export function addZoom(figure, whole) {
  const { canvas } = figure.chartBox;
  const shown = () => { const { min, max } = figure.chartBox.chart.scales.x; return [min, max]; };
  const zoomTo = (from, to) => {
    const width = Math.min(Math.max(to - from, leastSteps), whole[1] - whole[0]);
    const start = Math.min(Math.max(from, whole[0]), whole[1] - width);
    Object.assign(figure.chartBox.chart.options.scales.x, { min: Math.round(start), max: Math.round(start + width) });
    figure.chartBox.chart.update('none');
    figure.dataset.shown = shown().join(' ');
  };
  const about = (factor, shift) => () => {
    if (!figure.chartBox.chart) return;
    const [from, to] = shown();
    const middle = (from + to) / 2 + shift * (to - from);
    zoomTo(middle - (factor * (to - from)) / 2, middle + (factor * (to - from)) / 2);
  };
  const button = (name, sign, act) => make('button', { type: 'button', class: 'choice', 'data-zoom': name, title: sign[1], 'aria-label': sign[1], onclick: act }, sign[0]);
  figure.querySelector('figcaption').append(make('span', { class: 'zoom', role: 'group', 'aria-label': say('zoom') },
    button('left', ['←', say('zoom_left')], about(1, -0.5)), button('out', ['−', say('zoom_out')], about(2, 0)),
    button('in', ['+', say('zoom_in')], about(0.5, 0)), button('right', ['→', say('zoom_right')], about(1, 0.5)),
    button('reset', ['⤢', say('zoom_reset')], () => { if (figure.chartBox.chart) zoomTo(...whole); })));
  watchDrag(figure, canvas, zoomTo);
  canvas.addEventListener('dblclick', () => zoomTo(...whole));
}

function watchDrag(figure, canvas, zoomTo) {
  const mark = make('span', { class: 'dragged', hidden: true });
  canvas.parentElement.append(mark);
  let begin = null;
  const place = (event) => event.clientX - canvas.getBoundingClientRect().left;
  canvas.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch' || !figure.chartBox.chart) return;  // a finger scrolls
    begin = place(event);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (begin === null) return;
    mark.hidden = false;
    mark.style.left = `${Math.min(begin, place(event))}px`;
    mark.style.width = `${Math.abs(place(event) - begin)}px`;
  });
  canvas.addEventListener('pointerup', (event) => {
    const [from, to] = [begin, place(event)].sort((a, b) => a - b);
    const dragged = begin !== null && to - from > 8;
    begin = null;
    mark.hidden = true;
    const { x } = figure.chartBox.chart.scales;
    if (dragged) zoomTo(x.getValueForPixel(from), x.getValueForPixel(to));
  });
}
