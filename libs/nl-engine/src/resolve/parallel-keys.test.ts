import { nameSnapshot } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import { listCandidates } from '../list-candidates.js';
import { classifyParallelKey } from './parallel-keys.js';

const id = rawColumn('id', 'int(11)');
const key = (name: string): ReturnType<typeof rawColumn> => rawColumn(name, 'int(11)');
const tables = [
  rawTable('courses', [id, rawColumn('title', 'varchar(50)')]),
  rawTable('prerequisites', [id, key('course_id'), key('prerequisite_id')], {
    foreignKeys: [
      foreignKey('prerequisites', 'course_id', 'courses'),
      foreignKey('prerequisites', 'prerequisite_id', 'courses'),
    ],
  }),
  rawTable('airports', [id, rawColumn('name', 'varchar(50)')]),
  rawTable('flights', [id, key('source_id'), key('target_id')], {
    foreignKeys: [
      foreignKey('flights', 'source_id', 'airports'),
      foreignKey('flights', 'target_id', 'airports'),
    ],
  }),
];
const lexicon = buildLexicon({
  snapshot: nameSnapshot({ engine: 'mariadb', tables }, null),
  values: [],
  synonyms: [],
});

it('parallel keys to one table are distinguished as owner and role', () => {
  const found = [...lexicon.graph.edges.values()]
    .flat()
    .filter((edge) => edge.isToOne)
    .map((edge) => `${edge.fromColumns.join()} ${classifyParallelKey(edge, lexicon)}`);
  expect(found.sort()).toEqual([
    'course_id meant',
    'prerequisite_id role',
    'source_id open',
    'target_id open',
  ]);
});

it('a count of related rows joins by the key without a role', () => {
  expect(listCandidates('titles of courses without prerequisites', lexicon, 20_000)[0]?.sql).toBe(
    'SELECT t1.`title` FROM `courses` AS t1 WHERE NOT EXISTS (SELECT 1 FROM `prerequisites` AS t2 WHERE t2.`course_id` = t1.`id`)',
  );
});
