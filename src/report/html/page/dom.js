// Building the page. Texts of a journal are not trusted: they become text nodes, never markup.

/// make('p', {class: 'note', onclick: act}, 'text', element, …); what is null or false is left out.
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  add(element, children);
  return element;
}

export function add(element, children) {
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false || child === '') continue;
    element.append(typeof child === 'object' ? child : visibleText(String(child)));
  }
}

/// Control characters and marks that change the direction of writing are shown, not obeyed.
export function visibleText(text) {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, '\ufffd');
}

/// A text that must fit a label.
export function shortened(text, most = 36) {
  const whole = visibleText(String(text)).replace(/\s+/g, ' ');
  return whole.length > most ? whole.slice(0, most - 1) + '…' : whole;
}

/// A link to a file beside the journal, which lies in the folder `way`. Every part is encoded and none is empty, so
/// that it is a path below that folder and not an address elsewhere.
export function fileLink(way, path, label) {
  const encoded = (parts) => parts.map(encodeURIComponent).join('/');
  const href = `${way ? encoded(way.split('/')) : '.'}/${encoded(path.split('/').filter(Boolean))}`;
  return make('a', { href, target: '_blank', rel: 'noopener' }, label);
}

/// A table from texts and elements.
export function plainTable(headings, rows, properties = {}) {
  return make('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': headings.filter((heading) => typeof heading === 'string' && heading).join(', ') },
    make('table', properties,
      make('thead', {}, make('tr', {}, headings.map((heading) => make('th', { scope: 'col' }, heading)))),
      make('tbody', {}, rows.map((row) => make('tr', {}, row.map((cell) => make('td', {}, cell)))))));
}

export function section(id, title, ...children) {
  return make('section', { id, 'aria-labelledby': `${id}-title` },
    make('h2', { id: `${id}-title` }, title), children);
}

/// A line that people paste into a shell or a file.
export function copyable(text, words) {
  const button = make('button', { class: 'copy', type: 'button' }, words.copy);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection().selectAllChildren(button.previousSibling);
      document.execCommand('copy');
    }
    button.textContent = words.copied;
  });
  return make('div', { class: 'code' }, make('pre', {}, make('code', {}, text)), button);
}
