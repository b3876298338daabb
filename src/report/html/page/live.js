import { isHintOpen } from './badges.js';
import { make } from './dom.js';
import { say } from './language.js';
import { data } from './model.js';

// A page that is served follows its journal: it asks for newer data, and what the reader was doing stays as it was.

const askEvery = 1000;  // milliseconds

let lost = false;

/// Where the suite is, or that the server has gone; nothing in a page that is a file.
export function liveSign() {
  if (!data.live) return null;
  const { runs, planned } = data.live;
  const text = lost ? say('live_lost') : planned > 0 ? say('live_progress', Math.min(runs, planned), planned) : say('live');
  return make('span', { id: 'live', role: 'status', class: `badge ${lost ? 'bad' : 'good'}` }, text);
}

function showSign() {
  const old = document.getElementById('live');
  if (old) old.replaceWith(liveSign());
}

/// A hint that is read or a list that is open would be torn away: the news can wait.
function isBusy() {
  return isHintOpen() || document.activeElement instanceof HTMLSelectElement || String(getSelection()) !== '';
}

async function askOnce(show) {
  const answer = await fetch(`data?after=${encodeURIComponent(data.live.version)}`, { cache: 'no-store' });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const newer = answer.status === 200 ? await answer.json() : null;
  if (lost) {
    lost = false;
    showSign();
  }
  if (newer) keepPlace(() => show(newer));
}

export function follow(show) {
  if (!data.live) return;
  const ask = async () => {
    try {
      if (!document.hidden && !isBusy()) await askOnce(show);
    } catch {
      lost = true;
      showSign();
    }
    setTimeout(ask, askEvery);
  };
  setTimeout(ask, askEvery);
}

/// What can be found again in a page that is built again.
function findAgain(element) {
  if (!element || element === document.body) return () => null;
  if (element.id) return () => document.getElementById(element.id);
  if (element.dataset.key) return () => [...document.querySelectorAll('.row')].find((row) => row.dataset.key === element.dataset.key);
  return () => null;
}

/// The first row or section that is in view: it stays where it is on the screen.
function anchorInView() {
  const marks = [...document.querySelectorAll('.results .row, section')];
  return marks.find((mark) => mark.matches('.row') && inView(mark)) || marks.find(inView);
}

function inView(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

function keepPlace(rebuild) {
  const focused = document.activeElement;
  const caret = focused && focused.id === 'filter' ? [focused.selectionStart, focused.selectionEnd] : null;
  const focusAgain = findAgain(focused);
  const anchor = anchorInView();
  const top = anchor && anchor.getBoundingClientRect().top;
  const anchorAgain = findAgain(anchor);
  const aside = [...document.querySelectorAll('.scroll')].map(({ scrollLeft }) => scrollLeft);
  const place = scrollY;
  rebuild();
  document.querySelectorAll('.scroll').forEach((box, at) => { box.scrollLeft = aside[at] || 0; });
  scrollTo(scrollX, place);
  const found = anchorAgain();
  if (found) scrollBy(0, found.getBoundingClientRect().top - top);
  const focus = focusAgain();
  if (focus) focus.focus({ preventScroll: true });
  if (focus && caret) focus.setSelectionRange(...caret);
}
