import { describe, expect, it } from 'vitest';
import { chooseStrategy, type StepProperties, type StrategyBounds } from './choose-strategy.js';
import type { PlannedStep, RebuildTable, StepStrategy, StepIntent } from './types.js';

const ALL: StepStrategy[] = ['rebuild', 'keep_table', 'keep_columns'];
const bounds = (served: StepStrategy[] = ALL): StrategyBounds => ({
  copyRowsMax: 100,
  inplaceRowsMax: 1_000,
  served: new Set(served),
});
const rebuild: RebuildTable = {
  table: 't',
  specs: 'MODIFY COLUMN a bigint',
  key: ['id'],
  shadowKey: ['id'],
  columns: [{ from: 'a', to: 'a' }],
};
const step = (intent: StepIntent, more: Partial<PlannedStep> = {}): PlannedStep => ({
  kind: 'alter_table',
  table: 't',
  sql: 'X',
  class: 'widen',
  reversible: true,
  loss: [],
  beforePublish: 'X',
  afterPublish: null,
  rowChecks: [],
  intent,
  ...more,
});
const properties = (algorithm: StepProperties['algorithm'], rows: number): StepProperties => ({
  algorithm,
  side: 'beforePublish',
  rows,
});

describe('chooseStrategy', () => {
  it('chooseStrategy returns the algorithm that succeeded on an empty copy of the table', () => {
    expect(
      chooseStrategy(step({ kind: 'alter', rebuild }), properties('instant', 9_999), bounds()),
    ).toMatchObject({ strategy: 'instant', rowsToRewrite: 0, lock: 'none' });
  });
  it('chooseStrategy chooses in-place builds, copies or rebuilds by the number of rows', () => {
    expect(
      chooseStrategy(step({ kind: 'alter', rebuild }), properties('inplace', 1_000), bounds()),
    ).toMatchObject({ strategy: 'inplace', rowsToRewrite: 1_000 });
    expect(
      chooseStrategy(step({ kind: 'alter', rebuild }), properties('inplace', 1_001), bounds()),
    ).toMatchObject({ strategy: 'rebuild', details: rebuild });
    expect(
      chooseStrategy(step({ kind: 'alter', rebuild }), properties('inplace', 1_001), bounds([])),
    ).toMatchObject({ strategy: 'inplace' });
    expect(chooseStrategy(step({ kind: 'alter', rebuild }), properties('copy', 99), bounds())).toMatchObject({
      strategy: 'copy_small',
    });
    expect(chooseStrategy(step({ kind: 'alter', rebuild }), properties('copy', 100), bounds())).toMatchObject(
      { strategy: 'rebuild', rowsToRewrite: 100 },
    );
  });
  it('chooseStrategy returns locked_copy for a table without a key', () => {
    expect(
      chooseStrategy(step({ kind: 'alter', rebuild: null }), properties('copy', 100), bounds()),
    ).toMatchObject({ strategy: 'locked_copy', lock: 'blocks writes while about 100 rows are copied' });
  });
  it('chooseStrategy gives the reason when a table cannot be rebuilt', () => {
    const chosen = chooseStrategy(
      step({ kind: 'alter', rebuild }),
      properties('copy', 100),
      bounds(['keep_table']),
    );
    expect(chosen).toMatchObject({
      strategy: 'locked_copy',
      details: { reason: expect.stringContaining('triggers') as unknown, script: ['X'] },
    });
    const family = { tables: [rebuild], foreignKeys: [], script: ['A', 'B'], keyless: [] };
    expect(
      chooseStrategy(step({ kind: 'family', details: family }), properties('copy', 100), bounds()),
    ).toMatchObject({ strategy: 'locked_copy', details: { script: ['A', 'B'] } });
    expect(
      chooseStrategy(
        step({ kind: 'family', details: family }),
        properties('copy', 100),
        bounds(['rebuild_family']),
      ),
    ).toMatchObject({ strategy: 'rebuild_family' });
  });
  it('chooseStrategy plans no rebuild on a cluster and reports that all writes wait', () => {
    const cluster = { ...bounds([]), isCluster: true };
    expect(
      chooseStrategy(step({ kind: 'alter', rebuild }), properties('inplace', 5_000), cluster),
    ).toMatchObject({ strategy: 'inplace', lock: expect.stringContaining('whole cluster') as unknown });
    expect(chooseStrategy(step({ kind: 'alter', rebuild }), properties('copy', 100), cluster)).toMatchObject({
      strategy: 'locked_copy',
      lock: expect.stringContaining('whole cluster') as unknown,
      details: { reason: expect.stringContaining('cluster') as unknown },
    });
    expect(
      chooseStrategy(step({ kind: 'alter', rebuild }), properties('instant', 5_000), cluster),
    ).toMatchObject({ lock: 'none' });
  });
  it('chooseStrategy retains a dropped table with rows, and reports no loss for an empty one', () => {
    const drop = step(
      { kind: 'keep_table', details: { triggers: [], foreignKeys: [] } },
      { kind: 'drop_table', class: 'drop', loss: ['table t'] },
    );
    expect(chooseStrategy(drop, properties('none', 5), bounds())).toMatchObject({
      strategy: 'keep_table',
      reversible: true,
      loss: ['table t'],
    });
    expect(chooseStrategy(drop, properties('none', 5), bounds([]))).toMatchObject({
      strategy: 'drop',
      reversible: false,
    });
    expect(chooseStrategy(drop, properties('none', 0), bounds())).toMatchObject({
      strategy: 'drop',
      reversible: true,
      loss: [],
    });
  });
});
