import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { buildLexicon } from '../../lexicon/build-lexicon.js';
import { listCandidates } from '../../list-candidates.js';

const LOANS = buildLexicon({
  snapshot: nameSnapshot(
    {
      engine: 'mariadb',
      tables: [
        rawTable('loans', [
          rawColumn('id', 'int(11)'),
          rawColumn('opened_on', 'date'),
          rawColumn('returned_on', 'date', { nullable: true }),
          rawColumn('is_private', 'tinyint(1)'),
        ]),
        rawTable('halls', [
          rawColumn('id', 'int(11)'),
          rawColumn('name', 'varchar(50)'),
          rawColumn('has_stage', 'tinyint(1)'),
          rawColumn('renovated', 'int(11)'),
        ]),
      ],
    },
    null,
  ),
  values: [],
  synonyms: [],
});

/** Returns the WHERE clause of the statement with the lowest cost, with its parameters. */
function readWhere(question: string): string {
  const [best] = listCandidates(question, LOANS, 20_000);
  return `${/ WHERE (.*)$/.exec(best?.sql ?? '')?.[1] ?? ''} ${JSON.stringify(best?.params ?? null)}`;
}

describe('boolean columns and times of events', () => {
  it.each([
    ['how many returned loans are there?', 't1.`returned_on` IS NOT NULL []'],
    ['how many unreturned loans are there?', 't1.`returned_on` IS NULL []'],
    ['loans that have been returned', 't1.`returned_on` IS NOT NULL []'],
    ['loans that have not been returned yet', 't1.`returned_on` IS NULL []'],
    ['loans that were never returned', 't1.`returned_on` IS NULL []'],
    ['how many private loans are there?', 't1.`is_private` = ? [1]'],
    ['how many loans are not private?', 't1.`is_private` != ? [1]'],
    ['halls with a stage', 't1.`has_stage` = ? [1]'],
    ['halls without a stage', 't1.`has_stage` = ? [0]'],
  ])('the question "%s" becomes its expected condition', (question, where) => {
    expect(readWhere(question)).toBe(where);
  });

  it('readFlags ignores NOT NULL time columns and participles before a time', () => {
    expect(readWhere('opened loans')).not.toContain('NULL');
    expect(readWhere('loans returned in 2025')).not.toContain('NULL');
    expect(readWhere('renovated halls')).not.toContain('NULL');
  });
});
