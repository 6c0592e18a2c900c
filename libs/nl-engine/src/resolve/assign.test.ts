import { nameSnapshot } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { readShop } from '../../test/shop-lexicon.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import { listCandidates } from '../list-candidates.js';

it('a question for names returns the name of the rows instead of their foreign key', () => {
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

it('a column belongs to the table that the question names, even over several joins', () => {
  const [best, next] = readShop('names of suppliers that supply some products');
  expect(best?.sql).toMatch(/^SELECT t1\.`name` FROM `suppliers` AS t1/);
  expect((next?.cost ?? 9) - (best?.cost ?? 0)).toBeGreaterThan(0.3);
});
