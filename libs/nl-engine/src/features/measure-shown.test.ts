import { nameSnapshot } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { measureOver, measureShop } from '../../test/measure-shop.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';

describe('measureShown', () => {
  it('asksKnown counts targets whose values the question already contains', () => {
    expect(measureShop('city of customers in city "Berlin"', 'SELECT t1.`city`')).toMatchObject({
      asksKnown: 1,
      asksOnlyKnown: 1,
    });
    expect(measureShop('emails of customers in city "Berlin"')).toMatchObject({
      asksKnown: 0,
      asksOnlyKnown: 0,
    });
  });

  it('margin ignores a statement that only returns values from the question', () => {
    expect(measureShop('the name of the store where the employee Tara Adler works')).toMatchObject({
      asksOnlyKnown: 0,
      near: 0,
    });
  });

  it('eachLimited counts a LIMIT in the statement for a question with "each"', () => {
    expect(measureShop('the most expensive product of each supplier', 'LIMIT 1')?.['eachLimited'] ?? 1).toBe(
      1,
    );
    expect(measureShop('the 3 most expensive products')).toMatchObject({ eachLimited: 0 });
  });

  it('shownKinds counts the tables with returned columns', () => {
    expect(measureShop('names of products and names of their categories', 'JOIN')?.['shownKinds'] ?? 2).toBe(
      2,
    );
    expect(measureShop('names and prices of products')).toMatchObject({ shownKinds: 1, ofOther: 0 });
  });

  it('halfNamed counts a listed column when another column matches more of its words', () => {
    const tables = [
      rawTable(
        'colors',
        [rawColumn('color_code', 'varchar(9)'), rawColumn('color_description', 'varchar(99)')],
        { primaryKey: ['color_code'] },
      ),
      rawTable(
        'products',
        [
          rawColumn('id', 'int(11)'),
          rawColumn('color_code', 'varchar(9)'),
          rawColumn('description', 'varchar(99)'),
        ],
        { foreignKeys: [foreignKey('products', ['color_code'], 'colors', ['color_code'])] },
      ),
    ];
    const lexicon = buildLexicon({
      snapshot: nameSnapshot({ engine: 'mariadb', tables }, null),
      values: [],
      synonyms: [],
    });
    expect(
      measureOver(lexicon, 'color codes and descriptions of products', 't1.`description`'),
    ).toMatchObject({ halfNamed: 1 });
    expect(
      measureOver(lexicon, 'descriptions and color codes of products', 't1.`description`'),
    ).toMatchObject({ halfNamed: 0 });
    expect(measureShop('job titles and salaries of employees')).toMatchObject({ halfNamed: 0 });
  });
});
