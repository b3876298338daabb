import { explainedBadge } from './badges.js';
import { make, plainTable, section } from './dom.js';
import { inLanguage, say } from './language.js';
import { data, frameworkColour, isGood, resultsOf } from './model.js';
import { lossBox } from './run_charts.js';

// Do the frameworks train the same? Proofs, losses, and what they said of themselves that differs.

const tones = { same: ['good', '✓'], reference: ['plain', '◆'], differs: ['bad', '✕'], failed: ['doubt', '!'], elsewhere: ['doubt', '≈'], unproven: ['doubt', '?'] };
const mostCurves = 12;

export function learning() {
  if (data.results.length === 0) return null;
  const cards = data.groups.map(card).filter(Boolean);
  const proven = data.groups.some((group) => group.proofs.length > 0);
  const several = data.groups.some(({ frameworks }) => frameworks.length > 1);
  if (cards.length === 0 || !(proven || several)) return null;
  return section('learning', say('proof_heading'), make('p', { class: 'note' }, proven ? say('proof_note') : say('no_proofs')), make('div', { class: 'cards' }, cards));
}

function card(group) {
  const losses = groupLosses(group);
  const pieces = [proofs(group), losses, differences(group)].filter(Boolean);
  return pieces.length > 0 && make('div', { class: 'card' }, make('h3', {}, group.title), pieces);
}

function stateWord(state) {
  switch (state) {
    case 'same': return say('proof_same');
    case 'differs': return say('proof_differs');
    case 'failed': return say('proof_failed');
    case 'reference': return say('proof_reference');
    case 'elsewhere': return say('proof_elsewhere');
    default: return say('proof_unproven');
  }
}

function proofs(group) {
  if (group.proofs.length === 0) return null;
  return plainTable([say('framework'), say('precision'), '', ''], group.proofs.map(({ framework, precision, state, text }) => {
    const [tone, mark] = tones[state];
    return [framework, precision, explainedBadge(tone, mark, stateWord(state), [inLanguage(text)]), inLanguage(text)];
  }), { class: 'proofs' });
}

function groupLosses(group) {
  const first = new Map();
  for (const result of resultsOf(group).filter(isGood)) {
    const run = result.runs.find((each) => each.losses && !each.failure);
    if (run && !first.has(result.cell.framework)) first.set(result.cell.framework, run);
  }
  if (first.size === 0) return null;
  return lossBox({
    title: say('loss_curves'),
    note: say('loss_curves_note'),
    curves: [...first].slice(0, mostCurves).map(([framework, run]) => ({ label: framework.slice(0, 40), paint: () => frameworkColour(framework), losses: run.losses })),
  });
}

function differences(group) {
  if (group.differences.length === 0) return null;
  return [make('h4', {}, say('framework_differences')), make('p', { class: 'note' }, say('differences_note')),
    plainTable([say('item'), ...group.frameworks], group.differences.map(({ name, values }) => [inLanguage(name), ...values]), { class: 'differences' })];
}
