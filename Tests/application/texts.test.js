// The texts of the application: every language has every key, every key is used, and pseudo-languages work.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { addDays, daysBetween, longDayText, startOfWeek } from '../../Sources/HabitPages/Application/texts/formats.js';
import { pluralsOf } from '../../Sources/HabitPages/Application/texts/plural.js';
import { problemText } from '../../Sources/HabitPages/Application/texts/problems.js';
import { pseudoTexts } from '../../Sources/HabitPages/Application/texts/pseudo.js';
import { chosenWeekdays, scheduleText } from '../../Sources/HabitPages/Application/texts/schedule.js';
import { chooseLanguage, direction, loadTexts, text } from '../../Sources/HabitPages/Application/texts/text.js';
import { english } from '../../Sources/HabitPages/Application/texts/texts.en.js';
import { japanese } from '../../Sources/HabitPages/Application/texts/texts.ja.js';
import { portuguese } from '../../Sources/HabitPages/Application/texts/texts.pt.js';

const application = join(dirname(fileURLToPath(import.meta.url)), '../../Sources/HabitPages/Application');

// Keys that code composes from a value, such as the slug of a problem.
const COMPOSED = /^(problem|field|outcome)\./;

/** Returns the code of the application without its texts. */
function sources() {
  const files = readdirSync(application, { recursive: true });
  const scripts = files.filter(file => file.endsWith('.js') && !/\.(en|pt|ja)\.js$/.test(file));
  return scripts.map(file => ({ file, code: readFileSync(join(application, file), 'utf8') }));
}

function placeholders(entry) {
  return typeof entry === 'string' ? [...entry.matchAll(/\{\w+\}/g)].map(match => match[0]).sort() : [];
}

for (const [language, table] of Object.entries({ portuguese: portuguese(pluralsOf('pt-PT')), japanese })) {
  test(`${language} has the keys of English`, () => {
    assert.deepEqual(Object.keys(table).sort(), Object.keys(english).sort());
  });

  test(`${language} has the placeholders of English`, () => {
    for (const [key, entry] of Object.entries(english)) {
      if (typeof entry !== 'string' || typeof table[key] !== 'string') continue;
      assert.deepEqual(placeholders(table[key]), placeholders(entry), key);
    }
  });
}

test('every key is used', () => {
  const code = sources().map(({ code }) => code).join('\n');
  const unused = Object.keys(english).filter(key => !COMPOSED.test(key) && !code.includes(`'${key}'`));
  assert.deepEqual(unused, []);
});

test('every used key exists', () => {
  const missing = [];
  for (const { file, code } of sources()) {
    for (const [, key] of code.matchAll(/\btext\('([^']+)'/g)) {
      if (!(key in english)) missing.push(`${file}: ${key}`);
    }
  }
  assert.deepEqual(missing, []);
});

test('the language is the first preference that the application has', () => {
  assert.equal(chooseLanguage(['fr-FR', 'pt-BR', 'en-US']), 'pt-BR');
  assert.equal(chooseLanguage(['xx']), 'en');
  assert.equal(chooseLanguage(['constructor', 'ja']), 'ja');
});

test('a plural has its form, and numbers that of the language', async () => {
  await loadTexts('pt');
  assert.equal(text('notice.signInToSave', { count: 1 }), 'Entre de novo para guardar 1 registo.');
  assert.equal(text('notice.signInToSave', { count: 3 }), 'Entre de novo para guardar 3 registos.');
  await loadTexts('en');
  assert.equal(text('notice.signInToSave', { count: 1200 }), 'Sign in again to save 1,200 entries.');
});

test('a text is not searched for placeholders that its values contain', async () => {
  await loadTexts('en');
  const title = '{title} $& {count}';
  assert.equal(text('conflict.title', { title }), `${title}: changed on another device`);
});

test('an unknown slug has a text', async () => {
  await loadTexts('en');
  assert.match(problemText('new-rule'), /new-rule/);
  const tooLong = problemText('comment-too-long', { limit: 20 });
  assert.equal(tooLong, 'The comment may have at most 20 characters. Shorten it.');
});

test('a pseudo-language is longer and keeps its placeholders', () => {
  const pseudo = pseudoTexts(english);
  for (const [key, entry] of Object.entries(english)) {
    if (typeof entry !== 'string') continue;
    assert.ok(pseudo[key].length >= entry.length * 1.4, key);
    assert.deepEqual(placeholders(pseudo[key]), placeholders(entry), key);
  }
});

test('the second pseudo-language runs from right to left', async () => {
  await loadTexts(chooseLanguage(['ar-XB']));
  assert.equal(direction(), 'rtl');
  await loadTexts(chooseLanguage(['en-XA']));
  assert.equal(direction(), 'ltr');
  await loadTexts('en');
});

test('a schedule has a short text', async () => {
  await loadTexts('en');
  assert.equal(scheduleText({ days: 'mon wed fri' }), 'Mon Wed Fri');
  assert.equal(scheduleText({ days: 'mon tue wed thu fri sat sun' }), 'every day');
  assert.equal(scheduleText({ days: 'mon tue wed thu fri' }), 'weekdays');
  assert.equal(scheduleText({ days: 'sat sun' }), 'weekend');
  assert.equal(scheduleText({ times: 1, period_days: 7 }), 'once a week');
  assert.equal(scheduleText({ times: 2, period_days: 3 }), '2 times in 3 days');
  assert.deepEqual(chosenWeekdays('sun,mon'), [0, 6]);
});

test('days are calendar dates and ignore the time zone of the device', async () => {
  await loadTexts('en');
  assert.equal(addDays('2026-03-28', 2), '2026-03-30');
  assert.equal(addDays('2024-02-28', 1), '2024-02-29');
  assert.equal(daysBetween('2025-12-31', '2026-01-01'), 1);
  assert.equal(longDayText('2026-11-20'), 'Friday, November 20');
});

test('a week begins with the first weekday of the language', async () => {
  await loadTexts('pt-PT');
  const first = startOfWeek('2026-11-20');
  assert.ok(['2026-11-15', '2026-11-16'].includes(first), first);
  await loadTexts('en');
});
