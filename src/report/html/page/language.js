import { everywhere, page } from '../../words/words.json';

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
