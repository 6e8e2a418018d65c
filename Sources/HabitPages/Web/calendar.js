// The dialog with the days of one habit. It has a row for each weekday and a column for each week.

import { getJSON, isAbort } from './api.js';
import { session } from './session.js';
import { byId, element, weekdayOf, weekdayText } from './dom.js';
import { texts } from './texts.js';

const weeks = 13;

// Each outcome has a sign in addition to its color.
const outcomes = {
  done: { sign: '✓', words: texts.done },
  // A friend's event. Only the owner sees the target amount that decides whether the day counts as done.
  recorded: { sign: '✓', words: texts.recorded },
  missed: { sign: '✕', words: texts.missed },
  skipped: { sign: '–', words: texts.skipped },
  unplanned: { sign: '+', words: texts.unplanned },
  open: { sign: '○', words: texts.stillOpen },
  none: { sign: '', words: texts.notDue },
};

let loading = new AbortController();

export function prepareCalendar() {
  const dialog = byId('calendar');
  byId('calendar-close').addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => loading.abort());
  // The target of a click on the backdrop is the dialog. The target of any other click is an element in the dialog.
  dialog.addEventListener('click', event => { if (event.target === dialog) dialog.close(); });
}

/// Opens the dialog for the habit of `hit`. `standing` contains the properties of the habit; it may be undefined.
export async function openCalendar(hit, standing) {
  loading.abort();
  loading = new AbortController();
  const { signal } = loading;
  byId('calendar-title').textContent = hit.user ? `${hit.title} (${hit.user})` : hit.title;
  byId('calendar-note').textContent = texts.loading;
  byId('calendar-days').replaceChildren();
  byId('calendar').showModal();
  try {
    const days = isOwn(hit) ? await calendarOf(hit, signal) : await sharedDaysOf(hit, signal);
    if (!signal.aborted) show(days, standing);
    if (!isOwn(hit) && days.length) byId('calendar-note').textContent += ` · ${texts.sharedDays(hit.user)}`;
  } catch (error) {
    if (!isAbort(error)) byId('calendar-note').textContent = error.message;
  }
}

/// Whether the viewer can see all days of the habit. The operator has the permissions of every owner.
const isOwn = hit => session.signedIn && (session.user === null || session.user === hit.user);

const calendarOf = (hit, signal) => getJSON('reports/calendar', { habit: hit.habit, weeks, f: 'json' }, signal);

/// Returns the days of the shared events in the last weeks up to the newest event. Other users than the owner cannot see
/// which days were due.
async function sharedDaysOf(hit, signal) {
  const parameters = { scope: 'all', habit: hit.habit, limit: 7 * weeks };
  const { features } = await getJSON('collections/events/items', parameters, signal);
  const days = features.map(({ properties: { day, outcome, unplanned } }) => (
    { day, outcome: outcome !== 'done' ? outcome : unplanned ? 'unplanned' : 'recorded' }));
  const newest = days.map(({ day }) => day).sort().at(-1);
  return days.filter(({ day }) => day > plusDays(newest, -7 * weeks));
}

function show(days, standing) {
  byId('calendar-note').textContent = days.length ? summary(days, standing) : texts.noDays;
  if (days.length) byId('calendar-days').replaceChildren(element('div', { class: 'scroll' }, table(days)), legend(days));
}

function summary(days, standing) {
  const counted = Object.keys(outcomes).filter(name => name !== 'none')
    .map(name => [days.filter(day => day.outcome === name).length, outcomes[name].words])
    .filter(([count]) => count).map(([count, words]) => texts.outcomeCount(count, words));
  const parts = [counted.join(', ') || texts.noDueDay];
  if (standing?.completion_rate != null) parts.push(texts.completionRate(Math.round(100 * standing.completion_rate)));
  if (standing?.streak_current) parts.push(texts.currentStreak(standing.streak_current));
  return parts.join(' · ');
}

function table(days) {
  const byDay = new Map(days.map(day => [day.day, day]));
  const sorted = [...byDay.keys()].sort();
  const mondays = mondaysBetween(sorted[0], sorted.at(-1));
  return element('table', {},
    element('caption', { class: 'unseen' }, texts.calendarCaption(mondays.length)),
    element('thead', {}, monthRow(mondays)),
    element('tbody', {}, ...texts.weekdays.map((name, weekday) =>
      element('tr', {}, element('th', { scope: 'row' }, name),
        ...mondays.map(monday => cell(byDay.get(plusDays(monday, weekday))))))));
}

/// Returns the header row. The name of a month is above the week that contains its first day.
function monthRow(mondays) {
  const heads = mondays.map((monday, index) => {
    const sunday = plusDays(monday, 6);
    const begins = Number(sunday.slice(8)) <= 7 || index === 0 && Number(sunday.slice(8)) <= 14;
    return element('th', { scope: 'col' }, element('span', { class: 'unseen' }, texts.weekOf(weekdayText(monday))),
      begins ? element('span', { class: 'month', 'aria-hidden': 'true' }, texts.months[Number(sunday.slice(5, 7)) - 1]) : null);
  });
  return element('tr', {}, element('td'), ...heads);
}

function cell(day) {
  if (!day) return element('td');
  const { sign, words } = outcomes[day.outcome] ?? { sign: '?', words: day.outcome };
  const name = texts.dayOutcome(weekdayText(day.day), words);
  return element('td', { class: `day ${day.outcome}`, 'data-day': day.day, 'data-outcome': day.outcome, title: name },
    element('span', { 'aria-hidden': 'true' }, sign), element('span', { class: 'unseen' }, name));
}

function legend(days) {
  const present = Object.keys(outcomes).filter(name => days.some(day => day.outcome === name));
  return element('ul', { class: 'calendar-legend' }, ...present.map(name =>
    element('li', {}, element('span', { class: `day ${name}`, 'aria-hidden': 'true' }, outcomes[name].sign),
      ` ${outcomes[name].words}`)));
}

function mondaysBetween(first, last) {
  const mondays = [];
  for (let day = plusDays(first, -weekdayOf(first)); day <= last; day = plusDays(day, 7)) mondays.push(day);
  return mondays;
}

function plusDays(day, count) {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}
