// The relations between the person and other users.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followID, relationsOf, usersMatching } from '../../Sources/HabitPages/Application/views/people/relations.js';

function follow(follower, followee, status, share = 'all') {
  return { id: followID(follower, followee), properties: { follower, followee, status, share } };
}

test('a relation has a status in each direction', () => {
  const relations = relationsOf('me', [
    follow('me', 'anna', 'accepted', 'latest'),
    follow('anna', 'me', 'pending'),
    follow('ben', 'me', 'accepted', 'latest'),
  ]);
  const anna = { id: 'anna', following: 'accepted', follower: 'pending', given: 'all', granted: 'latest' };
  const ben = { id: 'ben', following: 'none', follower: 'accepted', given: 'latest', granted: 'all' };
  assert.deepEqual(relations.get('anna'), anna);
  assert.deepEqual(relations.get('ben'), ben);
  assert.equal(relations.get('carl'), undefined);
});

test('the ID of a follow has one slash between its parts', () => {
  assert.equal(followID('alice', 'bruno'), 'alice/bruno');
  assert.equal(followID('a/b%', 'c/d'), 'a%2Fb%25/c/d');
});

test('users are found by name and ID in upper and lower case', () => {
  const users = [
    { id: 'aoi', properties: { name: '高橋 葵' } },
    { id: 'bruno', properties: { name: 'Bruno Tavares' } },
    { id: 'nameless', properties: { name: null } },
  ];
  const found = search => usersMatching(users, search).map(({ id }) => id);
  assert.deepEqual(found('TAVARES'), ['bruno']);
  assert.deepEqual(found('葵'), ['aoi']);
  assert.deepEqual(found(' less'), ['nameless']);
  assert.deepEqual(found('x'), []);
});
