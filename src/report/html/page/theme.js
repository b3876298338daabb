// Light or dark: the system's choice until the reader makes one.

const kept = 'trainmark-theme';

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function chosenTheme() {
  try {
    return localStorage.getItem(kept);
  } catch {
    return null;  // a page opened from a file may have no storage
  }
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

/// `changed` is called when the system changes its mind and the reader has not chosen.
export function startTheme(changed) {
  const follow = () => setTheme(chosenTheme() || (systemIsDark.matches ? 'dark' : 'light'));
  follow();
  systemIsDark.addEventListener('change', () => { follow(); changed(); });
}

export function switchTheme() {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  setTheme(theme);
  try {
    localStorage.setItem(kept, theme);
  } catch {
    // Then the choice lasts as long as the page.
  }
}

/// A colour of style.css, as it is now.
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/// Okabe and Ito's colours, which people with any colour vision can tell apart.
export function seriesColour(place) {
  return colour(`series-${place % 7}`);
}

/// A hue's modes: itself, darker, lighter, and so on between them.
export function shadeOf(hue, shade) {
  const pure = seriesColour(hue);
  if (shade === 0) return pure;
  return mixed(pure, colour(shade % 2 === 1 ? 'ink' : 'card'), Math.min(0.7, 0.38 + 0.12 * Math.floor((shade - 1) / 2)));
}

/// One of several shades of a colour, from itself towards the text's.
export function shadeBetween(pure, place, count) {
  return place === 0 ? pure : mixed(pure, colour(place % 2 === 1 ? 'ink' : 'quiet'), 0.25 + (0.55 * place) / Math.max(1, count - 1));
}

function mixed(first, second, share) {
  const part = (hex, at) => parseInt(hex.slice(1 + 2 * at, 3 + 2 * at), 16);
  return '#' + [0, 1, 2].map((at) => Math.round(part(first, at) * (1 - share) + part(second, at) * share).toString(16).padStart(2, '0')).join('');
}

/// The same colour, seen through.
export function faint(hex, share) {
  return hex + Math.round(share * 255).toString(16).padStart(2, '0');
}
