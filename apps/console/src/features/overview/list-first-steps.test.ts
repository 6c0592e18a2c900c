import { describe, expect, it } from 'vitest';
import { listFirstSteps, type ProjectProgress } from './list-first-steps.js';

const NEW: ProjectProgress = {
  tables: 5,
  hasRows: false,
  keys: [{ last_used_at: null }],
  hasAgent: false,
  members: 1,
  invitations: 0,
  mayInvite: true,
};
const done = (details: ProjectProgress): string[] | undefined =>
  listFirstSteps(details)
    ?.filter((step) => step.isDone)
    .map((step) => step.name);

describe('listFirstSteps', () => {
  it('a setup step of the overview is checked off once its condition holds', () => {
    expect(done(NEW)).toEqual(['table', 'key']);
    expect(
      done({
        ...NEW,
        hasRows: true,
        keys: [{ last_used_at: null }, { last_used_at: '2026-11-21T10:00:00Z' }],
      }),
    ).toEqual(['table', 'row', 'key', 'call']);
    expect(done({ ...NEW, hasAgent: true })).toEqual(['table', 'key', 'agent']);
    expect(done({ ...NEW, invitations: 1 })).toContain('invite');
    expect(done({ ...NEW, members: 2 })).toContain('invite');
    expect(done({ ...NEW, tables: 0, keys: [] })).toEqual([]);
  });

  it('a setup step of the overview is omitted if the user may not take it', () => {
    expect(listFirstSteps({ ...NEW, mayInvite: false, invitations: null })?.map((step) => step.name)).toEqual(
      ['table', 'row', 'key', 'call', 'agent'],
    );
  });

  it('listFirstSteps returns null until all data are loaded', () => {
    for (const unknown of [
      { hasRows: null },
      { keys: null },
      { hasAgent: null },
      { members: null },
      { invitations: null },
    ])
      expect(listFirstSteps({ ...NEW, ...unknown })).toBeNull();
  });
});
