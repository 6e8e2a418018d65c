// The names under which a browser keeps data, if several servers have the same origin.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteOtherVersions } from '../../Sources/HabitPages/Application/service-worker/shell-cache.js';
import { isOfServer, storedName } from '../../Sources/HabitPages/Application/store/names.js';

test('a server below a path has its own names', () => {
  assert.equal(storedName('habitat-ann', '/'), 'habitat-ann');
  const names = ['/', '/family/', '/work/'].map(path => storedName('habitat-ann', path));
  assert.equal(new Set(names).size, 3);
});

for (const root of ['', '/a']) {
  test(`a new version deletes only the files of its own server at "${root}"`, async () => {
    const others = ['', '/a', '/a/b', '/ab'].filter(other => other !== root);
    const own = `habitat-shell-1@${root}`;
    const names = [own, `habitat-shell-2@${root}`, 'habitat-photos', ...others.map(other => `habitat-shell-1@${other}`)];
    const deleted = [];
    globalThis.caches = { keys: async () => names, delete: async name => deleted.push(name) };
    await deleteOtherVersions({ version: '2', root, views: ['/days'], files: [] });
    assert.deepEqual(deleted, [own]);
  });
}

test('a database belongs to the server of its path', () => {
  assert.equal(isOfServer('habitat-ann', '/'), true);
  assert.equal(isOfServer('habitat-ann@/habits/', '/'), false);
  assert.equal(isOfServer('habitat-ann@/habits/', '/habits/'), true);
  assert.equal(isOfServer('habitat-ann', '/habits/'), false);
  assert.equal(isOfServer('other', '/'), false);
});
