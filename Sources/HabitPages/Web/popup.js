// The content of the popup of a marker.

import { request } from './api.js';
import { element, shape } from './dom.js';
import { texts } from './texts.js';

/// The padding keeps the popup away from the buttons at the top and at the left.
export const popupOptions = {
  minWidth: 220, maxWidth: 270, autoPanPaddingTopLeft: [52, 56], autoPanPaddingBottomRight: [16, 16],
};

/// Creates the content without the photo, which `showPhoto` loads.
export function popupContent(hit, openCalendar) {
  const content = element('article', { class: 'popup', tabindex: '-1', 'aria-label': hit.title },
    element('h3', {}, hit.title),
    element('p', { class: 'popup-who' }, [hit.user, hit.date].filter(Boolean).join(' · ')),
    hit.text ? element('p', { class: 'popup-text' }, hit.text) : null,
    facts(hit),
    hit.photo ? element('div', { class: 'photo' }, texts.loadingPhoto) : null);
  if (hit.habit) content.append(calendarButton(hit, openCalendar));
  return content;
}

function facts(hit) {
  const list = element('ul', { class: 'facts' });
  if (hit.words) list.append(element('li', {}, hit.words));
  if (hit.status) list.append(element('li', {}, shape('mine', hit), ` ${hit.status}`));
  if (hit.away) list.append(element('li', {}, texts.away(hit.away)));
  return list;
}

function calendarButton(hit, openCalendar) {
  const button = element('button', { type: 'button', class: 'open-calendar' }, texts.habitCalendar);
  button.addEventListener('click', () => openCalendar(hit));
  return button;
}

/// Loads the photo, and shows the reason if it is unavailable. Returns a function that cancels the load and frees the memory.
export function showPhoto(content, hit) {
  const frame = content.querySelector('.photo');
  if (!frame) return () => {};
  const loading = new AbortController();
  let address = null;
  load();
  return () => {
    loading.abort();
    if (address) URL.revokeObjectURL(address);
  };

  async function load() {
    try {
      const separator = hit.photo.includes('?') ? '&' : '?';
      const response = await request(`${hit.photo}${separator}width=320`, { signal: loading.signal });
      const blob = await response.blob();
      if (loading.signal.aborted) return;
      address = URL.createObjectURL(blob);
      frame.replaceChildren(element('img', { src: address, alt: texts.photoOf(hit.title, hit.user, hit.date) }));
    } catch (error) {
      if (!loading.signal.aborted) frame.textContent = texts.photoUnavailable(error.message);
    }
  }
}
