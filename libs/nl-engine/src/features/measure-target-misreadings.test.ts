import { nameSnapshot, type RawSchema } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { measureOver, measureShop } from '../../test/measure-shop.js';
import { answerQuestion } from '../answer-question.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import { type Lexicon } from '../lexicon/lexicon.js';

const id = rawColumn('id', 'int(11)');
const text = (name: string): RawSchema['tables'][number]['columns'][number] => rawColumn(name, 'varchar(50)');
const toLexicon = (...tables: RawSchema['tables']): Lexicon =>
  buildLexicon({ snapshot: nameSnapshot({ engine: 'mariadb', tables }, null), values: [], synonyms: [] });
const answerKind = (lexicon: Lexicon, question: string): string =>
  answerQuestion({ question, today: '2026-11-21' }, lexicon).kind;

/**
 * In this schema, boats have a text that may be their name, and cranes have a text that is not. Holds have
 * only a description.
 */
const HARBOUR = toLexicon(
  rawTable('ports', [id, text('name')]),
  rawTable('boats', [id, text('pennant'), rawColumn('length', 'int(11)')]),
  rawTable('cranes', [id, text('status'), rawColumn('height', 'int(11)')]),
  rawTable(
    'holds',
    [id, text('hold_details'), rawColumn('depth', 'int(11)'), rawColumn('boat_id', 'int(11)')],
    { foreignKeys: [foreignKey('holds', 'boat_id', 'boats')] },
  ),
);

describe('measureTargetMisreadings', () => {
  it('keyLabels counts rows identified by a number when a text column may be their name', () => {
    expect(measureOver(HARBOUR, 'boats with a length above 20', 'SELECT t1.`id`')).toMatchObject({
      keyLabels: 1,
    });
    expect(measureOver(HARBOUR, 'cranes with a height above 20', 'SELECT t1.`id`')).toMatchObject({
      keyLabels: 0,
    });
    expect(answerKind(HARBOUR, 'boats with a length above 20')).not.toBe('answer');
    expect(answerKind(HARBOUR, 'pennants of boats with a length above 20')).toBe('answer');
  });

  it('keyLabels ignores text columns with few distinct values', () => {
    const tables = [rawTable('orders', [id, text('progress'), rawColumn('total', 'int(11)')])];
    const orders = buildLexicon({
      snapshot: nameSnapshot({ engine: 'mariadb', tables }, null),
      values: [{ table: 'orders', column: 'progress', values: ['packed', 'shipped'] }],
      synonyms: [],
    });
    expect(measureOver(orders, 'orders with a total above 20', 'SELECT t1.`id`')).toMatchObject({
      keyLabels: 0,
    });
    expect(answerKind(orders, 'shipped orders')).toBe('answer');
  });

  it('descriptiveLabels and substitutedNames count descriptions that are returned instead of names', () => {
    expect(measureOver(HARBOUR, 'holds with a depth above 20', '`hold_details`')).toMatchObject({
      descriptiveLabels: 1,
      substitutedNames: 0,
    });
    expect(measureOver(HARBOUR, 'names of holds', '`hold_details`')).toMatchObject({ substitutedNames: 1 });
    expect(answerKind(HARBOUR, 'names of holds')).not.toBe('answer');
    expect(measureShop('names of products')).toMatchObject({
      keyLabels: 0,
      descriptiveLabels: 0,
      substitutedNames: 0,
    });
  });

  it('relatedShown counts returned columns that are several joins away from the requested rows', () => {
    expect(measureShop('cities of order items', '`city`')).toMatchObject({ relatedShown: 1 });
    expect(measureShop('names and prices of products')).toMatchObject({ relatedShown: 0 });
  });

  it('unsaidExcept counts an exception that the statement ignores', () => {
    expect(measureShop('names of customers excluding city Berlin', '`city` = ?')).toMatchObject({
      unsaidExcept: 1,
    });
    expect(measureShop('products without orders')).toMatchObject({ unsaidExcept: 0 });
  });

  it('countsHeld counts a row count that a column may store', () => {
    const banks = toLexicon(
      rawTable('banks', [id, text('name'), rawColumn('no_of_customers', 'int(11)')]),
      rawTable('customers', [id, text('name'), rawColumn('bank_id', 'int(11)')], {
        foreignKeys: [foreignKey('customers', 'bank_id', 'banks')],
      }),
      rawTable('visits', [id, text('page'), rawColumn('visits', 'int(11)')]),
    );
    expect(
      measureOver(banks, 'how many customers are there in the bank named "Alpha"?', 'COUNT(*)'),
    ).toMatchObject({ countsHeld: 1 });
    expect(measureOver(banks, 'how many visits are there?', 'COUNT(*)')).toMatchObject({ countsHeld: 1 });
    expect(measureOver(banks, 'how many customers are there?', 'COUNT(*)')).toMatchObject({ countsHeld: 0 });
    expect(answerKind(banks, 'how many customers are there in the bank named "Alpha"?')).not.toBe('answer');
  });

  it('countedShown counts rows that are returned although the question asks for a count', () => {
    expect(
      measureShop('how many orders and reviews does each customer have?', 'AS `count`, t3.`id`'),
    ).toMatchObject({ countedShown: 1 });
    expect(measureShop('names of products and the number of their reviews')).toMatchObject({
      countedShown: 0,
    });
  });

  it('orderShown counts a target that follows a sort key', () => {
    expect(
      measureShop(
        'names of customers ordered by city and country',
        'SELECT t1.`first_name`, t1.`last_name`, t1.`country`',
      ),
    ).toMatchObject({ orderShown: 1 });
    expect(measureShop('names of customers ordered by city and country')).toMatchObject({ orderShown: 0 });
  });
});

it('a question for the total of one number per row is not answered', () => {
  expect(measureShop('the highest price of every product', 'GROUP BY t1.`id`')).toMatchObject({ ones: 1 });
});
