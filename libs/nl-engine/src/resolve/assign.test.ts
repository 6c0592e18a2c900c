import { nameSnapshot } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { readShop } from '../../test/shop-lexicon.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import { listCandidates } from '../list-candidates.js';

it('rows are identified by their own name instead of one that refers to other rows', () => {
  const tables = [
    rawTable('departments', [rawColumn('dept_name', 'varchar(50)')], { primaryKey: ['dept_name'] }),
    rawTable(
      'courses',
      [rawColumn('id', 'int(11)'), rawColumn('title', 'varchar(50)'), rawColumn('dept_name', 'varchar(50)')],
      { foreignKeys: [foreignKey('courses', ['dept_name'], 'departments', ['dept_name'])] },
    ),
  ];
  const lexicon = buildLexicon({
    snapshot: nameSnapshot({ engine: 'mariadb', tables }, null),
    values: [],
    synonyms: [],
  });
  expect(listCandidates('names of courses', lexicon, 20_000)[0]?.sql).toBe(
    'SELECT t1.`title` FROM `courses` AS t1',
  );
});

it('a column belongs to the rows that the question assigns it to, even when they are distant', () => {
  const [best, next] = readShop('names of suppliers that supply some products');
  expect(best?.sql).toMatch(/^SELECT t1\.`name` FROM `suppliers` AS t1/);
  expect((next?.cost ?? 9) - (best?.cost ?? 0)).toBeGreaterThan(0.3);
});
