import { nameSnapshot, type RawSchema } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { answerQuestion } from './answer-question.js';
import { buildLexicon } from './lexicon/build-lexicon.js';
import type { NumberLiteral } from './types.js';
import { compareExactly, exactDigits, needsExactDigits } from './words/number-literal.js';

const id = rawColumn('id', 'bigint(20)', { autoIncrement: true });
const SCHEMA: RawSchema = {
  engine: 'mariadb',
  tables: [
    rawTable('customers', [id, rawColumn('name', 'varchar(100)'), rawColumn('code', 'varchar(30)')]),
    rawTable(
      'orders',
      [
        id,
        rawColumn('customer_id', 'bigint(20)'),
        rawColumn('total', 'decimal(40,20)'),
        rawColumn('stock', 'decimal(40,2)'),
      ],
      { foreignKeys: [foreignKey('orders', 'customer_id', 'customers')] },
    ),
  ],
};
const lexicon = buildLexicon({ snapshot: nameSnapshot(SCHEMA, null), values: [], synonyms: [] });
const ask = (question: string): ReturnType<typeof answerQuestion> =>
  answerQuestion({ question, today: '2026-11-28' }, lexicon);

describe('digits of numbers in questions', () => {
  it.each<[string, string, (readonly unknown[])?]>([
    ['orders with id 9007199254740993', 't1.`id` = 9007199254740993'],
    ['order 9007199254740993', 't1.`id` = 9007199254740993'],
    ['orders of customer 1147386954405658711', 't2.`id` = 1147386954405658711)'],
    ['orders whose id is not 9007199254740993', 't1.`id` != 9007199254740993'],
    ['orders with total 12345678901234567890.12', 't1.`total` = 12345678901234567890.12'],
    ['orders with total -9007199254740993', 't1.`total` = -9007199254740993'],
    ['orders above 9007199254740993', 't1.`total` > 9007199254740993'],
    ['orders with a total over $1,234,567,890,123,456,789.01', 't1.`total` > 1234567890123456789.01'],
    ['orders with a total of at least 0.30000000000000000001', 't1.`total` >= 0.30000000000000000001'],
    ['orders with less than 9007199254740993.5 in stock', 't1.`stock` < 9007199254740993.5'],
    [
      'orders with a total between 9007199254740992 and 9007199254740993',
      't1.`total` BETWEEN ? AND 9007199254740993',
      [9_007_199_254_740_992],
    ],
    [
      'orders with a total of 9007199254740992 or 9007199254740993',
      '(t1.`total` = ? OR t1.`total` = 9007199254740993)',
      [9_007_199_254_740_992],
    ],
    [
      'orders with a total above 12345678901234567890.12 and below 12345678901234567890.14',
      't1.`total` > 12345678901234567890.12 AND t1.`total` < 12345678901234567890.14',
    ],
    ['orders with total 19.90', 't1.`total` = ?', [19.9]],
    ['customers whose code is 007', 't1.`code` = ?', ['007']],
    ['customers with code 1.50', 't1.`code` = ?', ['1.50']],
    ['customers with code 1147386954405658710', 't1.`code` = ?', ['1147386954405658710']],
    [`orders with total 1${'0'.repeat(70)}`, 't1.`total` = ?', [1e70]],
  ])('the statement for "%s" contains every digit of the number', (question, condition, params = []) => {
    const outcome = ask(question);
    expect(outcome).toMatchObject({ kind: 'answer', params });
    if (outcome.kind === 'answer') expect(outcome.sql.endsWith(condition), outcome.sql).toBe(true);
  });

  it('the explanation of an answer shows the digits of a number as they were written', () => {
    expect(ask('orders with total 12345678901234567890.120')).toMatchObject({
      explanation: 'Orders (id), where orders.total is 12345678901234567890.120.',
    });
  });

  it('a number beyond the range of doubles is rejected as an unknown word', () => {
    const number = `1${'0'.repeat(400)}`;
    expect(ask(`orders with total ${number}`)).toMatchObject({ kind: 'refused', unknown: [number] });
  });
});

describe('exact numbers', () => {
  const literal = (digits: string): NumberLiteral => ({ kind: 'number', value: Number(digits), digits });

  it.each([
    ['007', '7', false],
    ['1.50', '1.5', false],
    ['-0.10', '-0.1', false],
    ['9007199254740993', '9007199254740993', true],
    ['0.0000001', '0.0000001', true],
    [`0.${'0'.repeat(40)}1`, `0.${'0'.repeat(40)}1`, false],
  ])('the exact number %s has the digits %s', (written, digits, rounded) => {
    expect([exactDigits(literal(written)), needsExactDigits(literal(written))]).toEqual([digits, rounded]);
  });

  it('two numbers with the same double are compared by their digits', () => {
    const compare = (a: string, b: string): number => Math.sign(compareExactly(literal(a), literal(b)));
    expect(compare('9007199254740992', '9007199254740993')).toBe(-1);
    expect(compare('-9007199254740992.5', '-9007199254740993')).toBe(1);
    expect(compare('12345678901234567890.12', '12345678901234567890.120')).toBe(0);
    expect(compare('5', '5.0')).toBe(0);
    expect(compare('7', '12')).toBe(-1);
  });
});
