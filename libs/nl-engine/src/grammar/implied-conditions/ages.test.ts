import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { buildLexicon } from '../../lexicon/build-lexicon.js';
import { listCandidates } from '../../list-candidates.js';

const PILOTS = rawTable(
  'pilot',
  [rawColumn('pilot_id', 'int(11)'), rawColumn('name', 'varchar(50)'), rawColumn('age', 'int(11)')],
  { primaryKey: ['pilot_id'] },
);
const lexicon = buildLexicon({
  snapshot: nameSnapshot({ engine: 'mariadb', tables: [PILOTS] }, null),
  values: [],
  synonyms: [],
});

it.each<readonly [string, string, readonly number[]]>([
  ['names of pilots that are at least 25 years old', '`age` >= ?', [25]],
  ['names of pilots who are 30 years old or younger', '`age` <= ?', [30]],
  ['names of pilots aged between 20 and 30', '`age` BETWEEN ? AND ?', [20, 30]],
  ['names of pilots aged over 40', '`age` > ?', [40]],
  ['names of pilots aged either 36 or 37', '(t1.`age` = ? OR t1.`age` = ?)', [36, 37]],
])('the question "%s" compares the age column', (question, test, params) => {
  const [best] = listCandidates(question, lexicon, 20_000);
  expect(best?.sql).toBe(
    `SELECT t1.\`name\` FROM \`pilot\` AS t1 WHERE ${test.startsWith('(') ? test : `t1.${test}`}`,
  );
  expect(best?.params).toEqual(params);
});
