import { describe, expect, it } from 'vitest';
import { structureText, hashInput } from './structure-text.js';
import { makeSnapshot, makeTable } from './testing/make-schema.js';

describe('structureText', () => {
  it('structureText ignores paths and the order of keys, but not table options', () => {
    const table = makeTable('t', ['a int', 'KEY x (a)', 'KEY y (a)']);
    const two = { ...makeTable('t', ['a int', 'KEY y (a)', 'KEY x (a)']), path: 'other' };
    expect(structureText(makeSnapshot(table))).toBe(structureText(makeSnapshot(two)));
    expect(structureText(makeSnapshot(makeTable('t', ['a int'], 'ENGINE=InnoDB COMMENT=1')))).not.toBe(
      structureText(makeSnapshot(makeTable('t', ['a int']))),
    );
  });
});

describe('hashInput', () => {
  it('hashInput depends on the starting schema of a plan and its statements', () => {
    const plan = {
      database: 'db_1',
      baseSnapshot: 3,
      steps: [{ class: 'widen', sql: 'A', beforePublish: 'A', afterPublish: null }],
    };
    expect(hashInput({ ...plan, baseSnapshot: 4 })).not.toBe(hashInput(plan));
    expect(hashInput({ ...plan, steps: [{ ...plan.steps[0]!, afterPublish: 'B' }] })).not.toBe(
      hashInput(plan),
    );
  });
});
