import { make, plainTable, section } from './dom.js';
import { inLanguage, say } from './language.js';
import { data } from './model.js';

// Published figures beside what their logs say: which reproduce, and why the others may not.

const grades = ['off', 'within-10', 'within-3', 'within-1', 'missing'];
const gradeTones = { off: 'bad', 'within-10': 'doubt', 'within-3': 'good', 'within-1': 'good', missing: 'bad' };
const gradeWords = { off: 'audit_far_off', 'within-10': 'audit_within_10', 'within-3': 'audit_within_3', 'within-1': 'audit_within_1', missing: 'audit_missing' };
let shownGrade = '';

export function auditSections() {
  return [
    section('overview', say('overview'), gradeTiles(),
      make('p', { class: 'note' }, say(data.audit.by_rules ? 'audit_note_rules' : 'audit_note_default'))),
    section('results', say('results'), gradeTable()),
  ];
}

function gradeTiles() {
  return make('div', { class: 'tiles' }, grades.map((grade) => {
    const count = data.audit.claims.filter((claim) => claim.grade === grade).length;
    return make('div', { class: `tile ${count > 0 ? gradeTones[grade] : ''}` }, make('b', {}, String(count)), make('span', {}, say(gradeWords[grade])));
  }));
}

function gradeTable() {
  const place = make('div');
  const fillRows = () => {
    const rows = data.audit.claims.filter(({ grade }) => !shownGrade || grade === shownGrade).map((claim) => [
      make('span', { 'data-log': claim.log }, claim.log), claim.published, claim.recomputed, make('strong', {}, claim.difference),
      make('span', { class: `badge ${gradeTones[claim.grade]}` }, say(gradeWords[claim.grade])), inLanguage(claim.why)]);
    place.replaceChildren(plainTable([say('audit_log'), say('audit_published'), say('audit_recomputed'), say('audit_difference'), say('audit_verdict'), say('audit_reason')],
      rows, { class: 'audited' }));
    buttons.forEach((button) => button.setAttribute('aria-pressed', String(button.dataset.grade === shownGrade)));
  };
  const buttons = ['', ...grades].map((grade) => make('button', { type: 'button', class: 'choice', 'data-grade': grade,
    onclick: () => { shownGrade = grade; fillRows(); } }, grade ? say(gradeWords[grade]) : say('all')));
  fillRows();
  return [make('div', { class: 'choices', role: 'group', 'aria-label': say('audit_verdict') }, buttons), place];
}
