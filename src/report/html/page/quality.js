import { explainedBadge } from './badges.js';
import { make, plainTable, section, shortened } from './dom.js';
import { inLanguage, say } from './language.js';
import { lineBox, sharedLegend } from './lines.js';
import { data, findResult, frameworkColour, grouped } from './model.js';
import { colour } from './theme.js';

// Trainings to quality: how long they take, the curves of all seeds, and whether all learn from as many samples.

const mostCurves = 60;

export function quality() {
  const trained = data.results.filter((result) => result.quality);
  if (trained.length === 0) return null;
  const groups = [...grouped(trained, ({ cell, quality: { metric, target } }) =>
    JSON.stringify([cell.workload, cell.size, cell.data, cell.batch, cell.accumulate, cell.scale, cell.device, metric, target])).values()];
  return section('quality', say('quality_heading'), make('p', { class: 'note' }, say('quality_note')),
    timeTable(trained), make('div', { class: 'cards' }, groups.map(curveCard)), equivalenceTable());
}

function cellTitle({ workload, size, batch, scale }) {
  return [`${workload}:${size}`, `b${batch}`, scale].join(' · ');
}

function timeTable(results) {
  return plainTable([say('workload'), say('framework'), say('precision'), say('quality_metric'), say('quality_target'), say('quality_reached'),
    say('quality_seconds'), say('quality_samples'), say('quality_speed'), say('quality_evaluations'), say('quality_checkpoints'),
    say('quality_resumed')],
  results.map(({ cell, quality: { metric, trials, reached, resumed }, text: { quality: text } }) => [
    cellTitle(cell), cell.framework, cell.precision, metric, text.target, reachedBadge(reached, trials),
    make('strong', {}, text.seconds), text.samples, text.seconds_per_sample, text.evaluations, text.checkpoints,
    resumed === 0 ? '' : say('quality_count', resumed, trials)]), { class: 'quality' });
}

function reachedBadge(reached, trials) {
  const [tone, mark] = reached === trials ? ['good', '✓'] : reached === 0 ? ['bad', '✕'] : ['doubt', '!'];
  return explainedBadge(tone, mark, say('quality_count', reached, trials), [say('quality_note')]);
}

function curveCard(results) {
  const [{ cell, quality: { metric, target } }] = results;
  const curves = results.flatMap((result) => result.runs.filter((run) => run.quality).map((run) => ({ result, run }))).slice(0, mostCurves);
  if (curves.length === 0) return null;
  const name = ({ framework, precision }) => shortened(`${framework} ${precision}`, 40);
  const entries = results.map((result) => ({ label: name(result.cell), paint: () => frameworkColour(result.cell.framework), mark: 'circle' }));
  const chart = (along, xTitle) => {
    const points = curves.map(({ run: { quality: curve } }) => curve[along].map((x, place) => ({ x, y: curve.quality[place] })).filter(({ y }) => y !== null));
    const end = Math.max(...points.flat().map(({ x }) => x));
    return lineBox({
      name: `quality-${along}`, title: metric, xTitle, yTitle: '', height: 280, legend: false, fromZero: false,
      series: [
        ...curves.map(({ result, run }, place) => ({
          label: `${name(result.cell)}, ${say('seed')} ${run.seed}`, paint: () => frameworkColour(result.cell.framework), mark: 'circle', points: points[place] })),
        { label: say('quality_target'), paint: () => colour('quiet'), dashed: true, points: [{ x: 0, y: target }, { x: end, y: target }] },
      ],
    });
  };
  return make('div', { class: 'card' }, make('h3', {}, cellTitle(cell)),
    sharedLegend([...entries, { label: `${say('quality_target')} ${results[0].text.quality.target}`, paint: () => colour('quiet'), dashed: true }]),
    make('div', { class: 'pair' }, chart('at', say('quality_axis_time')), chart('samples', say('quality_axis_samples'))));
}

const answerTones = { faster: ['doubt', '▼'], slower: ['bad', '▲'], same: ['good', '='], unclear: ['doubt', '?'] };

function equivalenceTable() {
  if (data.equivalence.length === 0) return null;
  return [make('h3', {}, say('equivalence_heading')), make('p', { class: 'note' }, say('equivalence_note')),
    plainTable([say('cell'), say('equivalence_base'), say('equivalence_ratio'), say('equivalence_answer')],
      data.equivalence.map(({ base, key, ratio, answer, text }) => {
        const { cell } = findResult(base);
        const [tone, mark] = answerTones[answer];
        return [key, `${cell.framework} ${cell.precision}`, ratio, explainedBadge(tone, mark, inLanguage(text), [say('equivalence_note')])];
      }), { class: 'equivalence' })];
}
