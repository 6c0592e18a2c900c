// @ts-check
import { describe, expect, it } from 'vitest';
import { listCompared, separateExtremes } from './spread-values.mjs';

/** @param {string} name @param {string} sqlType */
const column = (name, sqlType) => ({
  table: 'person',
  name,
  sqlType,
  pool: [],
  isKey: false,
  isUnique: false,
  isSpread: false,
  isOwn: true,
});

describe('separateExtremes', () => {
  it('separateExtremes makes extremes unique, also among rows with a searched text', () => {
    const rows = [
      ['baker', 9],
      ['baker', 9],
      ['smith', 5],
      ['smith', 5],
      ['smith', 4],
      ['smith', 3],
      ['smith', 3],
      ['baker', 1],
      ['baker', 1],
      ['baker', 4],
    ];
    const tables = [{ name: 'person', columns: [column('job', 'VARCHAR(200)'), column('age', 'INT')], rows }];
    separateExtremes(
      tables,
      new Map([['person.job', [{ text: 'Smith', isPattern: false, isNumber: false }]]]),
    );
    const ages = (/** @type {string | undefined} */ job) =>
      rows.filter((row) => job === undefined || row[0] === job).map(([, age]) => Number(age));
    for (const list of [ages(undefined), ages('smith')])
      for (const end of [Math.max(...list), Math.min(...list)])
        expect(list.filter((age) => age === end)).toHaveLength(1);
  });
});

describe('listCompared', () => {
  it('listCompared returns columns that group joined rows, but none that group one table', () => {
    const toQuestion = (/** @type {string} */ sql) => ({
      db_id: 'x',
      question: '',
      question_reworded: '',
      sql,
    });
    const schema = {
      db_id: 'x',
      foreign_keys: [],
      tables: [{ name: 'Aircraft', words: 'aircraft', columns: [], primary_key: [] }],
    };
    const questions = [
      toQuestion(
        'SELECT T1.club_name, count(*) FROM club AS T1 JOIN player AS T2 ON T1.id = T2.club_id GROUP BY T1.club_name',
      ),
      toQuestion('SELECT title, count(*) FROM film GROUP BY title'),
      toQuestion(
        'SELECT T1.title, count(*) FROM film AS T1 JOIN rating AS T2 ON T1.id = T2.film_id GROUP BY T1.title',
      ),
      toQuestion('SELECT aircraft FROM aircraft EXCEPT SELECT aircraft FROM flight'),
      toQuestion('SELECT city FROM club EXCEPT SELECT city FROM player'),
    ];
    expect(listCompared({ schema, isHeldOut: false, questions })).toEqual(new Set(['club_name', 'aircraft']));
  });
});
