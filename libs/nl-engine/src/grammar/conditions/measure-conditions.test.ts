import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { buildLexicon } from '../../lexicon/build-lexicon.js';
import { listCandidates } from '../../list-candidates.js';

const tables = [
  rawTable('halls', [
    rawColumn('id', 'int(11)'),
    rawColumn('name', 'varchar(50)'),
    rawColumn('capacity', 'int(11)'),
    rawColumn('zip_postcode', 'varchar(9)'),
  ]),
];
const lexicon = buildLexicon({
  snapshot: nameSnapshot({ engine: 'mariadb', tables }, null),
  values: [],
  synonyms: [],
});

it.each([
  [
    'names of halls that can accommodate more than 300 guests',
    'SELECT t1.`name` FROM `halls` AS t1 WHERE t1.`capacity` > ?',
  ],
  ['halls with room for more than 300 guests', 'SELECT t1.`name` FROM `halls` AS t1 WHERE t1.`capacity` > ?'],
  [
    'how many halls have zip code 197?',
    'SELECT COUNT(*) AS `count` FROM `halls` AS t1 WHERE t1.`zip_postcode` = ?',
  ],
])('the question "%s" compares the capacity column', (question, sql) => {
  expect(listCandidates(question, lexicon, 20_000)[0]?.sql).toBe(sql);
});
