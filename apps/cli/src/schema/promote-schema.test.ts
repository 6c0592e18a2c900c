import { describe, expect, it } from 'vitest';
import { PROJECT, run, type Answers } from '../testing/run.js';

const PLAN = {
  database: 'db_2',
  environment: 'production',
  hash: 'h1',
  steps: [
    { sql: 'ALTER TABLE a ADD b int' },
    { sql: 'ALTER TABLE c MODIFY d bigint;\nALTER TABLE e MODIFY d bigint;\n' },
  ],
  loss: [] as string[],
  impact: { added: ['a.b'], removed: [], changed: [], usedBy: [] },
  drift: [],
  needsRebuild: [],
  possibleRenames: [],
  notes: [],
};

/** Creates a control plane that only runs a plan with its hash, and only accepts data loss with consent. */
function stage(loss: string[] = []): { answers: Answers; sent: Record<string, unknown>[] } {
  const sent: Record<string, unknown>[] = [];
  const responses: Answers = {
    'GET /api/projects': { body: { items: [PROJECT] } },
    'POST /api/projects/prj_1/promote': (body) => {
      const request = body as { confirm?: string[] };
      sent.push(request as Record<string, unknown>);
      if (request.confirm?.includes('h1') === true)
        return { status: 201, body: { revision: 4, migrations: [], notes: [] } };
      return {
        status: 409,
        body: {
          code: 'schema.needs_confirmation',
          detail: 'The plan for production is not what ran on development.',
          plans: [{ ...PLAN, loss }],
          only_there: ['ALTER TABLE a ADD z int'],
          only_here: ['ALTER TABLE a ADD b int'],
        },
      };
    },
  };
  return { answers: responses, sent };
}

describe('promotion of a plan that has not run before', () => {
  it('a new promotion shows its plan and runs nothing without a terminal', async () => {
    const { answers: responses, sent } = stage();
    const result = await run(['promote', '-p', 'Blog'], responses);
    expect(result).toMatchObject({
      code: 2,
      err: expect.stringMatching(/is not what ran on development[^]*--yes, or --confirm h1/),
    });
    expect(result.out).toContain('ALTER TABLE c MODIFY d bigint;\n  ALTER TABLE e MODIFY d bigint;\n');
    expect(result.out).not.toContain('\n  ;');
    expect(result.out).toMatch(
      /Only ran on the source: ALTER TABLE a ADD z int\n {2}Only runs on the target: ALTER TABLE a ADD b int/,
    );
    expect(sent).toEqual([{}]);
  });

  it('rowhouse schema promote runs exactly the plan that the user confirmed', async () => {
    const { answers: responses, sent } = stage();
    expect(await run(['promote', '-p', 'Blog', '--yes'], responses)).toMatchObject({ code: 0 });
    expect(sent).toEqual([{}, { confirm: ['h1'] }]);
    expect(await run(['promote', '-p', 'Blog', '--confirm', 'h1'], responses)).toMatchObject({ code: 0 });
    expect(sent).toHaveLength(3);
  });

  it('confirming a promotion plan does not accept data loss', async () => {
    const { answers: responses, sent } = stage(['column a.b with its values']);
    expect(await run(['promote', '-p', 'Blog', '--yes'], responses)).toMatchObject({
      code: 1,
      err: expect.stringContaining('--accept-loss'),
    });
    expect(sent).toEqual([{}]);
    expect(await run(['promote', '-p', 'Blog', '--yes', '--accept-loss'], responses)).toMatchObject({
      code: 0,
    });
    expect(sent.at(-1)).toEqual({ accept_loss: true, confirm: ['h1'] });
  });
});
