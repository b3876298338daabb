import { badgesOf, failureWords, meaningOf, verdictBadge } from './badges.js';
import { forgetCharts } from './charts.js';
import { copyable, fileLink, make, plainTable, visibleText } from './dom.js';
import { detail, say, stopName } from './language.js';
import { commandOf, data, frameworkColour } from './model.js';
import { brief } from './numbers.js';
import { histogramBox, lossBox, traceBox } from './run_charts.js';
import { shadeBetween } from './theme.js';

// All that stands behind one figure: its runs step by step, warnings, how to repeat it, logs.

const chosenRuns = new Map();  // by cell; it outlives newer data

export function cellLink(key) {
  return `#cell=${encodeURIComponent(key)}`;
}

export function cellDetails(result, close) {
  return make('div', { class: 'cell', role: 'region', 'aria-label': result.key },
    make('div', { class: 'cell-head' },
      make('h3', {}, result.key),
      make('a', { href: cellLink(result.key), title: say('link_title') }, say('link')),
      make('button', { type: 'button', class: 'plain', onclick: close }, say('close'))),
    make('p', { class: 'headline' }, make('strong', {}, result.text.throughput), ' ', result.text.interval),
    remarks(result),
    runCharts(result),
    make('h4', {}, say('runs')),
    runTable(result),
    repeating(result));
}

function remarks(result) {
  if (result.verdicts.length === 0) return make('p', {}, badgesOf(result));
  return make('ul', { class: 'remarks' }, result.verdicts.map((verdict) =>
    make('li', {}, make('strong', {}, verdict.name), ' ', meaningOf(verdict.name), ' ', make('span', { class: 'note' }, detail(verdict.message)))));
}

function runCharts(result) {
  const traced = result.runs.filter((run) => run.trace);
  if (traced.length === 0) return make('p', { class: 'note' }, say('steps_lost'));
  const place = make('div', { class: 'trace' });
  const paintOf = (at) => () => shadeBetween(frameworkColour(result.cell.framework), at, traced.length);
  const rounds = traced.map((run, at) => ({ run, label: `${say('round')} ${run.round}`, paint: paintOf(at) }));
  const options = traced.length > 1 ? [[say('all_rounds'), rounds], ...rounds.map((each) => [each.label + (each.run.failure ? ' ✕' : ''), [each]])] : [['', rounds]];
  const buttons = options.map(([label]) => make('button', { type: 'button', class: 'choice', 'aria-pressed': 'false' }, label));
  const choose = (chosen) => {
    buttons.forEach((button, at) => button.setAttribute('aria-pressed', String(at === chosen)));
    forgetCharts(place);
    place.replaceChildren(traceBox(options[chosen][1]));
  };
  buttons.forEach((button, at) => button.addEventListener('click', () => { chosenRuns.set(result.key, at); choose(at); }));
  choose(Math.min(chosenRuns.get(result.key) || 0, options.length - 1));
  const curves = rounds.filter(({ run }) => run.losses).map(({ run, label, paint }) => ({ label, paint, losses: run.losses }));
  return [
    traced.length > 1 && make('div', { class: 'choices', role: 'group', 'aria-label': say('runs') }, buttons),
    place,
    make('div', { class: 'pair' },
      result.histogram && histogramBox(result.histogram),
      curves.length > 0 && lossBox({ title: say('losses'), note: say('losses_note'), curves })),
  ];
}

function logLinks(run, ranks) {
  if (!run.folder) return '–';
  const ending = ranks === 1 ? '' : '.0';
  return ['stdout', 'stderr', 'events'].map((stream) => [
    fileLink(data.logs, `${run.folder}/${stream}${ending}.${stream === 'events' ? 'jsonl' : 'log'}`, stream), ' ']);
}

function runTable(result) {
  const rows = result.runs.map((run) => {
    const { summary } = run;
    return [
      run.id, String(run.round), String(run.seed), run.started.replace('T', ' ').replace('Z', ''),
      summary ? `${summary.text} ${result.unit}/s` : say('failed', failureWords(run.failure)),
      summary ? `${brief(summary.low)} … ${brief(summary.high)}` : make('span', { class: 'long' }, detail(run.reason)),
      summary ? say('of_steps', summary.used, summary.steps) : '–',
      summary ? stopName(summary.stopped) : '–',
      (run.verdicts || []).map(verdictBadge),
      logLinks(run, result.cell.ranks),
    ];
  });
  return plainTable([say('run'), say('round'), say('seed'), say('started'), say('throughput'), say('interval'),
    say('steps_used'), say('stopped'), say('remarks'), say('logs')], rows, { class: 'runs' });
}

function shellQuoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function repeating(result) {
  const run = result.runs[0];
  const words = { copy: say('copy'), copied: say('copied') };
  const suite = data.suites.at(-1);
  return [
    make('h4', {}, say('repeat_cell')),
    suite && copyable(visibleText(`${suite.command} --only ${shellQuoted(result.key)}`), words),
    run && run.command.length > 0 && [
      make('p', { class: 'note' }, say('repeat_trainer', run.id)),
      copyable(visibleText(commandOf(run)), words)],
    run && data.texts[run.rule] && make('p', { class: 'note' }, `${say('rule')}: ${data.texts[run.rule]}`),
  ];
}
