import type { MigrationStep } from '@rowhouse/contracts';
import { expect, it } from 'vitest';
import { describeLoss } from './describe-loss.js';
import { markTables } from './compare-tables.js';

const step = (members: Partial<MigrationStep>): MigrationStep => ({ kind: 'alter_table', table: 'posts', loss: [], strategy: 'instant', ...members }) as MigrationStep;

it('tells what is gone at once from what is kept for a day', () => {
  const steps = [step({ strategy: 'keep_columns', loss: ['the column a'] }), step({ strategy: 'drop', loss: ['the view v'] }), step({})];
  expect(describeLoss({ steps, loss: [] })).toEqual({ atOnce: ['the view v'], kept: ['the column a'] });
});

it('marks tables by what a plan does to them, under the names of the draft', () => {
  const steps = [step({ kind: 'create_table', table: 'notes' }), step({ kind: 'drop_table', table: 'old' }), step({ kind: 'alter_table', table: 'posts' })];
  expect([...markTables({ steps, hints: [{ kind: 'table', from: 'posts', to: 'articles' }] } as never)]).toEqual([['notes', 'new'], ['old', 'dropped'], ['articles', 'changed']]);
  expect(markTables(undefined).size).toBe(0);
});
