import { Secret } from '@rowhouse/runtime';
import {
  getTestServers,
  readModelCases,
  startModelServer,
  type ModelCase,
  type ModelServer,
} from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { replaceModels } from '../support/replace-models.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();
const ROWS = [
  "INSERT INTO users (id, username, email) VALUES (1, 'ann', 'ann@example.org'), (2, 'bob', 'bob@example.org'), (3, 'cid', 'cid@example.org')",
  "INSERT INTO posts (id, title, content, user_id, published) VALUES (1, 'First', 'alpha', 1, true), (2, 'Second', 'beta', 2, false), (3, 'Third', 'gamma', 1, true)",
  "INSERT INTO comments (id, content, user_id, post_id) VALUES (1, 'good', 2, 1), (2, 'bad', 3, 1), (3, 'fine', 1, 2)",
  "INSERT INTO tags (id, name) VALUES (1, 'red'), (2, 'blue')",
  'INSERT INTO post_tags (post_id, tag_id) VALUES (1, 1), (1, 2), (3, 1)',
];
const KEY = 'model-secret-4e1f';
const FILES = readModelCases();
/** The tables of the narrowed key for the hostile cases. */
const NARROWED = { posts: ['read'], users: ['read'], notes: ['read'] } as const;

it('the scripted model has more than sixty test cases', () => {
  expect(FILES.flatMap((file) => file.cases).length).toBeGreaterThan(60);
});

// The model's output does not depend on the engine, so one is enough.
describe.each(servers.engines.slice(0, 1).map((engine) => [engine.engine, engine] as const))(
  'a scripted model on %s',
  (_name, engine) => {
    let cell: TestCell;
    let gateway: TestGateway;
    let other: TestTenant;
    let model: ModelServer;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      model = await startModelServer();
      other = await cell.addTenant({ rows: ROWS });
      gateway = await cell.startGateway({ logLevel: 'info', languageModel: settings() });
    });

    afterAll(async () => {
      await cell.stop();
      await model.stop();
    });

    const settings = () => ({
      baseUrl: model.url,
      apiKey: new Secret(KEY),
      model: 'scripted-1',
      backoffMs: 5,
    });

    /** Runs a case with a new client and an empty cache. */
    async function play(modelCase: ModelCase, key: string): Promise<TestResponse> {
      await replaceModels(gateway, settings(), modelCase.timeoutMs ?? 5_000);
      const fill = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(value).replaceAll('{other}', other.schemaName)) as unknown;
      model.play(fill(modelCase.steps) as ModelCase['steps'], modelCase.behavior ?? {});
      return callGateway(gateway.url, 'POST', '/v1/-/query', {
        key,
        body: { query: modelCase.question, mode: 'question', engine: 'llm', verbose: true },
      });
    }

    describe.each(FILES.map((file) => [file.about, file] as const))('%s', (_about, file) => {
      let tenant: TestTenant;
      let key: string;

      beforeAll(async () => {
        tenant = await cell.addTenant({
          rows: [...ROWS, ...file.ddl],
          settings: file.file === 'hostile' ? { hidden_columns: { notes: ['pin'] } } : {},
        });
        key = file.file === 'hostile' ? await narrow(tenant) : tenant.key;
      });

      it.each(file.cases.map((modelCase) => [modelCase.name, modelCase] as const))(
        'the gateway handles the response of the scripted model: %s',
        async (_caseName, modelCase) => {
          const { expect: expected } = modelCase;
          const response = await play(modelCase, key);
          const seen = JSON.stringify(response.json);
          if (expected.rows !== undefined)
            expect(response.json, seen).toMatchObject({ data: expected.rows, source: 'llm' });
          if (expected.code !== undefined) expect(response.json, seen).toMatchObject({ code: expected.code });
          if (expected.codes !== undefined) expect(expected.codes, seen).toContain(response.json.code);
          if (expected.repairs !== undefined) expect(response.json.llm.repairs).toBe(expected.repairs);
          if (expected.requests !== undefined) expect(model.asked).toHaveLength(expected.requests);
          if (expected.retryAfter === true)
            expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
          for (const text of expected.hides ?? []) expect(response.text).not.toContain(text);
          for (const text of expected.asks ?? []) expect(model.asked.at(-1)?.text).toContain(text);
          // No case may reveal secrets of the installation.
          expect(response.text).not.toContain(KEY);
          expect(response.text).not.toContain(tenant.schemaName);
          for (const modelCall of model.asked) {
            expect(modelCall.authorization).toBe(`Bearer ${KEY}`);
            expect(modelCall.text).not.toMatch(
              new RegExp(`${tenant.schemaName}|alpha|beta|gamma|ann@example|top secret|4711|${KEY}`),
            );
          }
        },
      );

      it('no model response changes a row', async () => {
        const counts = await cell.root.rows<{ n: number }>(
          `SELECT (SELECT COUNT(*) FROM ${tenant.schemaName}.posts) + 10 * (SELECT COUNT(*) FROM ${tenant.schemaName}.tags) + 100 * (SELECT COUNT(*) FROM ${tenant.schemaName}.users) AS n`,
        );
        expect(Number(counts[0]?.n)).toBe(323);
      });
    });

    /**
     * Creates a key with rights on some tables. Its account cannot read hidden columns, as if the worker had
     * created it.
     */
    async function narrow(tenant: TestTenant): Promise<string> {
      const { secret } = await cell.addKey(tenant, { tables: NARROWED });
      const [account] = await cell.pool.rows<{ user_name: string }>(
        "SELECT user_name FROM database_account WHERE database_id = ? AND kind = 'query' AND rights_hash <> ''",
        [tenant.databaseId],
      );
      await cell.root.run(`REVOKE SELECT ON ${tenant.schemaName}.notes FROM ${account?.user_name}@'%'`);
      await cell.root.run(
        `GRANT SELECT (id, body) ON ${tenant.schemaName}.notes TO ${account?.user_name}@'%'`,
      );
      return secret;
    }

    it('the gateway log contains no question, SQL or key of a model call', () => {
      const lines = gateway.events().join('\n');
      expect(lines).toContain('"route":"POST /query"');
      expect(lines).not.toMatch(new RegExp(`How many posts|${KEY}|FROM posts`));
    });
  },
);
