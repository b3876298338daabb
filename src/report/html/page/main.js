import { auditSections } from './audit.js';
import { environmentSection, missingSection, repeatSection } from './background.js';
import { closeHint, watchHints } from './badges.js';
import { recolourBars } from './bars.js';
import { drawAllCharts, forgetCharts, redrawCharts } from './charts.js';
import { comparisonSections } from './comparison.js';
import { make, visibleText } from './dom.js';
import { historySections } from './history.js';
import { detail, otherLanguage, say, speak } from './language.js';
import { learning } from './learning.js';
import { follow, liveSign } from './live.js';
import { data, setData } from './model.js';
import { machineLine, overview } from './overview.js';
import { quality } from './quality.js';
import { resources } from './resources.js';
import { scaling } from './scaling.js';
import { sweeps } from './sweeps.js';
import { readAddress, resultTable, showCell } from './table.js';
import { startTheme, switchTheme } from './theme.js';

// The page from a data object. Whoever has a newer object calls trainmark.show(object).

function pageHead() {
  const suite = data.suites.at(-1);
  const facts = [machineLine(), suite && say('begun', suite.started.replace('T', ' ').replace('Z', ' UTC')),
    suite && say('measured_with', suite.trainmark)].filter(Boolean);
  return make('header', {},
    make('div', {}, make('h1', {}, detail(data.title)), make('p', { class: 'note' }, facts.join(' · ')), liveSign()),
    make('div', { class: 'switches' },
      make('button', { type: 'button', id: 'language', title: say('language_title'), onclick: changeLanguage }, say('language')),
      make('button', { type: 'button', id: 'theme', title: say('theme'), 'aria-label': say('theme'), onclick: changeTheme }, '◐')));
}

function navigation(sections) {
  return make('nav', { 'aria-label': say('sections') }, sections.map((part) =>
    make('a', { href: `#${part.id}` }, part.querySelector('h2').textContent)));
}

/// A journal, two that are compared, many over time, or published figures beside their logs.
function sectionsOfPage() {
  if (data.comparison) return comparisonSections();
  if (data.history) return historySections();
  if (data.audit) return auditSections();
  const table = resultTable();
  return [overview(), quality(), table, scaling(), sweeps(), resources(), learning(), missingSection(), environmentSection(), repeatSection()].filter(Boolean);
}

function build() {
  closeHint();
  forgetCharts();
  document.title = visibleText(data.title).slice(0, 200);
  const sections = sectionsOfPage();
  document.getElementById('page').replaceChildren(
    make('a', { class: 'skip', href: '#results' }, say('skip')),
    pageHead(), navigation(sections), make('main', {}, sections),
    make('footer', {}, make('p', { class: 'note' }, say('made_by', data.trainmark)), make('p', { class: 'note screen' }, say('keys'))));
}

function changeLanguage() {
  speak(otherLanguage());
  build();
  document.getElementById('language').focus();
}

function changeTheme() {
  switchTheme();
  recolour();
}

function recolour() {
  recolourBars();
  redrawCharts();
}

function followLink() {
  const cell = new URLSearchParams(location.hash.slice(1)).get('cell');
  if (cell) showCell(cell);
}

function watch() {
  watchHints();
  addEventListener('hashchange', followLink);
  addEventListener('beforeprint', () => {
    document.documentElement.dataset.printing = 'yes';
    drawAllCharts();
    recolour();
  });
  addEventListener('afterprint', () => {
    delete document.documentElement.dataset.printing;
    recolour();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, select, textarea')) return;
    const filter = document.getElementById('filter');
    if (!filter) return;
    filter.focus();
    event.preventDefault();
  });
}

function show(object) {
  setData(object);
  build();
}

startTheme(recolour);
const firstData = JSON.parse(document.getElementById('data').textContent);
speak(firstData.language);
readAddress();
show(firstData);
watch();
followLink();
follow(show);
globalThis.trainmark = { show };
