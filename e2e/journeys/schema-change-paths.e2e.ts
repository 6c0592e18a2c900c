import { beforeAll, describe, expect, it } from 'vitest';
import { deploy, signUp, waitForMigration, type Person } from '../support/control.mjs';
import { openApi, type Api } from '../support/http.mjs';
import { readProduct } from '../support/product.mjs';
import { waitFor } from '../support/wait.mjs';

describe('schema changes over the control API', () => {
  const product = readProduct();
  let person: Person;
  let stranger: Person;
  let api: Api;
  let path: string;
  const call = (method: string, road: string, body?: unknown) => person.control.call(method, `/api/projects/${person.projectId}/${road}`, body);

  beforeAll(async () => {
    [person, stranger] = await Promise.all([signUp(product.control), signUp(product.control, { name: 'eve' })]);
    api = openApi(product.gateways[0], person.key);
    path = `/api/projects/${person.projectId}/schema`;
  });

  it('plain language becomes SQL to review, edits change the draft, and a deploy creates endpoints', async () => {
    const asked = await call('POST', 'schema/requests', { request: 'a table books with title, price and a user' });
    expect(asked.status, asked.text).toBe(200);
    expect(asked.json).toMatchObject({ source: 'rules', revision: 1 });
    expect(asked.json.sql).toContain('REFERENCES `users`');
    expect((await person.control.call('PUT', path, { sql: asked.json.sql, mode: 'apply' })).status).toBe(200);
    const edited = await call('POST', 'schema/edits', { edits: [{ kind: 'add_column', table: 'books', column: { name: 'pages', type: 'int', nullable: true } }, { kind: 'add_index', table: 'books', columns: ['title'] }] });
    expect(edited.status, edited.text).toBe(200);
    await deploy(person, '');
    await waitFor('books are served', async () => (await api.get('/books')).status === 200);
    const refused = await call('POST', 'schema/requests', { request: 'make me happy' });
    expect({ status: refused.status, code: refused.json.code }).toEqual({ status: 422, code: 'schema.not_understood' });
  });

  it('the live schema of development is promoted, and the drift between the two databases is reported', async () => {
    const before = await call('GET', 'drift');
    expect(before.json.databases[1]).toMatchObject({ environment: 'production', differs: [{ object: 'books', how: 'missing_here' }] });
    let answer = await call('POST', 'promote', {});
    if (answer.status === 409) answer = await call('POST', 'promote', { confirm: answer.json.plans.map((plan: { hash: string }) => plan.hash) });
    expect(answer.status, answer.text).toBe(201);
    expect((await waitForMigration(person.control, answer.json.migrations[0].id)).state).toBe('published');
    expect((await call('GET', 'drift')).json.databases[1].differs).toEqual([]);
  });

  it('a migration is reverted, and the history shows it as undone', async () => {
    const migration = await deploy(person, 'ALTER TABLE books ADD COLUMN shelf varchar(20)');
    await waitFor('the column is served', async () => (await api.get('/schema')).text.includes('"shelf"'));
    const back = await person.control.call('POST', `/api/migrations/${migration.id}/revert`, { accept_loss: true });
    expect(back.status, back.text).toBe(201);
    expect((await waitForMigration(person.control, back.json.id)).state).toBe('published');
    await waitFor('the column is gone', async () => !(await api.get('/schema')).text.includes('"shelf"'));
    const history = await person.control.call('GET', `/api/databases/${person.development.id}/migrations`);
    expect(history.json.items.slice(0, 2)).toMatchObject([{ origin: 'revert', reverts: migration.id, state: 'published' }, { id: migration.id, state: 'reverted' }]);
    const steps = await person.control.call('GET', `/api/migrations/${migration.id}/steps`);
    expect(steps.json.items.map((step: { state: string }) => step.state)).not.toContain('pending');
  });

  it('another tenant can use none of them', async () => {
    const history = await person.control.call('GET', `/api/databases/${person.development.id}/migrations`);
    const { id } = history.json.items[0];
    const tries: [string, string][] = [['GET', `migrations/${id}`], ['GET', `migrations/${id}/steps`], ['POST', `migrations/${id}/revert`], ['POST', `migrations/${id}/retry`], ['GET', `databases/${person.development.id}/migrations/export`], ['POST', `projects/${person.projectId}/promote`], ['GET', `projects/${person.projectId}/drift`]];
    for (const [method, road] of tries) expect((await stranger.control.call(method, `/api/${road}`, method === 'POST' ? {} : undefined)).status, road).toBe(404);
  });
});
