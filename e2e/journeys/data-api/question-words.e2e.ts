import { beforeAll, describe, expect, it } from 'vitest';
import { createKey, deploy, signUp, type TestUser } from '../../support/control.mjs';
import { openApi, type Api } from '../../support/http.mjs';
import { readProduct } from '../../support/product.mjs';
import { waitFor } from '../../support/wait.mjs';

const SCHEMA = `CREATE TABLE customers (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(60) NOT NULL, city VARCHAR(60) NOT NULL);
CREATE TABLE orders (id INT AUTO_INCREMENT PRIMARY KEY, customer_id INT NOT NULL, progress VARCHAR(20) NOT NULL,
  CONSTRAINT orders_customer FOREIGN KEY (customer_id) REFERENCES customers (id));`;

describe('vocabulary of questions', () => {
  const product = readProduct();
  let user: TestUser;
  let other: TestUser;
  let apis: [Api, Api];
  let strange: Api;

  async function prepare(name: string): Promise<TestUser> {
    const created = await signUp(product.control, { name, starter: 'empty' });
    await deploy(created, SCHEMA);
    const api = openApi(product.gateways[0], created.key);
    expect(
      (
        await api.call('POST', '/customers', {
          body: [
            { name: 'Ann', city: name === 'ann' ? 'Lisbon' : 'Bergen' },
            { name: 'Bob', city: 'Oslo' },
          ],
        })
      ).status,
    ).toBe(201);
    expect(
      (
        await api.call('POST', '/orders', {
          body: [
            { customer_id: 1, progress: 'shipped' },
            { customer_id: 2, progress: 'shipped' },
            { customer_id: 2, progress: 'packed' },
          ],
        })
      ).status,
    ).toBe(201);
    return created;
  }

  beforeAll(async () => {
    [user, other] = [await prepare('ann'), await prepare('eve')];
    apis = [openApi(product.gateways[0], user.key), openApi(product.gateways[1], user.key)];
    strange = openApi(product.gateways[0], other.key);
  });

  const countOf = async (api: Api, question: string): Promise<unknown> => {
    const response = await api.query(question);
    return response.status === 200 ? Object.values(response.json[0] ?? {})[0] : response.json.code;
  };

  it('the first question to a database may already use values of its rows', async () => {
    for (const api of apis) expect(await countOf(api, 'how many orders are shipped')).toBe(2);
    expect(await countOf(apis[0], 'how many customers are from Lisbon')).toBe(1);
  });

  it('every gateway soon understands questions with a newly written value', async () => {
    expect(await countOf(apis[0], 'how many orders are melted')).toBe('query.not_understood');
    expect(
      (await apis[0].call('POST', '/orders', { body: { customer_id: 1, progress: 'melted' } })).status,
    ).toBe(201);
    for (const api of apis)
      await waitFor(
        'the new value is understood',
        async () => ((await countOf(api, 'how many orders are melted')) === 1 ? true : undefined),
        { timeoutMs: 15_000, intervalMs: 100 },
      );
  });

  it("a question with a value of another tenant's rows is not understood", async () => {
    expect(await countOf(strange, 'how many customers are from Bergen')).toBe(1);
    expect(await countOf(strange, 'how many customers are from Lisbon')).toBe('query.not_understood');
    expect(await countOf(apis[0], 'how many customers are from Bergen')).toBe('query.not_understood');
  });

  it('a question with a value that the key may not read is not understood', async () => {
    const { secret } = await createKey(user, { name: 'narrow', tables: { customers: ['read'] } });
    const narrow = openApi(product.gateways[0], secret);
    expect(await countOf(narrow, 'how many customers are from Lisbon')).toBe(1);
    expect(await countOf(narrow, 'how many orders are shipped')).toBe('query.not_understood');
  });

  it('the values of an excluded column are no longer understood', async () => {
    const set = (columns: string[]): Promise<{ status: number }> =>
      user.control.call('PATCH', `/api/databases/${user.development.id}`, {
        settings: { unindexed_columns: { customers: columns } },
      });
    expect((await set(['city'])).status).toBe(200);
    for (const api of apis)
      await waitFor(
        'the value is no word any more',
        async () =>
          (await countOf(api, 'how many customers are from Lisbon')) === 'query.not_understood'
            ? true
            : undefined,
        { timeoutMs: 10_000, intervalMs: 50 },
      );
    expect((await set([])).status).toBe(200);
    for (const api of apis)
      await waitFor(
        'the value is a word again',
        async () => ((await countOf(api, 'how many customers are from Lisbon')) === 1 ? true : undefined),
        { timeoutMs: 15_000, intervalMs: 100 },
      );
    // A gateway may understand the value before the worker has indexed the column again.
    await waitFor(
      'the values are in the index again',
      async () =>
        (await user.control.call('GET', `/api/databases/${user.development.id}/value-index`)).json.values >= 6
          ? true
          : undefined,
      { timeoutMs: 15_000, intervalMs: 100 },
    );
    expect(
      (await other.control.call('GET', `/api/databases/${user.development.id}/value-index`)).status,
    ).toBe(404);
  });

  it('a synonym of the project is understood on every gateway', async () => {
    const created = await user.control.call('POST', `/api/projects/${user.projectId}/synonyms`, {
      phrase: 'Parcels',
      table: 'orders',
    });
    expect(created.status, created.text).toBe(201);
    for (const api of apis)
      await waitFor(
        'the synonym is understood',
        async () => ((await countOf(api, 'how many parcels are there')) === 4 ? true : undefined),
        { timeoutMs: 10_000, intervalMs: 50 },
      );
    expect(await countOf(strange, 'how many parcels are there')).toBe('query.not_understood');
    expect(
      (await other.control.call('DELETE', `/api/projects/${user.projectId}/synonyms/${created.json.id}`))
        .status,
    ).toBe(404);
    expect(
      (await user.control.call('DELETE', `/api/projects/${user.projectId}/synonyms/${created.json.id}`))
        .status,
    ).toBe(204);
    for (const api of apis)
      await waitFor(
        'the synonym is forgotten',
        async () =>
          (await countOf(api, 'how many parcels are there')) === 'query.not_understood' ? true : undefined,
        { timeoutMs: 10_000, intervalMs: 50 },
      );
  });

  it('values of a renamed column are still understood', async () => {
    await deploy(user, 'ALTER TABLE orders RENAME COLUMN progress TO stage');
    for (const api of apis)
      await waitFor(
        'the values have gone along',
        async () => ((await countOf(api, 'how many orders are shipped')) === 2 ? true : undefined),
        { timeoutMs: 15_000, intervalMs: 100 },
      );
  });
});
