// Calendar days. A day is a text such as 2026-11-20, or the number of the day since 1970-01-01.

const MILLISECONDS = 86_400_000;
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** @param {string} day */
export function numberOf(day) {
  return Date.parse(`${day}T00:00:00Z`) / MILLISECONDS;
}

/** @param {number} number */
export function dayOf(number) {
  return new Date(number * MILLISECONDS).toISOString().slice(0, 10);
}

/**
 * Returns the days from Monday: 0 to 6.
 * @param {number} number
 */
export function weekdayOf(number) {
  // 1970-01-01 was a Thursday.
  return (((number + 3) % 7) + 7) % 7;
}

/**
 * Returns the weekdays of a schedule, such as `mon wed fri`, as days from Monday.
 * @param {string} text
 */
export function weekdaysOf(text) {
  return new Set(text.split(' ').map(name => WEEKDAYS.indexOf(name)));
}

/**
 * The formats of dates by time zone. It takes long to create them.
 * @type {Map<string, Intl.DateTimeFormat>}
 */
const formats = new Map();

/**
 * Returns the day at an instant in a time zone.
 * @param {number} instant milliseconds since 1970
 * @param {string} timeZone
 */
export function dayIn(instant, timeZone) {
  const format = formats.get(timeZone) ?? formatIn(timeZone);
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}

/** @param {string} timeZone */
function formatIn(timeZone) {
  const options = /** @type {const} */ ({ year: 'numeric', month: '2-digit', day: '2-digit' });
  try {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone });
  } catch {
    // The browser does not know the time zone: the person is probably in that of the device.
    return new Intl.DateTimeFormat('en-US', options);
  }
}

/**
 * Returns an instant in RFC 3339 for an event of a day, such as `2026-11-20T08:05:00+01:00`. It has the offset of this
 * device, so that the time of a journey stays the local time. If this device has another date than the day, the instant
 * is in UTC, which the server shows in the time zone of the account.
 * @param {number} instant milliseconds since 1970
 * @param {string} day
 */
export function instantOn(instant, day) {
  const date = new Date(instant);
  const offset = -date.getTimezoneOffset();
  const local = new Date(instant + offset * 60_000).toISOString().slice(0, 19);
  if (local.slice(0, 10) !== day) return `${date.toISOString().slice(0, 19)}Z`;
  const twoDigits = (/** @type {number} */ number) => String(Math.floor(number)).padStart(2, '0');
  const size = Math.abs(offset);
  return `${local}${offset < 0 ? '-' : '+'}${twoDigits(size / 60)}:${twoDigits(size % 60)}`;
}
