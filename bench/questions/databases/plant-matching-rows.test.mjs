// @ts-check
import { describe, expect, it } from 'vitest';
import { plantMatchingRows } from './plant-matching-rows.mjs';

const number = (/** @type {string} */ name) => ({ name, type: 'number', words: name });
const text = (/** @type {string} */ name) => ({ name, type: 'text', words: name });
const SCHEMA = {
  db_id: 'films',
  tables: [
    { name: 'film', words: 'film', columns: [number('id'), text('title')], primary_key: ['id'] },
    {
      name: 'rating',
      words: 'rating',
      columns: [number('film_id'), number('stars'), text('critic')],
      primary_key: [],
    },
  ],
  foreign_keys: [
    {
      from: /** @type {[string, string]} */ (['rating', 'film_id']),
      to: /** @type {[string, string]} */ (['film', 'id']),
    },
  ],
};

/** @param {string} table @param {string} name @param {boolean} [isUnique] */
const column = (table, name, isUnique = false) => ({
  table,
  name,
  sqlType: name === 'title' || name === 'critic' ? 'VARCHAR(200)' : 'INT',
  pool: [],
  isKey: false,
  isUnique,
  isSpread: false,
  isOwn: false,
});
const makeTables = () => [
  {
    name: 'film',
    columns: [column('film', 'id', true), column('film', 'title', true)],
    rows: [
      [1, 'Dawn'],
      [2, 'Dusk'],
      [3, 'Noon'],
    ],
  },
  {
    name: 'rating',
    columns: [column('rating', 'film_id'), column('rating', 'stars'), column('rating', 'critic')],
    rows: Array.from({ length: 6 }, () => [1, 0, 'Nobody']),
  },
];

/**
 * @param {readonly string[]} queries
 * @returns {unknown[][]} the changed rows
 */
function plant(queries) {
  const tables = makeTables();
  plantMatchingRows(SCHEMA, tables, queries);
  return (tables[1]?.rows ?? []).filter(
    ([film, stars, critic]) => film !== 1 || stars !== 0 || critic !== 'Nobody',
  );
}

describe('plantMatchingRows', () => {
  it('plantMatchingRows sets the required value in the row that has the required name', () => {
    expect(
      plant([
        "SELECT T2.stars FROM film AS T1 JOIN rating AS T2 ON T1.id = T2.film_id WHERE T1.title = 'Noon' AND T2.critic = 'Ada'",
      ]),
    ).toEqual([[3, 0, 'Ada']]);
  });

  it('plantMatchingRows uses one row per query, and the same row for a repeated query', () => {
    const selectStarsBy = (/** @type {string} */ critic) =>
      `SELECT stars FROM rating WHERE critic = '${critic}' AND stars = 4`;
    const provided = plant([
      selectStarsBy('Ada'),
      selectStarsBy('Boris'),
      selectStarsBy('Ada'),
      selectStarsBy('Clara'),
    ]).map(([, stars, critic]) => [stars, critic].map(String).join(' '));
    expect([provided.length, new Set(provided)]).toEqual([3, new Set(['4 Ada', '4 Boris', '4 Clara'])]);
  });

  it('plantMatchingRows uses the same row for a name inside and outside a subquery', () => {
    const named = "SELECT stars FROM rating WHERE critic = 'Ada' AND stars = 4";
    expect(
      plant([
        named,
        "SELECT critic FROM rating WHERE stars > (SELECT stars FROM rating WHERE critic = 'Ada')",
      ]).map(([, , critic]) => critic),
    ).toEqual(['Ada', 'Ada']);
    expect(
      plant([
        named,
        "SELECT critic FROM rating WHERE stars = (SELECT stars FROM rating WHERE critic = 'Ada')",
      ]).map(([, , critic]) => critic),
    ).toEqual(['Ada']);
  });

  it('plantMatchingRows uses the same row for both halves of an INTERSECT', () => {
    const half = (/** @type {number} */ stars) =>
      `SELECT T1.title FROM film AS T1 JOIN rating AS T2 ON T1.id = T2.film_id WHERE T2.stars = ${stars}`;
    const provided = plant([`${half(3)} INTERSECT ${half(4)}`]);
    expect([provided.length, new Set(provided.map(([, stars]) => stars))]).toEqual([2, new Set([3, 4])]);
    expect(new Set(provided.map(([film]) => film)).size).toBe(1);
  });
});
