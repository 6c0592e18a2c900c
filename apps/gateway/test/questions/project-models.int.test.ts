import { modelSecretPurpose } from '@rowhouse/contracts';
import { createSecretBox } from '@rowhouse/credentials';
import { Secret } from '@rowhouse/runtime';
import { getTestServers, listEnginesOnce, startModelServer, type ModelServer } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, callUntil, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();
const ROWS = [
  "INSERT INTO users (id, username, email) VALUES (1, 'ann', 'ann@example.org'), (2, 'bob', 'bob@example.org')",
];
const COUNT = { content: { sql: 'SELECT COUNT(*) AS n FROM users', reason: '' } };
const OWN_KEY = 'own-key-51c0';

describe.each(listEnginesOnce().map((engine) => [engine.engine, engine] as const))(
  "a project's own language model on %s",
  (_name, engine) => {
    let cell: TestCell;
    let gateway: TestGateway;
    let shared: ModelServer;
    let own: ModelServer;
    let tenant: TestTenant;
    let other: TestTenant;
    let iteration = 0;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      shared = await startModelServer();
      own = await startModelServer();
      tenant = await cell.addTenant({ rows: ROWS });
      other = await cell.addTenant({ rows: ROWS });
      gateway = await cell.startGateway({
        languageModel: { baseUrl: shared.url, apiKey: new Secret('shared-key'), model: 'shared-1' },
      });
    });

    afterAll(async () => {
      await cell.stop();
      await shared.stop();
      await own.stop();
    });

    const sendRequest = (
      key = tenant.key,
      question = `how many rows, for the ${(iteration += 1)}th time?`,
      at = gateway,
    ): Promise<TestResponse> =>
      callGateway(at.url, 'POST', '/v1/-/query', {
        key,
        body: { query: question, mode: 'question', engine: 'llm', verbose: true },
      });
    const modelOf = async (key: string): Promise<unknown> => (await sendRequest(key)).json.llm?.model;

    /** Stores the settings as the control plane does. */
    async function setUp(
      to: TestTenant,
      baseUrl: string,
      sealedFor = new URL(baseUrl).origin,
    ): Promise<void> {
      const [row] = await cell.pool.rows<{ project_id: string }>(
        'SELECT project_id FROM tenant_database WHERE id = ?',
        [to.databaseId],
      );
      const projectId = String(row?.project_id);
      const sealed = createSecretBox([cell.masterKey]).seal(
        OWN_KEY,
        modelSecretPurpose(projectId, sealedFor),
      );
      await cell.pool.run(
        `INSERT INTO project_model (project_id, cell_id, base_url, model, key_sealed, version, updated_by, updated_at) VALUES (?, ?, ?, 'own-1', ?, ?, 'acc', NOW(3))
       ON DUPLICATE KEY UPDATE base_url = VALUES(base_url), key_sealed = VALUES(key_sealed), version = VALUES(version)`,
        [projectId, cell.cellId, baseUrl, sealed, (iteration += 1)],
      );
      await cell.change(to.databaseId, 'settings');
    }

    async function forget(of: TestTenant): Promise<void> {
      await cell.pool.run(
        'DELETE FROM project_model WHERE project_id = (SELECT project_id FROM tenant_database WHERE id = ?)',
        [of.databaseId],
      );
      await cell.change(of.databaseId, 'settings');
    }

    it("questions of a project are sent to the project's own model with its own API key", async () => {
      for (const server of [shared, own]) server.play(() => COUNT);
      expect([await modelOf(tenant.key), await modelOf(other.key)]).toEqual(
        ['scripted', 'scripted'].map(() => expect.any(String) as unknown),
      );
      expect([shared.asked.length, own.asked.length]).toEqual([2, 0]);
      await setUp(tenant, own.url);
      await callUntil(
        () => sendRequest(),
        () => own.asked.length > 0,
        2_000,
      );
      expect(own.asked.every((modelCall) => modelCall.authorization === `Bearer ${OWN_KEY}`)).toBe(true);
      const before = shared.asked.length;
      expect((await sendRequest(other.key)).status).toBe(200);
      expect([shared.asked.length, shared.asked.at(-1)?.authorization]).toEqual([
        before + 1,
        'Bearer shared-key',
      ]);
      await forget(tenant);
      await callUntil(
        () => sendRequest(),
        () => shared.asked.length > before + 1,
        2_000,
      );
    });

    it('a project can use its own model if the installation has none', async () => {
      const bare = await cell.startGateway({});
      own.play(() => COUNT);
      await setUp(tenant, own.url);
      await callUntil(
        () => sendRequest(tenant.key, undefined, bare),
        (response) => response.status === 200,
        2_000,
      );
      expect((await sendRequest(other.key, undefined, bare)).json).toMatchObject({
        code: 'query.not_understood',
      });
      await forget(tenant);
    });

    it('a model whose API key was encrypted for another address is not called', async () => {
      for (const server of [shared, own]) server.play(() => COUNT);
      await setUp(tenant, own.url, 'https://elsewhere.example.com');
      const response = await callUntil(
        () => sendRequest(),
        ({ status }) => status === 503,
        2_000,
      );
      expect(response).toMatchObject({ status: 503, json: { code: 'llm.unavailable' } });
      expect(own.asked).toHaveLength(0);
      await forget(tenant);
    });

    it('a model in a private network is rejected unless the operator allows it', async () => {
      const closed = await cell.startGateway({ allowsPrivateModels: false });
      own.play(() => COUNT);
      for (const url of [
        own.url,
        own.url.replace('127.0.0.1', 'localhost'),
        own.url.replace('127.0.0.1', '2130706433'),
      ]) {
        await setUp(tenant, url);
        const response = await callUntil(
          () => sendRequest(tenant.key, undefined, closed),
          ({ json }) => json.code === 'llm.unavailable',
          2_000,
        );
        expect(response).toMatchObject({ status: 503, json: { code: 'llm.unavailable' } });
        expect(response.text).not.toContain(new URL(own.url).port);
      }
      expect(own.asked).toHaveLength(0);
      await forget(tenant);
    });
  },
);
