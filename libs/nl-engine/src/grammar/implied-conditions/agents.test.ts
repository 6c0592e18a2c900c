import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { buildLexicon } from '../../lexicon/build-lexicon.js';
import { listCandidates } from '../../list-candidates.js';

const text = (name: string): ReturnType<typeof rawColumn> => rawColumn(name, 'varchar(50)');
const snapshot = nameSnapshot(
  {
    engine: 'mariadb',
    tables: [
      rawTable('films', [
        rawColumn('id', 'int(11)'),
        text('title'),
        text('director'),
        text('studio'),
        rawColumn('year', 'int(11)'),
      ]),
    ],
  },
  null,
);
const lexicon = buildLexicon({
  snapshot,
  values: [
    { table: 'films', column: 'director', values: ['Ada Birch', 'Hugo Grove'] },
    { table: 'films', column: 'studio', values: ['Northlight'] },
  ],
  synonyms: [],
});
const read = (question: string): unknown => {
  const [best] = listCandidates(question, lexicon, 20_000);
  return [best?.sql, best?.params];
};

it.each<readonly [string, string, readonly (string | number)[]]>([
  [
    'titles of films directed by Ada Birch',
    'SELECT t1.`title` FROM `films` AS t1 WHERE t1.`director` = ?',
    ['Ada Birch'],
  ],
  [
    'titles of films not directed by Ada Birch',
    'SELECT t1.`title` FROM `films` AS t1 WHERE t1.`director` != ?',
    ['Ada Birch'],
  ],
  [
    'titles of films that Hugo Grove directed after 2000',
    'SELECT t1.`title` FROM `films` AS t1 WHERE t1.`director` = ? AND t1.`year` > ?',
    ['Hugo Grove', 2000],
  ],
  [
    'studios that have not produced films directed by Ada Birch',
    'SELECT DISTINCT t1.`studio` FROM `films` AS t1 WHERE NOT EXISTS (SELECT 1 FROM `films` AS t2 WHERE t2.`studio` = t1.`studio` AND t2.`director` = ?)',
    ['Ada Birch'],
  ],
])('the question "%s" becomes its expected statement', (question, sql, params) => {
  expect(read(question)).toEqual([sql, params]);
});
