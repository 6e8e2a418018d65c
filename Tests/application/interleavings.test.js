// Two devices and an online client of one person change the same records in random order, over a network that loses
// requests and responses. In the end all have the same records, and no entry was lost without a decision of the person.
// HABITAT_INTERLEAVINGS is their number (default: 300), and HABITAT_SEED repeats one of them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Device, FAULTS } from './device.js';
import { Ledger } from './ledger.js';
import { Random } from './random.js';
import { Server } from './server.js';
import { act, actOnline, begin, decide, featuresOf } from './person.js';

const COUNT = Number(process.env.HABITAT_INTERLEAVINGS ?? 300);
const SEED = Number(process.env.HABITAT_SEED ?? 1);
/** The interleavings that run at the same time, each with a person of its own. */
const PERSONS = ['alice', 'bruno', 'carla', 'dario'];
const COLLECTIONS = ['habits', 'events', 'pauses'];
/** The exchanges in which the devices must become equal after the network is back. */
const MAXIMUM_ROUNDS = 30;

/** @type {Server} */
let server;
before(async () => { server = await Server.start(PERSONS); });
after(() => server.stop());

test(`${COUNT} interleavings of two devices and an online client end equal and lose nothing`, async () => {
  const seeds = Array.from({ length: COUNT }, (_, index) => SEED + index);
  await Promise.all(PERSONS.map(async user => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      await interleave(user, seed).catch(error => {
        error.message = `HABITAT_SEED=${seed} HABITAT_INTERLEAVINGS=1: ${error.message}`;
        throw error;
      });
    }
  }));
});

/** @param {string} user @param {number} seed */
async function interleave(user, seed) {
  const random = new Random(seed);
  const ledger = new Ledger();
  const devices = [new Device(server, user), new Device(server, user)];
  for (const device of devices) Object.assign(device, { ledger, readsDays: false });
  await begin(devices[0], random);
  await begin(devices[0], random);
  for (const device of devices) await device.exchange();
  for (const device of devices) ledger.look(device);
  const steps = 8 + random.below(10);
  for (let step = 0; step < steps; step += 1) {
    const index = random.below(2);
    const choice = random.next();
    if (choice < 0.15) await actOnline(server, user, random, ledger);
    else if (choice < 0.5) await exchange(devices[index], random);
    else await actKnowingly(devices[index], random);
    if (random.chance(0.1)) devices[index] = await devices[index].restarted();
  }
  await settle(devices, random);
  await compare(devices, user);
  await cleanUp(devices[0]);
}

/** The person looks at the device before and after an action. */
async function actKnowingly(device, random) {
  device.ledger.look(device);
  await act(device, random);
  device.ledger.look(device);
}

/** Exchanges changes over a bad network. An entry that no longer waits must be on the server, or need a decision. */
async function exchange(device, random) {
  const before = device.waitingComments;
  device.faults = [0, 1, 2, 3, 4].map(() => (random.chance(0.2) ? random.pick(FAULTS) : undefined));
  await device.exchange();
  device.faults = [];
  device.ledger.requireKept(device, before);
}

/** Exchanges changes over a good network and decides about problems, until nothing waits on both devices. */
async function settle(devices, random) {
  let quiet = 0;
  for (let round = 0; quiet < devices.length; round += 1) {
    assert.ok(round < MAXIMUM_ROUNDS, 'the devices do not become equal');
    const device = devices[round % devices.length];
    const before = device.waitingComments;
    const wasEmpty = device.client.copy.waiting.size === 0;
    assert.ok(await device.exchange(), `the exchange fails: ${device.failure?.name}`);
    device.ledger.requireKept(device, before);
    // The last exchange of each device must have nothing to send.
    quiet = wasEmpty && device.client.copy.waiting.size === 0 ? quiet + 1 : 0;
    device.ledger.look(device);
    await decide(device, random, round);
  }
}

async function compare(devices, user) {
  const fresh = new Device(server, user);
  await fresh.exchange();
  const range = ['2026-11-01', '2026-11-23'];
  const { habits } = await server.get(user, `days?from=${range[0]}&to=${range[1]}`);
  for (const device of devices) {
    device.readsDays = true;
    await device.exchange();
    for (const collection of COLLECTIONS) {
      assert.deepEqual(sorted(device.records(collection)), sorted(fresh.records(collection)));
    }
    assert.deepEqual(device.client.days.of(...range).habits, habits);
  }
  const stored = await featuresOf(server, user, 'events');
  assert.deepEqual(stored.map(({ id }) => id).sort(), [...fresh.records('events').keys()].sort());
}

/** @param {Map<string, object>} records */
function sorted(records) {
  return [...records].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Deletes the records of a person, for the next interleaving. */
async function cleanUp(device) {
  device.ledger = undefined;
  for (const collection of ['pauses', 'habits']) {
    for (const id of device.records(collection).keys()) await device.client.remove(collection, id);
  }
  assert.ok(await device.exchange());
}
