import type { MigrationPlan, MigrationStep } from '@rowhouse/contracts';
import { describe, expect, it } from 'vitest';
import { PLAN_WITHOUT_EFFECTS } from '../../testing/plan-without-effects.js';
import { assertDeployable } from './deploy-checks.js';

const step = { kind: 'alter_table', table: 'a', sql: '' } as unknown as MigrationStep;
const plan = (more: Partial<MigrationPlan> = {}): MigrationPlan => ({
  ...PLAN_WITHOUT_EFFECTS,
  database: 'db_1',
  environment: 'development',
  baseSnapshot: 1,
  steps: [step],
  hash: 'h1',
  targetHash: 't',
  ...more,
});
const codeOf = (
  plans: MigrationPlan[],
  request: { accept_loss?: boolean; confirm?: string[] } = {},
): string => {
  try {
    assertDeployable(plans, request);
    return '';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('assertDeployable', () => {
  it('a deploy without data loss is accepted', () => {
    expect(codeOf([plan(), plan({ database: 'db_2' })])).toBe('');
    expect(codeOf([])).toBe('');
  });
  it('a deploy with data loss is rejected until the loss is accepted', () => {
    const losing = plan({ loss: ['column a.b with its values'] });
    expect(codeOf([plan(), losing])).toBe('schema.loss_not_accepted');
    expect(codeOf([plan(), losing], { accept_loss: true })).toBe('');
    expect(codeOf([losing], { accept_loss: false })).toBe('schema.loss_not_accepted');
  });
  it('a deploy with a long locked copy is always rejected', () => {
    expect(
      codeOf([plan({ needsRebuild: [{ table: 'a', sql: '', rows: 1 }], loss: ['x'] })], {
        accept_loss: true,
      }),
    ).toBe('schema.needs_rebuild');
  });
  it('a deploy with a plan other than the confirmed one is rejected', () => {
    expect(codeOf([plan(), plan({ hash: 'h2' })], { confirm: ['h1', 'h2', 'h3'] })).toBe('');
    expect(codeOf([plan(), plan({ hash: 'h2' })], { confirm: ['h1'] })).toBe('schema.needs_confirmation');
    expect(codeOf([plan()], { confirm: [] })).toBe('schema.needs_confirmation');
    expect(codeOf([plan({ steps: [] })], { confirm: [] })).toBe('');
  });
  it('the rejection of a deploy with data loss suggests possible renames', () => {
    const possibleRenames = [{ kind: 'column', table: 'a', from: 'b', to: 'c' }] as const;
    const losing = plan({ loss: ['column a.b with its values'], possibleRenames });
    expect(() => assertDeployable([losing], {})).toThrow(
      expect.objectContaining({
        extra: {
          loss: [{ database: 'db_1', environment: 'development', loss: losing.loss, possibleRenames }],
        },
      }),
    );
  });
  it('confirming a plan hash does not accept its data loss', () => {
    expect(codeOf([plan({ loss: ['x'] })], { confirm: ['h1'] })).toBe('schema.loss_not_accepted');
  });
});
