import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { measureOver, measureShop } from '../../test/measure-shop.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import { type Lexicon } from '../lexicon/lexicon.js';

describe('measureConditions', () => {
  it('textCompares counts a text column that is compared with a number by an inequality', () => {
    expect(measureShop('customers with a city above 5', '`city` > ?')).toMatchObject({ textCompares: 1 });
    expect(measureShop('products with a price above 5')).toMatchObject({ textCompares: 0 });
  });

  it('textCompares ignores a text column whose stored values are all numbers', () => {
    const tables = [
      rawTable('ministers', [
        rawColumn('id', 'int(11)'),
        rawColumn('name', 'varchar(50)'),
        rawColumn('office_year', 'varchar(9)'),
      ]),
    ];
    const over = (...values: readonly string[]): Lexicon =>
      buildLexicon({
        snapshot: nameSnapshot({ engine: 'mariadb', tables }, null),
        values: [{ table: 'ministers', column: 'office_year', values }],
        synonyms: [],
      });
    const question = 'names of ministers with an office year above 1960';
    expect(measureOver(over('1959', '1961'), question, '`office_year` > ?')).toMatchObject({
      textCompares: 0,
    });
    expect(measureOver(over('1959', 'unknown'), question, '`office_year` > ?')).toMatchObject({
      textCompares: 1,
    });
  });

  it('summedAny counts alternatives that the question joins by "and"', () => {
    expect(measureShop('how many customers are in Berlin or Paris', ' OR ')).toMatchObject({
      unsaidAny: 0,
      summedAny: 0,
    });
    expect(measureShop('how many customers are in Berlin and Paris', ' OR ')).toMatchObject({
      unsaidAny: 1,
      summedAny: 1,
    });
  });
});
