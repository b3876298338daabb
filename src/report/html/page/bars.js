import { make, shortened } from './dom.js';
import { frameworkColour } from './model.js';

// Horizontal bars, one per result, in plain elements: the name, the bar with its interval, the figure and what is to be said of it.

const widestWhisker = 1.35;  // of the longest bar: a wild interval must not squeeze all others

export function barName(result) {
  const { cell } = result;
  return [shortened(cell.framework, 40), shortened(`${cell.precision} · b${result.text.batch}`, 30)];
}

/// Where the bars end: whiskers are whole up to a limit.
function axisEnd(results, value, interval) {
  const longest = Math.max(...results.map(value));
  const ends = results.map((result) => Math.min((interval && interval(result) || [0, 0])[1], widestWhisker * longest));
  return Math.max(longest, ...ends) || 1;
}

/// A part of the track from one share of it to another. Widths are set by script: the page's policy allows no style attributes.
function span(name, from, to) {
  const element = make('span', { class: name });
  element.style.left = `${100 * from}%`;
  element.style.width = `${100 * Math.max(0, to - from)}%`;
  return element;
}

function track(result, { value, interval }, end) {
  const bar = span(`bar${result.published ? ' published' : result.imported ? ' imported' : ''}`, 0, value(result) / end);
  if (!result.published) bar.style.setProperty('--paint', frameworkColour(result.cell.framework));
  const range = interval && interval(result);
  if (!range) return make('span', { class: 'track', 'aria-hidden': 'true' }, bar);
  const [low, high] = range.map((edge) => Math.max(0, edge) / end);
  // An end that lies outside has no cap: the whisker goes on.
  const whisker = span(`whisker${high > 1 ? ' open' : ''}`, low, Math.min(high, 1));
  return make('span', { class: 'track', 'aria-hidden': 'true' }, bar, whisker);
}

function colourBars(figure) {
  for (const bar of figure.querySelectorAll('[data-framework]'))
    bar.querySelector('.bar').style.setProperty('--paint', frameworkColour(bar.dataset.framework));
}

/// After a change of colours.
export function recolourBars() {
  for (const figure of document.querySelectorAll('figure.bars, table.compact')) colourBars(figure);
}

/// `value`, `interval` and `figure` are functions of a result; `figure` gives a text, an aside and badges.
export function barBox({ name, title, note, results, value, interval, figure, open }) {
  const end = axisEnd(results, value, interval);
  const rows = results.map((result) => {
    const [main, minor] = barName(result);
    const [text, aside, badges] = figure(result);
    const label = [make('strong', {}, main), ' ', make('span', { class: 'note' }, minor)];
    return make('li', { 'data-framework': !result.published && result.cell.framework, 'data-value': String(value(result)), 'data-key': result.key },
      result.published ? make('span', { class: 'name' }, label)
        : make('button', { type: 'button', class: 'name', onclick: () => open(result) }, label),
      track(result, { value, interval }, end),
      make('span', { class: 'figure' }, make('strong', {}, text), aside && [' ', make('span', { class: 'note' }, aside)], badges && badges.length > 0 && [' ', badges]));
  });
  return make('figure', { class: 'bars', 'data-chart': name },
    title && make('figcaption', {}, make('strong', {}, title), note && make('span', { class: 'note' }, note)),
    make('ol', { class: 'bar-list' }, rows));
}

/// A bar inside a table.
export function inlineBar(result, share) {
  const bar = span('bar', 0, share);
  bar.style.setProperty('--paint', frameworkColour(result.cell.framework));
  return make('span', { class: 'track inline', 'aria-hidden': 'true', 'data-framework': result.cell.framework }, bar);
}
