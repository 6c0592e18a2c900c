import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { measureOver } from '../../test/measure-shop.js';
import { EMPTY_DRAFT } from '../grammar/draft.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import { listCandidates } from '../list-candidates.js';
import type { ColumnRef, Condition, Draft, Mention } from '../types.js';
import { listRankingMentions, pinsValue } from './draft-references.js';

const mentionWith = (conditions: readonly Condition[]): Mention => ({
  links: [],
  parent: -1,
  negated: false,
  quantity: null,
  conditions,
  tie: [],
  isAlternative: false,
});
const draftOf = (mentions: readonly Mention[]): Draft => ({ ...EMPTY_DRAFT, mentions, focus: 0 });
const top = (mention: number): Condition => ({ kind: 'topCount', mention, direction: 'desc' });
const COLUMN = { links: [], owner: null, position: 0 };

it('listRankingMentions returns the mentions that any condition counts', () => {
  const ranked = listRankingMentions(
    draftOf([
      mentionWith([{ kind: 'null', column: COLUMN, negated: true }, top(2)]),
      mentionWith([]),
      mentionWith([top(3)]),
      mentionWith([]),
    ]),
  );
  expect([...ranked]).toEqual([2, 3]);
});

it('listRankingMentions is empty for a draft without a condition on a row count', () => {
  expect([
    ...listRankingMentions(
      draftOf([mentionWith([{ kind: 'top', column: COLUMN, direction: 'asc' }]), mentionWith([])]),
    ),
  ]).toEqual([]);
});

const column: ColumnRef = { links: [], owner: null, position: 0 };

it('pinsValue accepts only conditions on a single value', () => {
  expect(pinsValue({ kind: 'compare', column, op: '=', value: { kind: 'number', value: 3 } })).toBe(true);
  expect(pinsValue({ kind: 'value', links: [], negated: false, owner: null })).toBe(true);
  expect(pinsValue({ kind: 'compare', column, op: '>', value: { kind: 'number', value: 3 } })).toBe(false);
  expect(
    pinsValue({ kind: 'compare', column, op: '=', value: { kind: 'period', from: '2025-01-01', to: null } }),
  ).toBe(false);
  expect(pinsValue({ kind: 'value', links: [], negated: true, owner: null })).toBe(false);
});

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
  it('saysEach ignores the word "per" in the name of an assigned column', () => {
    expect(measureOver(lexicon, 'name of the apple with the highest price per kilo')).toMatchObject({
      eachLimited: 0,
    });
    expect(measureOver(lexicon, 'the heaviest apple per name', 'LIMIT 1')?.['eachLimited'] ?? 1).toBe(1);
  });

  it('a unit that occurs in a column name is skipped after a number', () => {
    expect(listCandidates('names of apples with a weight above 90 grams', lexicon, 20_000)[0]).toMatchObject({
      sql: 'SELECT t1.`name` FROM `apples` AS t1 WHERE t1.`weight_grams` > ?',
      params: [90],
    });
  });
});
