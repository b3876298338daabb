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

/// The same colour, seen through.
export function faint(hex, share) {
  return hex + Math.round(share * 255).toString(16).padStart(2, '0');
}
