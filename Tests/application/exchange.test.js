import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Device } from './device.js';
import { Server } from './server.js';

/** Records with IDs that only the operator can choose. */
const LOADED = [
  { kind: 'habits', id: 'walk', user: 'carla', title: 'Walk', days: '1111111', start: '2026-11-01' },
  { kind: 'events', id: 'walk-1', habit: 'walk', day: '2026-11-18', comment: 'loaded' },
];

/** @type {Server} */
let server;
before(async () => { server = await Server.start(['alice', 'bruno', 'carla'], LOADED); });
after(() => server.stop());

let titles = 0;
/** Returns a daily habit with a title of its own, since titles of one person differ. */
function daily() {
  titles += 1;
  return { title: `Habit ${titles}`, days: 'mon tue wed thu fri sat sun', start: '2026-10-01' };
}

/** Returns two devices of a person that have a habit with an event. */
async function devicesWithEvent(user = 'alice') {
  const phone = new Device(server, user);
  const habit = await phone.client.save('habits', null, daily());
  const event = await phone.client.save('events', null, { habit, day: '2026-11-18', comment: 'first' });
  await phone.exchange();
  const tablet = new Device(server, user);
  await tablet.exchange();
  return { phone, tablet, habit, event };
}

/** Returns the properties of an event, as the server has them. */
async function stored(event, user = 'alice') {
  const { properties } = await server.get(user, `collections/events/items/${event}`);
  return properties;
}

test('a device sends offline entries, and another device receives them', async () => {
  const phone = new Device(server, 'alice');
  const habit = await phone.client.save('habits', null, daily());
  const event = await phone.client.save('events', null, { habit, day: '2026-11-18', comment: 'legs' });
  assert.ok(await phone.exchange());
  assert.equal(phone.client.copy.waiting.size, 0);
  const tablet = new Device(server, 'alice');
  assert.ok(await tablet.exchange());
  assert.equal(tablet.records('events').get(event).properties.comment, 'legs');
  assert.ok(tablet.records('habits').has(habit));
  const { habits } = tablet.client.days.of('2026-11-18', '2026-11-19');
  const { days } = habits.find(({ id }) => id === habit);
  assert.deepEqual(days.map(({ outcome }) => outcome), ['done', 'missed']);
});

test('an entry and its deletion leave nothing to send', async () => {
  const phone = new Device(server, 'alice');
  const habit = await phone.client.save('habits', null, daily());
  await phone.client.remove('habits', habit);
  assert.equal(phone.client.copy.waiting.size, 0);
});

test('a change whose answer was lost is repeated and not entered twice', async () => {
  const { phone, event } = await devicesWithEvent();
  await phone.client.save('events', event, { comment: 'second' });
  phone.faults = [undefined, 'lost answer'];
  assert.equal(await phone.exchange(), false);
  assert.equal(phone.client.copy.waiting.size, 1);
  await phone.client.save('events', event, { amount: 3 });
  const restarted = await phone.restarted();
  assert.ok(await restarted.exchange());
  assert.deepEqual(restarted.problems, []);
  const { comment, amount } = await stored(event);
  assert.deepEqual({ comment, amount }, { comment: 'second', amount: 3 });
});

test('changes of different fields are merged without a question', async () => {
  const { phone, tablet, event } = await devicesWithEvent();
  await phone.client.save('events', event, { comment: 'phone' });
  await tablet.client.save('events', event, { amount: 7 });
  await tablet.exchange();
  await phone.exchange();
  assert.deepEqual(phone.problems, []);
  const { comment, amount } = await stored(event);
  assert.deepEqual({ comment, amount }, { comment: 'phone', amount: 7 });
});

for (const [decision, expected] of [['mine', 'phone'], ['theirs', 'tablet']]) {
  test(`changes of the same field are asked, and '${decision}' decides`, async () => {
    const { phone, tablet, event } = await devicesWithEvent();
    await phone.client.save('events', event, { comment: 'phone', amount: 2 });
    await tablet.client.save('events', event, { comment: 'tablet' });
    await tablet.exchange();
    await phone.exchange();
    const view = phone.client.copy.find('events', event);
    assert.deepEqual(view.problem.fields, ['comment']);
    assert.equal(view.problem.theirs.comment, 'tablet');
    assert.equal(view.problem.mine.comment, 'phone');
    await phone.client.resolve(view.problem, decision);
    await phone.exchange();
    assert.equal(phone.client.copy.waiting.size, 0);
    assert.equal((await stored(event)).comment, expected);
  });
}

test('an edit of a record that another device has deleted is asked, and can bring it back', async () => {
  const { phone, tablet, event } = await devicesWithEvent();
  await phone.client.save('events', event, { comment: 'phone' });
  await tablet.client.remove('events', event);
  await tablet.exchange();
  await phone.exchange();
  const { problem } = phone.client.copy.find('events', event);
  assert.equal(problem.theirs, null);
  await phone.client.resolve(problem, 'mine');
  await phone.exchange();
  assert.equal((await stored(event)).comment, 'phone');
});

test('two events of one habit and day become one', async () => {
  const { phone, tablet, habit } = await devicesWithEvent();
  const theirs = await tablet.client.save('events', null, { habit, day: '2026-11-17', comment: 'tablet' });
  const mine = await phone.client.save('events', null, { habit, day: '2026-11-17', amount: 4 });
  await tablet.exchange();
  await phone.exchange();
  assert.deepEqual(phone.problems, []);
  assert.equal(phone.client.copy.find('events', mine), undefined);
  const { comment, amount } = await stored(theirs);
  assert.deepEqual({ comment, amount }, { comment: 'tablet', amount: 4 });
});

test('a skipped and a done event of one day are asked, and mine replaces theirs', async () => {
  const { phone, tablet, habit } = await devicesWithEvent();
  const theirs = await tablet.client.save('events', null, { habit, day: '2026-11-17', outcome: 'skipped' });
  const mine = await phone.client.save('events', null, { habit, day: '2026-11-17' });
  await tablet.exchange();
  await phone.exchange();
  const { problem } = phone.client.copy.find('events', mine);
  assert.deepEqual(problem.fields, ['outcome']);
  await phone.client.resolve(problem, 'mine');
  await phone.exchange();
  await tablet.exchange();
  assert.equal(tablet.records('events').has(theirs), false);
  assert.equal((await stored(mine)).outcome, 'done');
});

test('another outcome replaces the event', async () => {
  const { phone, tablet, event } = await devicesWithEvent();
  const replacement = await phone.client.save('events', event, { outcome: 'skipped' });
  assert.notEqual(replacement, event);
  await phone.exchange();
  await tablet.exchange();
  assert.equal(tablet.records('events').has(event), false);
  const { outcome, comment } = await stored(replacement);
  assert.deepEqual({ outcome, comment }, { outcome: 'skipped', comment: 'first' });
});

test('a refused entry keeps its text, and is sent again after an edit', async () => {
  const { phone, event } = await devicesWithEvent();
  await phone.client.save('events', event, { comment: 'a comment that is much too long' });
  await phone.exchange();
  const { problem } = phone.client.copy.find('events', event);
  assert.deepEqual([problem.kind, problem.slug], ['refused', 'comment-too-long']);
  await phone.client.save('events', event, { comment: 'short' });
  await phone.exchange();
  assert.equal((await stored(event)).comment, 'short');
});

test('the events of a refused habit wait until the habit is accepted', async () => {
  const phone = new Device(server, 'alice');
  const habit = await phone.client.save('habits', null, { ...daily(), title: 'a title that is much too long' });
  const event = await phone.client.save('events', null, { habit, day: '2026-11-18' });
  await phone.exchange();
  assert.deepEqual(phone.problems.map(({ collection }) => collection), ['habits']);
  await phone.client.save('habits', habit, daily());
  await phone.exchange();
  assert.equal(phone.client.copy.waiting.size, 0);
  assert.equal((await stored(event)).habit, habit);
});

test('a deleted record comes back, before and after the server has deleted it', async () => {
  const { phone, event } = await devicesWithEvent();
  const undoSoon = await phone.client.remove('events', event);
  await undoSoon();
  assert.equal(phone.client.copy.waiting.size, 0);
  const undoLate = await phone.client.remove('events', event);
  await phone.exchange();
  await undoLate();
  await phone.exchange();
  assert.equal((await stored(event)).comment, 'first');
});

test('a deleted record of the operator comes back with another ID', async () => {
  const phone = new Device(server, 'carla');
  await phone.exchange();
  const undo = await phone.client.remove('events', 'walk-1');
  await phone.exchange();
  await undo();
  await phone.exchange();
  assert.deepEqual(phone.problems, []);
  const [event] = phone.records('events').values();
  assert.notEqual(event.id, 'walk-1');
  assert.equal((await stored(event.id, 'carla')).comment, 'loaded');
});

test('a deletion waits until the person can no longer undo it', async () => {
  const { phone, event, habit } = await devicesWithEvent();
  const tablet = new Device(server, 'alice', undefined, true);
  await tablet.exchange();
  await tablet.client.remove('events', event);
  await tablet.exchange();
  assert.equal((await stored(event)).comment, 'first');
  // The event that replaces it needs the deletion.
  const replacement = await tablet.client.save('events', null, { habit, day: '2026-11-18' });
  await tablet.exchange();
  await phone.exchange();
  assert.equal(phone.records('events').has(replacement), true);
  assert.equal(phone.records('events').has(event), false);
  await tablet.client.remove('events', replacement);
  await tablet.client.release(tablet.client.heldRevisions);
  await tablet.exchange();
  assert.equal(tablet.client.copy.waiting.size, 0);
});

test('the end of a session keeps what waits', async () => {
  const { phone, event } = await devicesWithEvent();
  await phone.client.save('events', event, { comment: 'waits' });
  phone.faults = ['signed out'];
  assert.equal(await phone.exchange(), false);
  assert.equal(phone.client.copy.waiting.size, 1);
  await phone.exchange();
  assert.equal((await stored(event)).comment, 'waits');
});

test('nothing is sent or copied for another person who has signed in', async () => {
  const { phone, event } = await devicesWithEvent('bruno');
  await phone.client.save('events', event, { comment: 'of bruno' });
  phone.user = 'carla';
  assert.equal(await phone.exchange(), false);
  assert.ok(phone.sent.slice(-3).every(request => request.startsWith('GET')));
  assert.equal(phone.client.copy.records.has('user/carla'), false);
  phone.user = 'bruno';
  await phone.exchange();
  assert.equal((await stored(event, 'bruno')).comment, 'of bruno');
});

test('a photo is sent with its event, and can be removed', async () => {
  const { phone, event } = await devicesWithEvent();
  const picture = readFileSync(new URL('../../sample-data/photos/hills.png', import.meta.url));
  await phone.client.savePhoto('events', event, new Blob([picture], { type: 'image/png' }));
  const restarted = await phone.restarted();
  await restarted.exchange();
  assert.equal(restarted.client.copy.photos.size, 0);
  assert.equal((await stored(event)).has_photo, true);
  await restarted.client.savePhoto('events', event, null);
  await restarted.exchange();
  assert.equal((await stored(event)).has_photo, false);
});

test('a photo above the limit is not stored', async () => {
  const { phone, event } = await devicesWithEvent();
  await assert.rejects(phone.client.savePhoto('events', event, new Blob([new Uint8Array(65_536)])), RangeError);
});

test('a device reads the settings once after each start', async () => {
  const phone = new Device(server, 'alice');
  await phone.exchange();
  server.set('title-limit', 30);
  const restarted = await phone.restarted();
  await restarted.exchange();
  await restarted.exchange();
  const reads = restarted.sent.filter(request => request.endsWith('/settings'));
  assert.equal(reads.length, 1);
  assert.equal(restarted.client.copy.meta.get('settings').text_limits.title, 30);
  server.set('title-limit', 20);
});

test('a request to follow is sent, and accepted on the other side', async () => {
  const [phone, other] = [new Device(server, 'alice'), new Device(server, 'bruno')];
  await phone.exchange();
  await phone.client.save('follows', 'alice/bruno', { follower: 'alice', followee: 'bruno' });
  await phone.exchange();
  assert.deepEqual(phone.problems, []);
  await other.exchange();
  await other.client.save('follows', 'alice/bruno', { status: 'accepted', share: 'latest' });
  await other.exchange();
  assert.deepEqual(other.problems, []);
  await phone.exchange();
  const { status, share } = phone.client.copy.find('follows', 'alice/bruno').properties;
  assert.deepEqual({ status, share }, { status: 'accepted', share: 'latest' });
});
