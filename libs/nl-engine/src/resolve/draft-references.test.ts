import { expect, it } from 'vitest';
import type { Condition, Draft, Mention } from '../types.js';
import { listRanked } from './draft-references.js';

const mentionWith = (conditions: readonly Condition[]): Mention => ({
  links: [],
  parent: -1,
  negated: false,
  quantity: null,
  conditions,
  tie: [],
  isAlternative: false,
});
const draftOf = (mentions: readonly Mention[]): Draft => ({
  targets: [],
  mentions,
  groups: [],
  orders: [],
  limit: null,
  distinct: false,
  unmatched: [],
  focus: 0,
});
const top = (mention: number): Condition => ({ kind: 'topCount', mention, direction: 'desc' });
const COLUMN = { links: [], owner: null, position: 0 };

it('mentions that are only counted for a condition are listed wherever the condition is', () => {
  const ranked = listRanked(
    draftOf([
      mentionWith([{ kind: 'null', column: COLUMN, negated: true }, top(2)]),
      mentionWith([]),
      mentionWith([top(3)]),
      mentionWith([]),
    ]),
  );
  expect([...ranked]).toEqual([2, 3]);
});

it('mentions that the question also asks for are not listed', () => {
  expect([
    ...listRanked(
      draftOf([mentionWith([{ kind: 'top', column: COLUMN, direction: 'asc' }]), mentionWith([])]),
    ),
  ]).toEqual([]);
});
