import { describe, expect, it } from 'vitest';
import { PROJECT, run, type Answers } from '../testing/run.js';

const READY = { id: 'db_1', environment: 'development', state: 'ready', base_url: 'http://127.0.0.1:1/' };
const MIGRATION = { id: 'mig_1', database: 'db_1', state: 'published' };
const making = (project: object, more: Answers = {}): Answers => ({
  'GET /api/me': { body: { organizations: [{ id: 'org_1', name: 'Mine' }] } },
  'POST /api/projects': { body: { ...PROJECT, databases: [READY], ...project } },
  ...more,
});

describe('waitForStarter', () => {
  it('waitForStarter finds migrations that were planned after the sign-up response', async () => {
    const requested = making(
      { migrations: [] },
      {
        'GET /api/databases/db_1/migrations': { body: { items: [MIGRATION] } },
        'GET /api/migrations/mig_1/events': { body: '' },
        'GET /api/migrations/mig_1': { body: MIGRATION },
      },
    );
    expect(await run(['projects', 'create', 'Blog', '--starter', 'blog'], requested)).toMatchObject({
      code: 0,
    });
    // The response has no migrations, so it is unknown whether the starter is deployed.
    expect(
      await run(['projects', 'create', 'Blog', '--starter', 'blog'], making({ migrations: [] })),
    ).toMatchObject({ code: 1 });
  });

  it('waitForStarter returns at once when everything is live or no starter was requested', async () => {
    expect(await run(['projects', 'create', 'Blog', '--starter', 'blog'], making({}))).toMatchObject({
      code: 0,
    });
    expect(await run(['projects', 'create', 'Blog'], making({ migrations: [] }))).toMatchObject({ code: 0 });
  });
});
