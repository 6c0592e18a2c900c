import type { MigrationStep } from '@rowhouse/contracts';
import { expect, it } from 'vitest';
import { describeLoss } from './plan-steps.js';
import { markTables } from './compare-view.js';

const step = (members: Partial<MigrationStep>): MigrationStep =>
  ({ kind: 'alter_table', table: 'posts', loss: [], strategy: 'instant', ...members }) as MigrationStep;

it('a deploy plan lists immediate data losses separately from recoverable ones', () => {
  const steps = [
    step({ strategy: 'keep_columns', loss: ['the column a'] }),
    step({ strategy: 'drop', loss: ['the view v'] }),
    step({}),
  ];
  expect(describeLoss({ steps, loss: [] })).toEqual({
    immediate: ['the view v'],
    retained: ['the column a'],
  });
});

it('a deploy plan marks each table with the effect on it, under its draft name', () => {
  const steps = [
    step({ kind: 'create_table', table: 'notes' }),
    step({ kind: 'drop_table', table: 'old' }),
    step({ kind: 'alter_table', table: 'posts' }),
  ];
  expect([
    ...markTables({ steps, hints: [{ kind: 'table', from: 'posts', to: 'articles' }] } as never),
  ]).toEqual([
    ['notes', 'new'],
    ['old', 'dropped'],
    ['articles', 'changed'],
  ]);
  expect(markTables(undefined).size).toBe(0);
});
