// A person in a test, who acts at random on a device, or online with single requests.

import { TODAY } from './server.js';

const SCHEDULES = [
  { days: 'mon tue wed thu fri sat sun', times: null, period_days: null },
  { days: 'mon wed fri', times: null, period_days: null },
  { days: null, times: 3, period_days: 7 },
];

let names = 0;
/** Returns a text that no one else enters. */
export function newText(prefix) {
  names += 1;
  return `${prefix} ${names}`;
}

/** @param {import('./random.js').Random} random */
function randomDay(random) {
  const day = Number(TODAY.slice(8)) - random.below(4);
  return `${TODAY.slice(0, 8)}${String(day).padStart(2, '0')}`;
}

/** Returns a random entry of a habit on a day. */
function randomEvent(random, habit) {
  const amount = random.chance(0.3) ? random.below(9) : null;
  const outcome = random.chance(0.2) ? 'skipped' : 'done';
  return { habit, day: randomDay(random), comment: newText('c'), amount, outcome };
}

/** The actions of a person on a device. Each one gets the device and a random number generator. */
const actions = {
  async enter(device, random) {
    const habit = random.pick([...device.records('habits').keys()]);
    if (habit) await device.client.save('events', null, randomEvent(random, habit));
  },
  async edit(device, random) {
    // All devices change the same few events, so that their changes meet.
    const event = random.pick([...device.records('events').keys()].sort().slice(0, 2));
    const fields = random.chance(0.7) ? { comment: newText('c') } : { amount: random.below(99) };
    if (event) await device.client.save('events', event, fields);
  },
  async replace(device, random) {
    const event = random.pick([...device.records('events').values()]);
    const outcome = event?.properties.outcome === 'skipped' ? 'done' : 'skipped';
    if (event) await device.client.save('events', event.id, { outcome, comment: newText('c') });
  },
  async delete(device, random) {
    const event = random.pick([...device.records('events').keys()]);
    if (!event) return;
    const undo = await device.client.remove('events', event);
    if (random.chance(0.3)) await device.exchange();
    if (random.chance(0.4)) await undo();
  },
  async change(device, random) {
    const habit = random.pick([...device.records('habits').keys()]);
    const fields = random.pick([{ title: newText('h') }, { reason: newText('r') }, random.pick(SCHEDULES)]);
    if (habit) await device.client.save('habits', habit, fields);
  },
  async begin(device, random) {
    const fields = { ...random.pick(SCHEDULES), title: newText('h'), start: randomDay(random) };
    await device.client.save('habits', null, fields);
  },
  async end(device, random) {
    const habits = [...device.records('habits').keys()];
    if (habits.length < 3) return;
    const undo = await device.client.remove('habits', random.pick(habits));
    if (random.chance(0.5)) await undo();
  },
  async pause(device, random) {
    const pause = random.pick([...device.records('pauses').keys()]);
    const habit = random.pick([null, ...device.records('habits').keys()]);
    if (pause && random.chance(0.5)) await device.client.remove('pauses', pause);
    else await device.client.save('pauses', null, { habit, from: randomDay(random), to: TODAY });
  },
};

/** The names of actions. A name that is repeated is more probable. */
const USUAL = [
  'enter', 'enter', 'enter', 'edit', 'edit', 'edit', 'edit', 'edit',
  'delete', 'replace', 'change', 'begin', 'end', 'pause',
];

/** Begins a habit with an entry, which later actions can change. */
export async function begin(device, random) {
  await actions.begin(device, random);
  await actions.enter(device, random);
}

/** Performs a random action on a device. */
export async function act(device, random) {
  await actions[random.pick(USUAL)](device, random);
}

/** Decides about the problems of a device. After ten attempts, the person discards the change. */
export async function decide(device, random, attempt) {
  for (const { key } of device.problems) {
    const decision = attempt > 10 ? 'discard' : random.pick(['mine', 'theirs']);
    await device.client.resolve({ key }, decision);
  }
}

/** Sends a random request. The server may refuse it. */
export async function actOnline(server, user, random, ledger) {
  const habit = random.pick(await featuresOf(server, user, 'habits'));
  const event = random.pick(await featuresOf(server, user, 'events'));
  const send = (method, path, body) => server.fetch(user, new URL(`collections/${path}`, server.root), {
    method, body: body && JSON.stringify(body), headers: { 'Content-Type': 'application/json' },
  });
  const choice = random.below(5);
  if (choice === 0 && habit) return online(ledger, await send('POST', 'events/items', randomEvent(random, habit.id)));
  if (choice === 1 && habit) return send('PATCH', `habits/items/${habit.id}`, { reason: newText('r') });
  if (!event) return undefined;
  const path = `events/items/${event.id}`;
  if (choice === 2) return online(ledger, await send('PATCH', path, { comment: newText('o') }));
  if (choice === 3) return send('PATCH', path, { amount: random.below(99) });
  ledger.storedOnline(event.id, undefined);
  return send('DELETE', path);
}

/** Records in the ledger that the server has stored an event. */
async function online(ledger, answer) {
  if (!answer.ok) return;
  const { id, properties } = await answer.json();
  ledger.storedOnline(id, properties.comment);
}

export async function featuresOf(server, user, collection) {
  const { features } = await server.get(user, `collections/${collection}/items?limit=1000`);
  return features;
}
