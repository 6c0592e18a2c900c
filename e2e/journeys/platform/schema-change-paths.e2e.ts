import { beforeAll, describe, expect, it } from 'vitest';
import { deploy, signUp, waitForMigration, type TestUser } from '../../support/control.mjs';
import { openApi, type Api } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

describe('schema changes over the control API', () => {
  const product = readProduct();
  let user: TestUser;
  let outsider: TestUser;
  let api: Api;
  let path: string;
  const call = (method: string, apiPath: string, body?: unknown) =>
    user.control.call(method, `/api/projects/${user.projectId}/${apiPath}`, body);

  beforeAll(async () => {
    [user, outsider] = await Promise.all([signUp(product.control), signUp(product.control, { name: 'eve' })]);
    api = openApi(product.gateways[0], user.key);
    path = `/api/projects/${user.projectId}/schema`;
  });

  it('a description in plain language becomes SQL, whose deploy creates endpoints', async () => {
    const requested = await call('POST', 'schema/requests', {
      request: 'a table books with title, price and a user',
    });
    expect(requested.status, requested.text).toBe(200);
    expect(requested.json).toMatchObject({ source: 'rules', revision: 1 });
    expect(requested.json.sql).toContain('REFERENCES `users`');
    expect((await user.control.call('PUT', path, { sql: requested.json.sql, mode: 'apply' })).status).toBe(
      200,
    );
    const edited = await call('POST', 'schema/edits', {
      edits: [
        { kind: 'add_column', table: 'books', column: { name: 'pages', type: 'int', nullable: true } },
        { kind: 'add_index', table: 'books', columns: ['title'] },
      ],
    });
    expect(edited.status, edited.text).toBe(200);
    await deploy(user, '');
    await waitFor('books are served', async () => (await api.get('/books')).status === 200);
    const rejected = await call('POST', 'schema/requests', { request: 'make me happy' });
    expect({ status: rejected.status, code: rejected.json.code }).toEqual({
      status: 422,
      code: 'schema.not_understood',
    });
  });

  it('the development schema is promoted, and drift between the two databases is reported', async () => {
    const before = await call('GET', 'drift');
    expect(before.json.databases[1]).toMatchObject({
      environment: 'production',
      differs: [{ object: 'books', how: 'missing_here' }],
    });
    let response = await call('POST', 'promote', {});
    if (response.status === 409)
      response = await call('POST', 'promote', {
        confirm: response.json.plans.map((plan: { hash: string }) => plan.hash),
      });
    expect(response.status, response.text).toBe(201);
    expect((await waitForMigration(user.control, response.json.migrations[0].id)).state).toBe('published');
    expect((await call('GET', 'drift')).json.databases[1].differs).toEqual([]);
  });

  it('a reverted migration is shown as undone in the history', async () => {
    const migration = await deploy(user, 'ALTER TABLE books ADD COLUMN shelf varchar(20)');
    await waitFor('the column is served', async () => (await api.get('/schema')).text.includes('"shelf"'));
    const back = await user.control.call('POST', `/api/migrations/${migration.id}/revert`, {
      accept_loss: true,
    });
    expect(back.status, back.text).toBe(201);
    expect((await waitForMigration(user.control, back.json.id)).state).toBe('published');
    await waitFor('the column is gone', async () => !(await api.get('/schema')).text.includes('"shelf"'));
    const history = await user.control.call('GET', `/api/databases/${user.development.id}/migrations`);
    expect(history.json.items.slice(0, 2)).toMatchObject([
      { origin: 'revert', reverts: migration.id, state: 'published' },
      { id: migration.id, state: 'reverted' },
    ]);
    const steps = await user.control.call('GET', `/api/migrations/${migration.id}/steps`);
    expect(steps.json.items.map((step: { state: string }) => step.state)).not.toContain('pending');
  });

  it('schema requests for a project of another tenant are rejected', async () => {
    const history = await user.control.call('GET', `/api/databases/${user.development.id}/migrations`);
    const { id } = history.json.items[0];
    const attempts: [string, string][] = [
      ['GET', `migrations/${id}`],
      ['GET', `migrations/${id}/steps`],
      ['POST', `migrations/${id}/revert`],
      ['POST', `migrations/${id}/retry`],
      ['GET', `databases/${user.development.id}/migrations/export`],
      ['POST', `projects/${user.projectId}/promote`],
      ['GET', `projects/${user.projectId}/drift`],
    ];
    for (const [method, apiPath] of attempts)
      expect(
        (await outsider.control.call(method, `/api/${apiPath}`, method === 'POST' ? {} : undefined)).status,
        apiPath,
      ).toBe(404);
  });
});
