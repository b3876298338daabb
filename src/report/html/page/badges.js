import { make } from './dom.js';
import { badgeName, detail, inLanguage, say } from './language.js';
import { data } from './model.js';

// Verdicts as badges that explain themselves: what the name means, and what was found here.

/// Does it say that a figure is hard to believe? Such a one cannot win. The others say that it may be less exact than it could be.
function isGrave(name) {
  return data.doubtful.includes(name);
}

let hint = null;

export function isHintOpen() {
  return hint !== null;
}

/// A journal may have any name, also one that every object of JavaScript has.
function phraseIn(phrases, name, otherwise) {
  return Object.hasOwn(phrases, name) ? inLanguage(phrases[name]) : otherwise;
}

export function meaningOf(name) {
  return phraseIn(data.phrases.verdicts, name, '');
}

export function failureWords(failure) {
  return phraseIn(data.phrases.failures, failure, failure.replaceAll('-', ' '));
}

export function verdictBadge({ name, message }) {
  const grave = isGrave(name);
  return explainedBadge(grave ? 'bad' : 'doubt', grave ? '✕' : '!', badgeName(name), [meaningOf(name), detail(message)]);
}

/// At most `most` of them; the last one then holds the rest.
export function badgesOf(result, most = Infinity, sayFine = true) {
  const verdicts = result.verdicts.filter(({ name }) => name !== 'foreign').sort((a, b) => isGrave(b.name) - isGrave(a.name));
  const badges = verdicts.slice(0, verdicts.length > most ? most - 1 : most).map(verdictBadge);
  const rest = verdicts.slice(badges.length);
  if (rest.length > 0)
    badges.push(explainedBadge('doubt', '+', String(rest.length), rest.map(({ name, message }) => `${badgeName(name)}: ${detail(message)}`)));
  if (result.status !== 'ok') {
    const failed = result.runs.find((run) => run.failure) || { failure: 'other', reason: '' };
    badges.unshift(explainedBadge('bad', '✕', say('failed', failureWords(failed.failure)), [detail(failed.reason)]));
  }
  return badges.length > 0 || !sayFine ? badges : [make('span', { class: 'badge good' }, '✓ ', say('fine'))];
}

/// How a result stands against the fastest; nothing for one that is slower.
export function placeBadge(standing) {
  if (!standing) return null;
  const leads = standing.place === 'best' && say('place_leads_note');
  switch (standing.shown) {
    case 'best': return explainedBadge('good', '★', say('place_best'), [say('place_best_note')]);
    case 'same': return explainedBadge('good', '=', say('place_same'), [leads || say('place_same_note', standing.text)]);
    case 'unclear': return explainedBadge('plain', '≈', say('place_unclear'), [leads || say('place_unclear_note', standing.text || '?')]);
    case 'doubtful': return explainedBadge('bad', '✕', say('place_doubtful'), [say('place_doubtful_note')]);
    default: return null;
  }
}

/// Of programs that are not our trainers: imported, or measured from what they print.
export function foreignBadge(result) {
  const verdict = result.verdicts.find(({ name }) => name === 'foreign');
  if (!verdict) return null;
  const [name, note] = result.imported ? [say('imported'), say('imported_note')] : [say('from_output'), say('from_output_note')];
  return explainedBadge('plain', '⇥', name, [note, detail(verdict.message)]);
}

/// A badge whose sentences appear when it is pressed, and when a pointer rests on it.
export function explainedBadge(tone, mark, name, sentences) {
  const texts = sentences.filter(Boolean);
  const badge = make('button', { type: 'button', class: `badge ${tone}`, title: texts.join('\n').slice(0, 500), 'aria-haspopup': 'dialog' },
    make('span', { 'aria-hidden': 'true' }, `${mark} `), name);
  badge.addEventListener('click', (event) => {
    event.stopPropagation();
    showHint(badge, name, texts);
  });
  return badge;
}

function showHint(badge, name, sentences) {
  const again = hint && hint.badge === badge;
  closeHint();
  if (again) return;
  const element = make('div', { class: 'hint', role: 'dialog', 'aria-label': name, tabindex: '-1' },
    make('strong', {}, name), sentences.map((sentence) => make('p', {}, sentence)));
  document.body.append(element);
  const place = badge.getBoundingClientRect();
  const left = Math.min(place.left, document.documentElement.clientWidth - element.offsetWidth - 12);
  element.style.left = `${Math.max(8, left) + scrollX}px`;
  element.style.top = `${place.bottom + 6 + scrollY}px`;
  hint = { badge, element };
  element.focus({ preventScroll: true });
}

export function closeHint() {
  if (!hint) return;
  const { badge, element } = hint;
  hint = null;
  if (element.contains(document.activeElement)) badge.focus({ preventScroll: true });
  element.remove();
}

export function watchHints() {
  document.addEventListener('keydown', (event) => { if (event.key === 'Escape') closeHint(); });
  document.addEventListener('click', (event) => { if (hint && !hint.element.contains(event.target)) closeHint(); });
}
