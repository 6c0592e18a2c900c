import { nameSnapshot } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { buildLexicon } from '../../lexicon/build-lexicon.js';
import { listCandidates } from '../../list-candidates.js';

const tables = [
  rawTable('makers', [rawColumn('code', 'int(11)'), rawColumn('name', 'varchar(50)')], {
    primaryKey: ['code'],
  }),
  rawTable(
    'gadgets',
    [rawColumn('id', 'int(11)'), rawColumn('name', 'varchar(50)'), rawColumn('maker', 'int(11)')],
    { foreignKeys: [foreignKey('gadgets', ['maker'], 'makers', ['code'])] },
  ),
];
const lexicon = buildLexicon({
  snapshot: nameSnapshot({ engine: 'mariadb', tables }, null),
  values: [],
  synonyms: [],
});

it('a question with "for each maker" groups by the name of the maker', () => {
  const [best, next] = listCandidates('how many gadgets are there for each maker?', lexicon, 20_000);
  expect(best?.sql).toContain('t2.`name`, COUNT(*)');
  expect((next?.cost ?? 9) - (best?.cost ?? 0)).toBeGreaterThan(0.25);
});
