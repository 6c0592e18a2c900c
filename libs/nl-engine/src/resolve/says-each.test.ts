import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import { listCandidates } from '../read-best.js';
import { measureOver } from '../../test/measure-shop.js';

const APPLES = rawTable('apples', [
  rawColumn('id', 'int(11)'),
  rawColumn('name', 'varchar(50)'),
  rawColumn('price_per_kilo', 'double'),
  rawColumn('weight_grams', 'double'),
  rawColumn('founded_year', 'int(11)'),
]);
const lexicon = buildLexicon({
  snapshot: nameSnapshot({ engine: 'mariadb', tables: [APPLES] }, null),
  values: [],
  synonyms: [],
});

describe('saysEach', () => {
  it('a word of the requested column does not count', () => {
    expect(measureOver(lexicon, 'name of the apple with the highest price per kilo')).toMatchObject({
      eachLimited: 0,
    });
    expect(measureOver(lexicon, 'the heaviest apple per name', 'LIMIT 1')?.['eachLimited'] ?? 1).toBe(1);
  });

  it('the unit of a column may follow its number', () => {
    expect(listCandidates('names of apples with a weight above 90 grams', lexicon, 20_000)[0]).toMatchObject({
      sql: 'SELECT t1.`name` FROM `apples` AS t1 WHERE t1.`weight_grams` > ?',
      params: [90],
    });
  });
});
