// @ts-check
import { expect, it } from 'vitest';
import { makeDatabase } from './make-database.mjs';

const number = (/** @type {string} */ name) => ({ name, type: 'number', words: name.replaceAll('_', ' ') });
const text = (/** @type {string} */ name) => ({ name, type: 'text', words: name.replaceAll('_', ' ') });

it('a generated junction table without a key contains each pair of references once', () => {
  const tables = [
    { name: 'pupil', words: 'pupil', columns: [number('pupil_id'), text('name')], primary_key: ['pupil_id'] },
    { name: 'house', words: 'house', columns: [number('house_id'), text('name')], primary_key: ['house_id'] },
    {
      name: 'lives_in',
      words: 'lives in',
      columns: [number('pupil_id'), number('house_id'), number('room')],
      primary_key: [],
    },
  ];
  const schema = {
    db_id: 'pupils',
    tables,
    foreign_keys: [
      {
        from: /** @type {[string, string]} */ (['lives_in', 'pupil_id']),
        to: /** @type {[string, string]} */ (['pupil', 'pupil_id']),
      },
      {
        from: /** @type {[string, string]} */ (['lives_in', 'house_id']),
        to: /** @type {[string, string]} */ (['house', 'house_id']),
      },
    ],
  };
  const ties =
    makeDatabase({ schema, isHeldOut: false, questions: [] }).tables.find(({ name }) => name === 'lives_in')
      ?.rows ?? [];
  expect(ties.length).toBeGreaterThan(30);
  expect(new Set(ties.map(([pupil, house]) => `${pupil} ${house}`)).size).toBe(ties.length);
});
