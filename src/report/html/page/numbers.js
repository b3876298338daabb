import { say } from './language.js';

// Numbers on axes and hints. The figures of tables come formatted, the same as in all other reports.

const few = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

export function brief(value) {
  return value === null || value === undefined || !Number.isFinite(value) ? '–' : few.format(value);
}

export function percent(share) {
  return `${few.format(Math.round(share * 1000) / 10)} %`;
}

export function gibibytes(bytes) {
  return bytes / 2 ** 30;
}

/// Seconds as people say them.
export function duration(seconds) {
  if (seconds < 90) return say('duration_seconds', Math.round(seconds));
  if (seconds < 90 * 60) return say('duration_minutes', Math.round(seconds / 60));
  return say('duration_hours', few.format(seconds / 3600));
}
