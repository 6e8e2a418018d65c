// The position in the metadata of a photo, also of hostile files.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { coordinatesOf } from '../../Sources/HabitPages/Application/views/event/coordinates.js';
import { exifPosition, positionIn } from '../../Sources/HabitPages/Application/views/event/exifPosition.js';
import { exif, jpeg, segment, tiff } from './exif.js';
import { Random } from './random.js';

const LISBON = { latitude: ['N', [[38, 1], [43, 1], [2028, 100]]], longitude: ['W', [[9, 1], [8, 1], [2148, 100]]] };
const AUCKLAND = { latitude: ['S', [[36, 1], [51, 1], [0, 1]]], longitude: ['E', [[174, 1], [457, 10], [0, 1]]] };

/** Returns the position of a photo with six decimals. */
function roundedPosition(photo) {
  return coordinatesOf(...positionIn(jpeg(exif(photo))));
}

for (const order of ['II', 'MM']) {
  test(`the position is read in the byte order ${order}`, () => {
    assert.deepEqual(roundedPosition(tiff({ order, ...LISBON })), [-9.1393, 38.7223]);
    assert.deepEqual(roundedPosition(tiff({ order, ...AUCKLAND })), [174.761667, -36.85]);
  });
}

test('a position on the equator or on the meridian of Greenwich is read', () => {
  const zero = [[0, 1], [0, 1], [0, 1]];
  const equator = { ...LISBON, latitude: ['N', zero] };
  const greenwich = { ...LISBON, longitude: ['E', zero] };
  assert.deepEqual(roundedPosition(tiff(equator)), [-9.1393, 0]);
  assert.deepEqual(roundedPosition(tiff(greenwich)), [0, 38.7223]);
});

test('the position is read from a file, after other segments and filling bytes', async () => {
  const others = [segment(0xe0, [1, 2, 3]), [0xff, 0xff], segment(0xe1, [...Buffer.from('http://ns.adobe')])];
  const bytes = jpeg(...others, exif(tiff(LISBON)));
  assert.deepEqual(coordinatesOf(...await exifPosition(new Blob([bytes]))), [-9.1393, 38.7223]);
});

test('degrees without minutes and seconds are a position', () => {
  const photo = tiff({ latitude: ['N', [[3_872_230, 100_000]]], longitude: ['W', [[9, 1], [8358, 1000]]] });
  assert.deepEqual(roundedPosition(photo), [-9.1393, 38.7223]);
});

const IMPOSSIBLE = {
  'a denominator of 0': { ...LISBON, latitude: ['N', [[38, 1], [43, 1], [0, 0]]] },
  'degrees with a denominator of 0': { ...LISBON, longitude: ['W', [[9, 0], [8, 1], [0, 1]]] },
  'a latitude beyond the pole': { ...LISBON, latitude: ['N', [[90, 1], [0, 1], [1, 100]]] },
  'a longitude beyond 180 degrees': { ...LISBON, longitude: ['E', [[180, 1], [1, 1], [0, 1]]] },
  'a position of zeros': {
    latitude: ['N', [[0, 1], [0, 1], [0, 1]]], longitude: ['E', [[0, 1], [0, 1], [0, 1]]],
  },
  'an unknown direction': { ...LISBON, latitude: ['X', [[38, 1], [43, 1], [0, 1]]] },
  'no numbers': { ...LISBON, latitude: ['N', []] },
  'too many numbers': { ...LISBON, latitude: ['N', [[38, 1], [43, 1], [0, 1], [0, 1]]] },
};
for (const [name, gps] of Object.entries(IMPOSSIBLE)) {
  test(`${name} is not a position`, () => assert.equal(positionIn(jpeg(exif(tiff(gps)))), null));
}

test('another file has no position', async () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  for (const bytes of [[], [0xff], [0xff, 0xd8], [0xff, 0xd8, 0xff, 0xe1, 0, 0], [0xff, 0xd8, 0xff, 0xff, 0xff], png]) {
    assert.equal(positionIn(new Uint8Array(bytes)), null);
  }
  assert.equal(positionIn(jpeg(exif([...Buffer.from('II')]))), null);
  assert.equal(await exifPosition({ slice: () => ({ arrayBuffer: async () => { throw new Error('moved'); } }) }), null);
});

test('a position after the beginning of the image is not searched', () => {
  const scan = [0xff, 0xda, 0, 2];
  assert.equal(positionIn(jpeg(scan, exif(tiff(LISBON)))), null);
});

test('each part of a file is a file without an error', () => {
  const bytes = jpeg(exif(tiff(LISBON)));
  for (let length = 0; length <= bytes.length; length += 1) positionIn(bytes.subarray(0, length));
});

test('a directory that contains itself ends, and offsets outside the file are ignored', () => {
  for (const order of ['II', 'MM']) {
    const bytes = tiff({ order, ...LISBON });
    const isLittle = order === 'II';
    for (const target of [0, 8, 0xffffffff, 0x7fffffff, bytes.length - 1]) {
      const changed = [...bytes];
      const number = [0, 1, 2, 3].map(index => Math.floor(target / 256 ** index) % 256);
      changed.splice(8 + 2 + 8, 4, ...(isLittle ? number : number.reverse()));
      assert.equal(positionIn(jpeg(exif(changed))), null);
    }
  }
});

test('damaged files end quickly and have a possible position or none', () => {
  const random = new Random(2026);
  const bytes = jpeg(segment(0xe0, [1, 2, 3, 4]), exif(tiff(LISBON)));
  const begin = process.cpuUsage();
  for (let round = 0; round < 20_000; round += 1) {
    const damaged = bytes.slice();
    for (let count = 1 + random.below(4); count > 0; count -= 1) {
      damaged[random.below(damaged.length)] = random.below(256);
    }
    const position = positionIn(damaged);
    if (!position) continue;
    assert.ok(Math.abs(position[0]) <= 180 && Math.abs(position[1]) <= 90, `round ${round}`);
  }
  const noise = new Uint8Array(262_144).fill(0xff);
  noise[1] = 0xd8;
  assert.equal(positionIn(noise), null);
  // A pause of this process does not count. The limit is in microseconds.
  assert.ok(process.cpuUsage(begin).user < 10_000_000);
});
