// The rules of the view Today and of the sheet of an event.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { draftOf, fieldsOf, problemsOf } from '../../Sources/HabitPages/Application/views/event/eventDraft.js';
import { isDone, recordDone } from '../../Sources/HabitPages/Application/views/event/entries.js';
import { shrinkPhoto, smallerSize } from '../../Sources/HabitPages/Application/views/event/shrinkPhoto.js';
import { dayList, dayProgress } from '../../Sources/HabitPages/Application/views/today/dayList.js';

const FRIDAY = '2026-11-20';
const COMMENT_LIMIT = 20;

/** A store with records, and a list of the saved changes. */
function storeOf(records) {
  const saved = [];
  return {
    saved,
    find: (collection, id) => records.find(record => record.collection === collection && record.id === id),
    async save(collection, id, fields) {
      saved.push({ collection, id, fields });
      return id ?? 'made';
    },
    async remove(collection, id) {
      saved.push({ collection, id, isRemoved: true });
      return async () => {};
    },
  };
}

function habitOf(id, entries, fields = {}) {
  const days = entries.map(entry => ({ day: FRIDAY, due: true, ...entry }));
  const figures = { status: 'New', streak: 0, completion_rate: null };
  return { id, title: id, unit: null, target_amount: null, ...figures, days, ...fields };
}

function daysOf(...habits) {
  return { from: FRIDAY, to: FRIDAY, today: FRIDAY, habits };
}

test('a day with less than the target amount is not done', () => {
  assert.equal(isDone({ day: FRIDAY, due: true, event: 'e', outcome: 'open' }), false);
  assert.equal(isDone({ day: FRIDAY, due: false, event: 'e', outcome: 'unplanned' }), true);
  assert.equal(isDone(undefined), false);
});

test('a tap on an entry below the target fills the amount, and undo restores it', async () => {
  const event = { id: 'e', collection: 'events', properties: { outcome: 'done', amount: 12 } };
  const store = storeOf([event]);
  const habit = habitOf('read', [{ event: 'e', outcome: 'open' }], { target_amount: 20 });
  const undo = await recordDone(store, { habit, day: FRIDAY, entry: habit.days[0] });
  await undo();
  const [tap, restored] = store.saved.map(({ fields }) => fields);
  assert.deepEqual(tap, { outcome: 'done', amount: 20 });
  assert.deepEqual(restored, { outcome: 'done', amount: 12 });
  assert.equal(store.saved.length, 2);
});

test('undo of a done entry that has replaced a skipped one changes the new entry', async () => {
  const store = storeOf([{ id: 'e', collection: 'events', properties: { outcome: 'skipped' } }]);
  store.save = async (collection, id, fields) => {
    store.saved.push({ id, outcome: fields.outcome });
    return 'replacement';
  };
  const habit = habitOf('walk', [{ event: 'e', outcome: 'skipped' }]);
  const undo = await recordDone(store, { habit, day: FRIDAY, entry: habit.days[0] });
  await undo();
  assert.deepEqual(store.saved, [{ id: 'e', outcome: 'done' }, { id: 'replacement', outcome: 'skipped' }]);
});

test('undo of a new entry removes it', async () => {
  const store = storeOf([]);
  const undo = await recordDone(store, { habit: habitOf('walk', []), day: FRIDAY, entry: undefined });
  await undo();
  assert.deepEqual(store.saved[1], { collection: 'events', id: 'made', isRemoved: true });
});

test('a comment at the limit is valid, and a longer one is not', () => {
  const draft = { ...draftOf(undefined, {}), comment: 'é'.repeat(COMMENT_LIMIT) };
  assert.deepEqual(problemsOf(draft, COMMENT_LIMIT), {});
  assert.deepEqual(problemsOf({ ...draft, comment: '👩‍👩‍👧'.repeat(COMMENT_LIMIT) }, COMMENT_LIMIT), {});
  assert.ok(problemsOf({ ...draft, comment: 'x'.repeat(COMMENT_LIMIT + 1) }, COMMENT_LIMIT).comment);
});

test('an amount is a number of at least 0 with a point or a comma', () => {
  const problem = amount => problemsOf({ ...draftOf(undefined, {}), amount }, COMMENT_LIMIT).amount;
  for (const amount of ['', '0', '12', '1.5', '1,5', ' 3 ']) assert.equal(problem(amount), undefined, amount);
  for (const amount of ['-1', 'many', '1,5,0', 'Infinity', 'NaN']) assert.ok(problem(amount), amount);
});

test('a change of an event contains only what the person has changed since the form was opened', () => {
  const event = { id: 'e', collection: 'events', geometry: null, properties: { comment: 'a', outcome: 'done', amount: 3 } };
  const opened = draftOf(event, {});
  const ofOtherDevice = { ...event, properties: { ...event.properties, amount: 5 } };
  const target = { event: ofOtherDevice, habit: 'walk', day: FRIDAY, opened };
  assert.deepEqual(fieldsOf({ ...opened, comment: '  ' }, target), { comment: null });
  assert.deepEqual(fieldsOf(opened, target), {});
});

test('a new event clears nothing of the event that another device has sent since the form was opened', () => {
  const event = { id: 'e', collection: 'events', geometry: null, properties: { comment: 'a', outcome: 'done', amount: 3 } };
  const draft = { ...draftOf(undefined, {}), amount: '4' };
  assert.deepEqual(fieldsOf(draft, { event, habit: 'walk', day: FRIDAY, opened: undefined }), { amount: 4, outcome: 'done' });
});

test('a new event of a habit with a target amount begins with the target', () => {
  assert.equal(draftOf(undefined, { target_amount: 20 }).amount, '20');
});

test('the list has the due habits by rank, and then by title', () => {
  const records = [
    { id: 'b', collection: 'habits', properties: { rank: 1 } },
    { id: 'later', collection: 'habits', properties: { start: '2026-12-01' } },
    { id: 'ended', collection: 'habits', properties: { end: '2026-11-19' } },
  ];
  const days = daysOf(
    habitOf('a', [{}]),
    habitOf('b', [{}]),
    habitOf('ended', []),
    habitOf('extra', [{ due: false, event: 'e', outcome: 'unplanned' }]),
    habitOf('later', []),
    habitOf('rest', []),
    habitOf('paused', [{ due: false, paused: true }]),
  );
  const { due, rest } = dayList(storeOf(records), days, FRIDAY);
  assert.deepEqual(due.map(({ habit }) => habit.id), ['b', 'a', 'extra']);
  assert.deepEqual(rest.map(({ habit }) => habit.id), ['rest', 'paused']);
});

test('a skipped habit is neither done nor due', () => {
  const days = daysOf(
    habitOf('a', [{ event: 'e', outcome: 'done' }]),
    habitOf('b', [{ event: 'f', outcome: 'skipped' }]),
    habitOf('c', [{ outcome: 'open' }]),
  );
  assert.deepEqual(dayProgress(days, FRIDAY), { day: FRIDAY, done: 1, due: 2 });
});

test('the next size of a photo is estimated from the bytes of the last one', () => {
  const { width, height } = smallerSize({ width: 1280, height: 960 }, 262_140, 65_535);
  assert.ok(width < 640 && width > 600, String(width));
  assert.ok(Math.abs(width / height - 4 / 3) < 0.01);
});

/** Simulates the pictures of a browser, whose encodings have `bytesOf(width * height)` bytes. */
function simulatePictures(size, bytesOf) {
  const encodings = [];
  const picture = { ...size, close: () => encodings.push('closed') };
  globalThis.createImageBitmap = async () => picture;
  globalThis.OffscreenCanvas = class {
    constructor(width, height) {
      Object.assign(this, { width, height });
    }

    getContext() {
      return { drawImage() {}, fillRect() {} };
    }

    async convertToBlob({ quality }) {
      encodings.push(quality);
      return { size: Math.round(bytesOf(this.width * this.height) * quality) };
    }
  };
  return encodings;
}

test('a photo takes at most four encodings of at least quality 0.6', async () => {
  for (const bytesPerPixel of [0.02, 0.3, 1, 3]) {
    const encodings = simulatePictures({ width: 4000, height: 3000 }, pixels => 600 + pixels * bytesPerPixel);
    const small = await shrinkPhoto({}, 65_535);
    assert.ok(small.size <= 65_535);
    assert.equal(encodings.pop(), 'closed');
    assert.ok(encodings.length <= 4 && encodings.every(quality => quality >= 0.6), String(encodings));
  }
});

test('a photo that stays too large is an error, and its memory is released', async () => {
  const encodings = simulatePictures({ width: 4000, height: 3000 }, () => 1_000_000);
  await assert.rejects(shrinkPhoto({}, 65_535), { name: 'PhotoTooLargeError' });
  assert.equal(encodings.length, 5);
  assert.equal(encodings.pop(), 'closed');
});
