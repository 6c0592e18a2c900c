import { describe, expect, it } from 'vitest';
import { formatCheckpoint, parseStepAction, UnreadableStepError } from './step-checkpoint.js';

const DDL = { step: 2, class: 'rename', part: 'beforePublish' };
const REBUILD = {
  phase: 'copy',
  facts: { members: [], innerKeys: [], childKeys: [] },
  position: { at: 0, after: ['7'], rowsDone: 7 },
  triggers: [],
};

describe('parseStepAction', () => {
  it('parseStepAction reads a checkpoint from MariaDB text and from a MySQL object', () => {
    const action = { kind: 'ddl', checkpoint: DDL };
    expect([parseStepAction('ddl', JSON.stringify(DDL)), parseStepAction('ddl', DDL)]).toEqual([
      action,
      action,
    ]);
  });

  it('parseStepAction returns no checkpoint for a step without progress', () => {
    expect(parseStepAction('publish', null)).toEqual({ kind: 'publish', checkpoint: null });
  });

  it('a rebuild checkpoint is unchanged after it was formatted and parsed', () => {
    const stored = { ...DDL, rebuild: REBUILD };
    const { kind, checkpoint } = parseStepAction('ddl', stored);
    expect(kind === 'ddl' && checkpoint.rebuild?.details).toEqual(REBUILD.facts);
    expect(JSON.parse(formatCheckpoint(checkpoint) ?? '')).toEqual(stored);
  });

  it.each([
    ['an unknown kind', 'vacuum', null],
    ['a missing checkpoint', 'ddl', null],
    ['a class of another version', 'ddl', { ...DDL, class: 'merge' }],
    ['a step that is no index', 'prepare', { step: '1' }],
    ['a phase of another version', 'ddl', { ...DDL, rebuild: { ...REBUILD, phase: 'thaw' } }],
    ['a position without a table', 'ddl', { ...DDL, rebuild: { ...REBUILD, position: {} } }],
    ['a count that is no number', 'ddl', { ...DDL, exclusive: { areTablesRenamed: true, altered: null } }],
    ['a script without a fingerprint', 'ddl', { ...DDL, script: { at: 1 } }],
  ])('parseStepAction throws an UnreadableStepError for %s', (_what, kind, column) => {
    expect(() => parseStepAction(kind, column)).toThrow(UnreadableStepError);
  });
});
