// Small tools for the page's elements.

export const byId = id => document.getElementById(id);

/// An element; text among the children stays text, whatever it looks like.
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value != null && value !== false) node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.filter(child => child != null));
  return node;
}

const SVG = 'http://www.w3.org/2000/svg';

const outlines = {
  mine: 'M10 2.5a7.5 7.5 0 1 1 0 15a7.5 7.5 0 1 1 0-15z',
  friends: 'M10 1l9 9l-9 9l-9-9z',
  items: 'M3 3h14v14h-14z',
  posts: 'M10 2l9 15.5h-18z',
};

/// The mark of a layer. Each has an outline of its own, so that nobody needs to see the colours.
export function shape(layer, color) {
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('class', `shape ${layer}`);
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', outlines[layer]);
  // A presentation attribute: a style attribute would be refused by the page's security policy.
  if (isColor(color)) path.setAttribute('fill', color);
  svg.append(path);
  return svg;
}

const isColor = text => /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text ?? '');

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/// "19 Nov 2026" for a date, and for an instant, which keeps the day that it had where it was.
export function dayText(text) {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number);
  return `${day} ${months[month - 1]} ${year}`;
}

/// Monday is 0.
export const weekdayOf = day => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/// "Thu 19 Nov 2026".
export const weekdayText = day => `${weekdays[weekdayOf(day)]} ${dayText(day)}`;

/// "18:03" as the clock stood at the place: the instant carries its offset.
export const clockText = instant => instant.slice(11, 16);

export function distanceText(metres) {
  if (metres < 1000) return `${Math.round(metres)} m`;
  return `${(metres / 1000).toFixed(metres < 10_000 ? 2 : 1)} km`;
}

/// "1 item", "2,040 items".
export const countText = (number, one, many = `${one}s`) =>
  `${number.toLocaleString('en-GB')} ${number === 1 ? one : many}`;
