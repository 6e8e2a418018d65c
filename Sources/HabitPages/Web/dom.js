// Helper functions for elements and texts of the page.

import { texts } from './texts.js';

export const byId = id => document.getElementById(id);

/// Creates an element. String children become text nodes and are never parsed as HTML.
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value != null && value !== false) node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.filter(child => child != null));
  return node;
}

const SVG = 'http://www.w3.org/2000/svg';

const disc = 'M10 2.5a7.5 7.5 0 1 1 0 15a7.5 7.5 0 1 1 0-15z';
const outlines = { mine: disc, friends: disc, items: 'M3 3h14v14h-14z', posts: 'M10 2l9 15.5h-18z' };
// The forms of the statuses. The class `dot` in the style sheet has the same forms.
const forms = {
  'On track': disc,
  'Near goal': `${disc}M10 5.5a4.5 4.5 0 0 0 0 9z`,
  Inactive: 'M10 1l9 9l-9 9l-9-9z',
  New: 'M10 5.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z',
};

/// Creates the symbol of a layer, with the form and the color of a status if there is one. Each layer has an outline of its
/// own, and friends have a ring, so that users need not distinguish colors.
export function shape(layer, { status, color } = {}) {
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('class', `shape ${layer} ${forms[status] ? classOf(status) : ''}`);
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', forms[status] ?? outlines[layer]);
  if (layer === 'friends') svg.append(ring());
  // The Content-Security-Policy of the page blocks style attributes, but not presentation attributes.
  if (!forms[status] && isColor(color)) path.setAttribute('fill', color);
  svg.append(path);
  return svg;
}

/// The class of a status in the style sheet, such as `on-track`.
const classOf = status => status.toLowerCase().replace(' ', '-');

function ring() {
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('class', 'ring');
  path.setAttribute('d', 'M10-1a11 11 0 1 1 0 22a11 11 0 1 1 0-22z');
  return path;
}

const isColor = text => /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text ?? '');

/// Formats a date or an instant as "19 Nov 2026". The date of an instant is the local date at its UTC offset.
export function dayText(text) {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number);
  return texts.date(day, texts.months[month - 1], year);
}

/// Returns the weekday of a date; Monday is 0.
export const weekdayOf = day => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/// Formats a date as "Thu 19 Nov 2026".
export const weekdayText = day => texts.weekdayDate(texts.weekdays[weekdayOf(day)], dayText(day));

/// Formats an instant as "18:03", the local time at its UTC offset.
export const clockText = instant => instant.slice(11, 16);

export function distanceText(metres) {
  if (metres < 1000) return texts.meters(Math.round(metres));
  return texts.kilometers((metres / 1000).toFixed(metres < 10_000 ? 2 : 1));
}
