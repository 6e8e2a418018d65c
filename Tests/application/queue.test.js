import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edited, inOrder, inserted, removed, sendable } from '../../Sources/HabitPages/Application/store/queue.js';

const KEY = { key: 'events/e', collection: 'events', id: 'e' };
const RECORD = { ...KEY, fields: { id: 'e', comment: 'old', amount: 1, has_photo: true }, version: '1' };

/** Returns the place of an edit in the queue, its time and its revision. */
function stamp(order) {
  return { order, enteredAt: `time ${order}`, revision: `revision ${order}` };
}

test('a new record has no base', () => {
  const entry = edited({ ...KEY }, { comment: 'new' }, stamp(1));
  assert.deepEqual([entry.base, entry.changes], [null, { comment: 'new' }]);
});

test('a later edit replaces an earlier one, and keeps its base and position', () => {
  const first = edited({ ...KEY, record: RECORD }, { comment: 'a', amount: 2 }, stamp(1));
  const second = edited({ ...KEY, record: { ...RECORD, version: '2' }, entry: first }, { comment: 'b' }, stamp(5));
  assert.deepEqual(second.changes, { comment: 'b', amount: 2 });
  const { base, order, enteredAt, revision } = second;
  assert.deepEqual([base.version, order, enteredAt, revision], ['1', 1, 'time 1', 'revision 5']);
});

test('an edit back to the values of the server leaves nothing', () => {
  const entry = edited({ ...KEY, record: RECORD }, { comment: 'a' }, stamp(1));
  assert.equal(edited({ ...KEY, record: RECORD, entry }, { comment: 'old' }, stamp(2)), undefined);
});

test('an edit back to the values of the server is sent if the change may have reached it', () => {
  const sending = { action: 'put', fields: {}, version: '1' };
  const entry = { ...edited({ ...KEY, record: RECORD }, { comment: 'a' }, stamp(1)), sending };
  assert.deepEqual(edited({ ...KEY, record: RECORD, entry }, { comment: 'old' }, stamp(2)).changes, {});
});

test('fields that only the server sets are not changed', () => {
  const fields = { user: 'x', unplanned: true, has_photo: false };
  assert.equal(edited({ ...KEY, record: RECORD }, fields, stamp(1)), undefined);
});

test('the removal of a photo is a change if there is a photo', () => {
  assert.deepEqual(edited({ ...KEY, record: RECORD }, { photo: null }, stamp(1)).changes, { photo: null });
  const without = { ...RECORD, fields: { ...RECORD.fields, has_photo: false } };
  assert.equal(edited({ ...KEY, record: without }, { photo: null }, stamp(1)), undefined);
});

test('the deletion of a new record leaves nothing', () => {
  const entry = edited({ ...KEY }, { comment: 'new' }, stamp(1));
  assert.equal(removed({ ...KEY, entry }, stamp(2)), undefined);
});

test('the deletion of a new record that may have reached the server waits', () => {
  const entry = { ...edited({ ...KEY }, { comment: 'new' }, stamp(1)), sending: { action: 'put', fields: {} } };
  assert.equal(removed({ ...KEY, entry }, stamp(2)).removed, true);
});

test('a deletion goes to the end of the queue', () => {
  const entry = edited({ ...KEY, record: RECORD }, { comment: 'a' }, stamp(1));
  const other = edited({ key: 'events/f', collection: 'events', id: 'f' }, { comment: 'b' }, stamp(2));
  const deletion = removed({ ...KEY, record: RECORD, entry }, stamp(3));
  assert.deepEqual(inOrder([deletion, other]).map(({ id }) => id), ['f', 'e']);
});

test('an edit ends a refusal, and keeps a conflict', () => {
  const refused = { ...edited({ ...KEY }, { comment: 'a' }, stamp(1)), problem: { kind: 'refused' } };
  assert.equal(edited({ ...KEY, entry: refused }, { comment: 'b' }, stamp(2)).problem, undefined);
  const conflict = { ...refused, problem: { kind: 'conflict' } };
  assert.equal(edited({ ...KEY, entry: conflict }, { comment: 'b' }, stamp(2)).problem.kind, 'conflict');
});

test('entries with a problem are not sent, nor the events of a refused new habit', () => {
  const created = edited({ key: 'habits/h', collection: 'habits', id: 'h' }, {}, stamp(1));
  const habit = { ...created, problem: { kind: 'refused' } };
  const event = edited({ ...KEY }, { habit: 'h' }, stamp(2));
  const free = edited({ key: 'events/f', collection: 'events', id: 'f' }, { habit: 'g' }, stamp(3));
  const waiting = new Map([habit, event, free].map(entry => [entry.key, entry]));
  assert.deepEqual(sendable(waiting).map(({ key }) => key), ['events/f']);
});

test('a request has at most 1,000 changes, the earliest first', () => {
  const entries = Array.from({ length: 1200 }, (_, index) => {
    const id = String(index);
    return edited({ key: `events/${id}`, collection: 'events', id }, { comment: id }, stamp(2000 - index));
  });
  const sent = sendable(new Map(entries.map(entry => [entry.key, entry])));
  assert.deepEqual([sent.length, sent[0].id], [1000, '1199']);
});

test('a record that is inserted again has all fields that the server does not set itself', () => {
  const id = '0eb98e18-6eb7-423d-b18c-34c9217a56fa';
  const entry = inserted({ ...KEY, id }, { ...RECORD.fields, user: 'me', photo: 'name' });
  const changes = { comment: 'old', amount: 1, photo: 'name' };
  assert.deepEqual([entry.key, entry.base, entry.changes], [`events/${id}`, null, changes]);
});
