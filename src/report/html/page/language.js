import { badges, details, everywhere, page, stops } from '../../words/words.json';

// Which of the two languages the page speaks.

const words = { ...everywhere, ...page };
const languages = ['en', 'zh'];
let spoken = 'en';

export function speak(language) {
  spoken = languages.includes(language) ? language : 'en';
  document.documentElement.lang = spoken === 'zh' ? 'zh-CN' : 'en';
}

export function spokenLanguage() {
  return spoken;
}

export function otherLanguage() {
  return spoken === 'en' ? 'zh' : 'en';
}

/// A text of words.json with figures filled in.
export function say(word, ...values) {
  const text = words[word][spoken];
  return text.replace(/\{(\d)\}/g, (_, place) => values[place]);
}

/// One of the texts that the data hold in both languages.
export function inLanguage(texts) {
  return texts[spoken];
}

/// A name of the journal's, such as that of a verdict or of a reason to stop, as people say it.
function named(names, name) {
  return Object.hasOwn(names, name) ? names[name][spoken] : name;
}

export function badgeName(verdict) {
  return named(badges, verdict);
}

export function stopName(reason) {
  return named(stops, reason);
}

const deepest = 3; // a message, its parts, and theirs
// {0#} stands for a number and nothing else.
const templates = Object.values(details).map(({ en, zh }) => ({
  message: new RegExp(`^${en.replace(/[.*+?^$()[\]\\|]/g, '\\$&').replace(/\{\d\}/g, '(.+?)').replace(/\{\d#\}/g, '([\\d.?]+)')}$`, 's'),
  places: [...en.matchAll(/\{(\d)#?\}/g)].map(([, place]) => place),
  zh,
}));

/// A message of the journal, which is English there. What words.json has no text for stays as it is.
export function detail(message, depth = 0) {
  if (spoken === 'en' || !message || depth > deepest) return message;
  const repeated = depth === 0 && /^(.+) \(in (\d+) of (\d+) runs\)$/s.exec(message);
  if (repeated) return `${detail(repeated[1], 1)}（${repeated[3]} 次运行中有 ${repeated[2]} 次）`;
  for (const template of templates) {
    const found = template.message.exec(message);
    if (found) return template.zh.replace(/\{(\d)\}/g, (_, place) => detail(found[1 + template.places.indexOf(place)], depth + 1));
  }
  return message;
}
