import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchingPeople } from '#console/matching-people.ts'

const PEOPLE = ['Ada Lovelace', 'Adam', 'Charlotte von Hohenstein', 'José Núñez-García'].map(name => ({
  name,
}))

test('a search finds the people whose names it begins to write', () => {
  const found = (typed: string) => matchingPeople(typed, PEOPLE).map(({ name }) => name)
  assert.deepEqual(found('Ada'), ['Ada Lovelace', 'Adam'])
  assert.deepEqual(found(' LOVE  ada '), ['Ada Lovelace'])
  assert.deepEqual(found('Lovelace, Ada'), ['Ada Lovelace'])
  assert.deepEqual(found('garc jose'), ['José Núñez-García'])
  assert.deepEqual(found('von'), ['Charlotte von Hohenstein'])
  assert.deepEqual(found('lace'), [], 'a beginning, no other part')
  assert.deepEqual(found('ada disk'), [], 'all words')
})

test('a search for a number, for one letter or for nothing finds nobody', () => {
  for (const typed of ['', ' ', 'a', '+33612345679', '06 12', '!?', '. ,'])
    assert.deepEqual(matchingPeople(typed, [...PEOPLE, { name: 'Door 06 12' }]), [], typed)
})
