import { nameSnapshot, type RawSchema } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { measureOver, measureShop } from '../../test/measure-shop.js';
import { answerQuestion } from '../answer-question.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import { type Lexicon } from '../lexicon/lexicon.js';

const id = rawColumn('id', 'int(11)');
const text = (name: string): RawSchema['tables'][number]['columns'][number] => rawColumn(name, 'varchar(50)');
const number = (name: string): RawSchema['tables'][number]['columns'][number] => rawColumn(name, 'int(11)');
const toLexicon = (
  tables: RawSchema['tables'],
  values: Parameters<typeof buildLexicon>[0]['values'] = [],
): Lexicon =>
  buildLexicon({ snapshot: nameSnapshot({ engine: 'mariadb', tables }, null), values, synonyms: [] });
const answerKind = (lexicon: Lexicon, question: string): string =>
  answerQuestion({ question, today: '2026-11-21' }, lexicon).kind;

/**
 * In this schema, halls have a code as their label, and a name. Lessons belong to halls and pupils. A race
 * has its year as a number and its day as a text.
 */
const SCHOOL = toLexicon(
  [
    rawTable('halls', [text('hall_code'), text('name'), number('seats')], { primaryKey: ['hall_code'] }),
    rawTable('pupils', [id, text('first_name'), number('age'), number('weight')]),
    rawTable('lessons', [id, text('topic'), number('hours'), text('hall_code'), number('pupil_id')], {
      foreignKeys: [
        foreignKey('lessons', 'hall_code', 'halls', ['hall_code']),
        foreignKey('lessons', 'pupil_id', 'pupils'),
      ],
    }),
    rawTable('races', [id, text('name'), number('year'), text('date')]),
  ],
  [{ table: 'halls', column: 'name', values: ['Oak', 'Elm'] }],
);

describe('measureShownMisreadings', () => {
  it('skippedNouns counts a listed noun that was skipped as a verb', () => {
    expect(measureOver(SCHOOL, 'the average age and score of pupils', 'AVG(t1.`age`)')).toMatchObject({
      skippedNouns: 1,
    });
    expect(measureOver(SCHOOL, 'the average age and weight of pupils', 'AVG(t1.`age`)')).toMatchObject({
      skippedNouns: 0,
    });
    expect(answerKind(SCHOOL, 'the average age and score of pupils')).not.toBe('answer');
    expect(answerKind(SCHOOL, 'the average age and weight of pupils')).toBe('answer');
  });

  it('countsOfNamedRow counts a row count of a single named row', () => {
    expect(measureOver(SCHOOL, 'how many halls are in Oak?', 'COUNT(*)')).toMatchObject({
      countsOfNamedRow: 1,
    });
    expect(measureOver(SCHOOL, 'how many halls are named "Oak"?', 'COUNT(*)')).toMatchObject({
      countsOfNamedRow: 0,
    });
    expect(answerKind(SCHOOL, 'how many halls are in Oak?')).not.toBe('answer');
  });

  it('partialFullNames counts a first or last name that is returned for a full name', () => {
    const people = toLexicon([
      rawTable('pupils', [id, text('first_name'), text('email')]),
      rawTable('teachers', [id, text('first_name'), text('last_name')]),
    ]);
    expect(
      measureOver(people, 'full name of the pupil with email "a@b.c"', 'SELECT t1.`first_name` FROM'),
    ).toMatchObject({ partialFullNames: 1 });
    expect(
      measureOver(people, 'first name of the pupil with email "a@b.c"', 'SELECT t1.`first_name` FROM'),
    ).toMatchObject({ partialFullNames: 0 });
    expect(answerKind(people, 'full name of the pupil with email "a@b.c"')).not.toBe('answer');
    expect(measureShop('full names of customers', '`first_name`, t1.`last_name`')).toMatchObject({
      partialFullNames: 0,
    });
  });

  it('ownNumbers counts an amount per row that is returned next to a foreign key', () => {
    expect(
      measureOver(
        SCHOOL,
        'the pupil id and the number of hours of lessons',
        'SELECT t1.`pupil_id`, t1.`hours`',
      ),
    ).toMatchObject({ ownNumbers: 1 });
    expect(measureOver(SCHOOL, 'topics and hours of lessons', 'SELECT t1.`topic`, t1.`hours`')).toMatchObject(
      { ownNumbers: 0 },
    );
    expect(answerKind(SCHOOL, 'the pupil id and the number of hours of lessons')).not.toBe('answer');
  });

  it('codeGroups counts groups whose rows have both a code and a name', () => {
    expect(measureOver(SCHOOL, 'number of lessons in each hall', '`name`', 'GROUP BY')).toMatchObject({
      codeGroups: 1,
    });
    expect(
      measureOver(SCHOOL, 'hall name and number of lessons in each hall', '`name`', 'GROUP BY'),
    ).toMatchObject({ codeGroups: 0 });
    expect(answerKind(SCHOOL, 'number of lessons in each hall')).not.toBe('answer');
    expect(measureShop('number of orders per customer')).toMatchObject({ codeGroups: 0 });
  });

  it('coarseTimes counts an order by year when the rows also store the day', () => {
    expect(
      measureOver(SCHOOL, 'the name of the race held most recently', 'ORDER BY t1.`year`'),
    ).toMatchObject({ coarseTimes: 1 });
    expect(
      measureOver(SCHOOL, 'the name of the race in the most recent year', 'ORDER BY t1.`year`'),
    ).toMatchObject({ coarseTimes: 0 });
    expect(answerKind(SCHOOL, 'the name of the race held most recently')).not.toBe('answer');
  });

  it('sameShown counts two targets that were assigned the same column', () => {
    const kinds = toLexicon([
      rawTable('allergy_types', [text('allergy'), text('xq')], { primaryKey: ['allergy'] }),
    ]);
    expect(
      measureOver(kinds, 'show all allergies and their types', 'SELECT t1.`allergy` FROM'),
    ).toMatchObject({ sameShown: 1 });
    expect(measureOver(kinds, 'show all allergies', 'SELECT t1.`allergy` FROM')).toMatchObject({
      sameShown: 0,
    });
    expect(answerKind(kinds, 'show all allergies and their types')).not.toBe('answer');
  });

  it('plainTotals counts a requested total that is returned for each row', () => {
    const buys = toLexicon([rawTable('buys', [id, number('total_pounds'), number('year')])]);
    expect(
      measureOver(
        buys,
        'what is the total number of pounds bought in year 2018?',
        'SELECT t1.`total_pounds`',
      ),
    ).toMatchObject({ plainTotals: 1 });
    expect(
      measureOver(buys, 'what are the total pounds bought in year 2018?', 'SELECT t1.`total_pounds`'),
    ).toMatchObject({ plainTotals: 0 });
  });

  it('ignoredOwnColumns counts a joined column when the requested rows have an equally similar one', () => {
    const degrees = toLexicon([
      rawTable('campuses', [id, text('name'), number('year')]),
      rawTable('degrees', [number('year'), number('campus'), number('conferred')], {
        primaryKey: ['year'],
        foreignKeys: [foreignKey('degrees', 'campus', 'campuses')],
      }),
    ]);
    expect(measureOver(degrees, 'which year has the most degrees?', 'GROUP BY t2.`year`')).toMatchObject({
      ignoredOwnColumns: 1,
    });
    expect(measureOver(degrees, 'names of campuses with conferred above 20')?.['ignoredOwnColumns']).toBe(0);
    expect(answerKind(degrees, 'which year has the most degrees?')).not.toBe('answer');
  });

  it('unmatchedShown counts an unknown noun after a table, except in statements that count rows', () => {
    expect(measureShop('names of the product bundles')).toMatchObject({ unmatchedShown: 1 });
    expect(measureShop('names of the products')).toMatchObject({ unmatchedShown: 0 });
    expect(measureShop('number of product bundles')).toMatchObject({ unmatchedShown: 0 });
    const rentals = toLexicon([rawTable('rentals', [id, number('total_price'), text('color')])]);
    expect(measureOver(rentals, 'total revenue from rentals', '`total_price`')).toMatchObject({
      unmatchedShown: 1,
    });
    expect(measureOver(rentals, 'ids and color schemes of the rentals', '`color`')).toMatchObject({
      unmatchedShown: 0,
    });
  });

  it('mixedNumbers counts a statement that counts only one of two requested things', () => {
    expect(
      measureOver(
        SCHOOL,
        'numbers of different ages and weights of pupils',
        'COUNT(DISTINCT t1.`age`)',
        't1.`weight`',
      ),
    ).toMatchObject({ mixedNumbers: 1 });
    expect(measureShop('numbers of orders for each customer')).toMatchObject({ mixedNumbers: 0 });
  });
});
