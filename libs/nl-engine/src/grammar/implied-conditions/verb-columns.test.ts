import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { buildLexicon } from '../../lexicon/build-lexicon.js';
import { listCandidates } from '../../list-candidates.js';

const tables = [
  rawTable('students', [
    rawColumn('id', 'int(11)'),
    rawColumn('name', 'varchar(50)'),
    rawColumn('major', 'int(11)'),
  ]),
  rawTable('firms', [
    rawColumn('id', 'int(11)'),
    rawColumn('name', 'varchar(50)'),
    rawColumn('headquarters', 'varchar(50)'),
  ]),
];
const lexicon = buildLexicon({
  snapshot: nameSnapshot({ engine: 'mariadb', tables }, null),
  values: [{ table: 'firms', column: 'headquarters', values: ['Tokyo'] }],
  synonyms: [],
});

it.each<readonly [string, string, readonly unknown[]]>([
  ['names of students majoring in 600', 'SELECT t1.`name` FROM `students` AS t1 WHERE t1.`major` = ?', [600]],
  [
    'firms headquartered in Tokyo',
    'SELECT t1.`name` FROM `firms` AS t1 WHERE t1.`headquarters` = ?',
    ['Tokyo'],
  ],
])('the question "%s" becomes its expected statement', (question, sql, params) => {
  expect(listCandidates(question, lexicon, 20_000)[0]).toMatchObject({ sql, params });
});
