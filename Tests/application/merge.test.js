import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meet, mergeFields, reconcile } from '../../Sources/HabitPages/Application/store/merge.js';

const BASE = { comment: 'old', amount: 1, at: null, has_photo: false };
const EVENT = { key: 'events/e', collection: 'events', id: 'e' };

/** Returns a waiting change of an event. */
function waiting(changes, more = {}) {
  const base = { fields: BASE, version: '1' };
  return { ...EVENT, order: 1, enteredAt: '', revision: 'r', removed: false, changes, base, ...more };
}

/** Returns the event as the server has it after a change. */
function theirs(changes, version = '2') {
  return { ...EVENT, fields: { ...BASE, ...changes }, version };
}

const CASES = [
  { name: 'only mine', mine: { comment: 'm' }, theirs: {}, changes: { comment: 'm' } },
  { name: 'different fields', mine: { comment: 'm' }, theirs: { amount: 2 }, changes: { comment: 'm' } },
  { name: 'the same value', mine: { comment: 'm' }, theirs: { comment: 'm' }, changes: {} },
  { name: 'both', mine: { comment: 'm' }, theirs: { comment: 't' }, changes: { comment: 'm' }, conflicts: ['comment'] },
  { name: 'both times', mine: { at: 'm' }, theirs: { at: 't' }, changes: {} },
  { name: 'a cleared value', mine: { comment: null }, theirs: { amount: 2 }, changes: { comment: null } },
  { name: 'a removed photo', mine: { photo: null }, theirs: { has_photo: true }, changes: { photo: null } },
  { name: 'a photo that is gone', mine: { photo: null }, theirs: {}, changes: {} },
];

for (const { name, mine, theirs: changed, changes, conflicts = [] } of CASES) {
  test(`a merge of ${name}`, () => {
    assert.deepEqual(mergeFields(BASE, mine, { ...BASE, ...changed }), { changes, conflicts });
  });
}

test('a merged change is based on the record of the server', () => {
  const merged = reconcile(waiting({ comment: 'm' }), theirs({ amount: 2 }));
  assert.deepEqual([merged.base.version, merged.changes, merged.problem], ['2', { comment: 'm' }, undefined]);
});

test('nothing is left of a change that the server has', () => {
  assert.equal(reconcile(waiting({ comment: 'm' }), theirs({ comment: 'm' })), undefined);
});

test('a deletion is asked only if the record has changed', () => {
  const deletion = waiting({}, { removed: true });
  assert.equal(reconcile(deletion, theirs({ comment: 't' })).problem.kind, 'conflict');
  const quiet = reconcile(deletion, theirs({ at: 't' }));
  assert.deepEqual([quiet.problem, quiet.base.version], [undefined, '2']);
});

test('a deletion of a deleted record is done, and a change of it is asked', () => {
  assert.equal(reconcile(waiting({}, { removed: true }), undefined), undefined);
  const { problem } = reconcile(waiting({ comment: 'm' }), undefined);
  assert.deepEqual([problem.theirs, problem.fields], [null, []]);
});

test('a conflict ends when the other device takes its change back', () => {
  const conflict = reconcile(waiting({ comment: 'm' }), theirs({ comment: 't' }));
  assert.deepEqual(conflict.problem.fields, ['comment']);
  assert.equal(reconcile(conflict, theirs({}, '3')).problem, undefined);
});

test('a new version without another field is a new photo', () => {
  const own = waiting({ photo: 'name', comment: 'm' });
  assert.deepEqual(reconcile(own, theirs({})).problem.fields, ['photo']);
  assert.equal(reconcile(own, theirs({ amount: 2 })).problem, undefined);
});

const NEW = { base: null, key: 'events/mine', id: 'mine' };

/** Returns another event of the day of a new event, as the server has it. */
function other(fields) {
  return { ...EVENT, fields: { habit: 'h', day: 'd', ...fields }, version: '2' };
}

test('the values of a new event go to the other event of its day', () => {
  const own = waiting({ habit: 'h', day: 'd', amount: 3 }, NEW);
  const met = meet(own, other({ comment: 't', outcome: 'done' }));
  assert.deepEqual([met.key, met.id, met.changes, met.base.version], ['events/e', 'e', { amount: 3 }, '2']);
});

test('an equal event of the same day needs no change', () => {
  const own = waiting({ habit: 'h', day: 'd', at: 'm' }, NEW);
  assert.equal(meet(own, other({ at: 't', outcome: 'done' })), undefined);
});

test('two values or outcomes of one day are asked', () => {
  const own = waiting({ habit: 'h', day: 'd', comment: 'm' }, NEW);
  const { key, problem } = meet(own, other({ comment: 't', outcome: 'skipped' }));
  assert.deepEqual([key, problem.other, problem.slug], ['events/mine', 'events/e', 'event-exists']);
  assert.deepEqual(problem.fields, ['outcome', 'comment']);
});
