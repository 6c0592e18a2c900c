import { Secret } from '@rowhouse/runtime';
import { getTestServers, listEnginesOnce, startModelServer, type ModelServer } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, callUntil, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();
const ROWS = [
  "INSERT INTO users (id, username, email) VALUES (1, 'ann', 'ann@example.org'), (2, 'bob', 'bob@example.org')",
  "INSERT INTO posts (id, title, content, user_id, published) VALUES (1, 'First', 'x', 1, true), (2, 'Second', 'y', 2, false)",
];
const COUNT = { content: { sql: 'SELECT COUNT(*) AS n FROM posts', reason: '' } };
/** The tokens of each scripted response. */
const TOKENS = 120;

describe.each(listEnginesOnce().map((engine) => [engine.engine, engine] as const))(
  'questions with a language model on %s',
  (_name, engine) => {
    let cell: TestCell;
    let gateway: TestGateway;
    let model: ModelServer;
    let tenant: TestTenant;
    let other: TestTenant;
    let iteration = 0;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      model = await startModelServer();
      tenant = await cell.addTenant({ rows: ROWS });
      other = await cell.addTenant({ rows: ROWS });
      gateway = await cell.startGateway({
        languageModel: { baseUrl: model.url, apiKey: new Secret('k'), model: 'scripted-1' },
      });
    });

    afterAll(async () => {
      await cell.stop();
      await model.stop();
    });

    const sendRequest = (
      question: string,
      extra: Record<string, unknown> = {},
      key = tenant.key,
    ): Promise<TestResponse> =>
      callGateway(gateway.url, 'POST', '/v1/-/query', {
        key,
        body: { query: question, mode: 'question', engine: 'llm', verbose: true, ...extra },
      });
    /** Returns a question that was not asked before. */
    const fresh = (): string => `how many rows, for the ${(iteration += 1)}th time?`;
    const accept = (to: TestTenant, question: string, sql: string): Promise<unknown> =>
      cell.pool.run(
        `INSERT INTO accepted_question (id, cell_id, database_id, question_hash, question, sql_text, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, 'acc_test', NOW(3))`,
        [
          `acq_${(iteration += 1)}`,
          cell.cellId,
          to.databaseId,
          String(iteration).padStart(64, '0'),
          question,
          sql,
        ],
      );

    it('a verbose response describes the translation of a question by a model', async () => {
      model.play([COUNT]);
      const question = fresh();
      const response = await sendRequest(question);
      expect(response.json).toMatchObject({
        data: [{ n: 2 }],
        source: 'llm',
        confidence: null,
        explanation: 'Reads posts; computes over them.',
        llm: { model: 'scripted-1', tokens: TOKENS, attempts: 1, repairs: 0 },
      });
      expect(response.headers.get('x-query-source')).toBe('llm');
      expect(response.headers.get('x-question-id')).toBe(response.json.question_id);
      await expect
        .poll(() =>
          cell.pool.rows(
            'SELECT question, sql_text, source, code, tokens, database_id FROM question_log WHERE id = ?',
            [response.json.question_id],
          ),
        )
        .toEqual([
          {
            question,
            sql_text: 'SELECT COUNT(*) AS n FROM posts',
            source: 'llm',
            code: '',
            tokens: TOKENS,
            database_id: tenant.databaseId,
          },
        ]);
    });

    it('a repeated question uses the cached translation', async () => {
      model.play([COUNT]);
      const question = fresh();
      const narrowed = (await cell.addKey(tenant, { tables: { posts: ['read'] } })).secret;
      await sendRequest(question);
      await cell.root.run(
        `INSERT INTO ${tenant.schemaName}.posts (id, title, content, user_id) VALUES (3, 'Third', 'z', 1)`,
      );
      expect((await sendRequest(`  ${question.replace(' ', '  ')} `)).json).toMatchObject({
        data: [{ n: 3 }],
        source: 'cache',
        llm: { tokens: 0, attempts: 0 },
      });
      await cell.root.run(`DELETE FROM ${tenant.schemaName}.posts WHERE id = 3`);
      expect(model.asked).toHaveLength(1);
      expect((await sendRequest(question, {}, other.key)).json).toMatchObject({ source: 'llm' });
      expect((await sendRequest(question, {}, narrowed)).json).toMatchObject({ source: 'llm' });
      expect((await sendRequest(question, { timezone: 'Pacific/Auckland' })).json).toMatchObject({
        source: 'llm',
      });
      expect(model.asked).toHaveLength(4);
      const number = await cell.deploy(tenant, ['CREATE TABLE extra (id INT PRIMARY KEY)']);
      await expect
        .poll(async () => (await sendRequest(question)).json)
        .toMatchObject({ schema_version: number, data: [{ n: 2 }] });
      expect(model.asked).toHaveLength(5);
      expect(model.asked.at(-1)?.text).toContain('table extra');
    });

    it('a cached translation serves all gateways', async () => {
      model.play([COUNT]);
      const question = fresh();
      expect((await sendRequest(question)).json).toMatchObject({ source: 'llm' });
      const second = await cell.startGateway({
        languageModel: { baseUrl: model.url, apiKey: null, model: 'scripted-1' },
      });
      const there = await callUntil(
        () =>
          callGateway(second.url, 'POST', '/v1/-/query', {
            key: tenant.key,
            body: { query: question, mode: 'question', engine: 'llm', verbose: true },
          }),
        (response) => response.json.source === 'cache',
        2_000,
      );
      expect(there.json).toMatchObject({
        data: [{ n: 2 }],
        source: 'cache',
        llm: { tokens: 0, attempts: 0 },
      });
      const requestCount = model.asked.length;
      expect(
        (
          await callGateway(second.url, 'POST', '/v1/-/query', {
            key: other.key,
            body: { query: question, mode: 'question', engine: 'llm', verbose: true },
          })
        ).json,
      ).toMatchObject({ source: 'llm' });
      expect(model.asked).toHaveLength(requestCount + 1);
    });

    it('a model prompt contains the values that the question mentions', async () => {
      const values = {
        users: { username: ['Annabel', 'Boris'], email: ['Annabel'] },
        posts: { title: ['Annabel'], content: ['Annabel'] },
      };
      const wordy = await cell.addTenant({
        rows: ROWS,
        settings: { hidden_columns: { users: ['email'] }, unindexed_columns: { posts: ['content'] } },
      });
      for (const [table, columns] of Object.entries(values)) {
        for (const [column, items] of Object.entries(columns))
          await cell.root.run(`INSERT INTO ${wordy.schemaName}s.value_index VALUES (?, ?, 'indexed', ?)`, [
            table,
            column,
            JSON.stringify(items),
          ]);
      }
      await cell.pool.run(
        'INSERT INTO value_index (database_id, cell_id, version, checked_at) VALUES (?, ?, 1, UTC_TIMESTAMP(3))',
        [wordy.databaseId, cell.cellId],
      );
      const narrowed = (await cell.addKey(wordy, { tables: { posts: ['read'] } })).secret;
      model.play([COUNT]);
      await sendRequest('what did annabel write?', {}, wordy.key);
      expect(model.asked[0]?.text).toContain(
        "<values>\nposts.title has 'Annabel'\nusers.username has 'Annabel'\n</values>",
      );
      expect(model.asked[0]?.text).not.toMatch(/Boris|email has|content has/);
      model.play([COUNT]);
      await sendRequest('what did annabel write?', {}, narrowed);
      expect(model.asked[0]?.text).toContain("<values>\nposts.title has 'Annabel'\n</values>");
      model.play([COUNT]);
      await sendRequest('what did annabel write?');
      expect(model.asked[0]?.text).not.toContain('<values>');
    });

    it('a model prompt contains no name that the key may not read', async () => {
      const { secret } = await cell.addKey(tenant, { tables: { posts: ['read'], comments: ['write'] } });
      model.play([{ content: { sql: 'SELECT COUNT(*) AS n FROM users', reason: '' } }]);
      expect((await sendRequest(fresh(), {}, secret)).json).toMatchObject({ code: 'llm.bad_output' });
      expect(model.asked).toHaveLength(3);
      // In the second request, which asks for a correction, the model's own SQL is quoted. Only the first
      // request is therefore checked for hidden names.
      expect(model.asked[0]?.text).not.toMatch(/users|table comments|post_tags|references/);
      expect(model.asked[0]?.text).toContain('table posts');
    });

    it('a model prompt contains similar accepted questions of the same tenant', async () => {
      await accept(
        tenant,
        'how many blue giraffes are in the zoo?',
        'SELECT COUNT(*) AS giraffes FROM users',
      );
      const freshGateway = await cell.startGateway({
        languageModel: { baseUrl: model.url, apiKey: null, model: 'scripted-1' },
      });
      const askThere = (key: string): Promise<TestResponse> =>
        callGateway(freshGateway.url, 'POST', '/v1/-/query', {
          key,
          body: { query: 'how many green giraffes are in the zoo?', mode: 'question', engine: 'llm' },
        });
      const narrowed = (await cell.addKey(tenant, { tables: { posts: ['read'] } })).secret;
      model.play([COUNT]);
      expect((await askThere(tenant.key)).json).toEqual([{ n: 2 }]);
      expect(model.asked[0]?.text).toContain('SELECT COUNT(*) AS giraffes FROM users');
      expect(model.asked[0]?.authorization).toBeUndefined();
      for (const key of [other.key, narrowed]) {
        model.play([COUNT]);
        expect((await askThere(key)).json).toEqual([{ n: 2 }]);
        expect(model.asked[0]?.text).not.toContain('giraffes FROM');
      }
    });

    it('a failed model call returns the error of the translation rules', async () => {
      model.play([COUNT]);
      expect((await sendRequest('how many posts are there?', { engine: 'auto' })).json).toMatchObject({
        source: 'rules',
        llm: null,
      });
      expect(model.asked).toHaveLength(0);
      expect((await sendRequest(`zebras per ${fresh()}`, { engine: 'auto' })).json).toMatchObject({
        source: 'llm',
      });
      expect((await sendRequest(`zebras per ${fresh()}`, { engine: 'rules' })).json).toMatchObject({
        code: 'query.not_understood',
      });
      expect(model.asked).toHaveLength(1);
      model.play([{ status: 401 }]);
      expect(await sendRequest(`zebras per ${fresh()}`, { engine: 'auto' })).toMatchObject({
        status: 422,
        json: {
          code: 'query.not_understood',
          unknown: expect.arrayContaining(['zebras']),
          language_model: 'llm.unavailable',
        },
      });
      model.play([COUNT]);
      expect((await sendRequest('delete the posts of zebras', { engine: 'auto' })).json).toMatchObject({
        code: 'query.not_understood',
      });
      expect(model.asked).toHaveLength(0);
    });

    it('the translation of a question starts over when the schema changes', async () => {
      const changing = await cell.addTenant({ rows: ROWS });
      model.play((modelCall) => (modelCall.text.includes('table late') ? COUNT : { hang: true }));
      const pending = sendRequest(fresh(), {}, changing.key);
      await expect.poll(() => model.asked.length).toBe(1);
      const number = await cell.deploy(changing, ['CREATE TABLE late (id INT PRIMARY KEY)']);
      expect((await pending).json).toMatchObject({ source: 'llm', schema_version: number, data: [{ n: 2 }] });
      expect(model.asked).toHaveLength(2);
      expect(gateway.running.services.schemas.exceptions()).not.toContain(changing.databaseId);
    });

    it('the rows of a question can be streamed', async () => {
      model.play([{ content: { sql: 'SELECT id FROM posts ORDER BY id', reason: '' } }]);
      const response = await callGateway(gateway.url, 'POST', '/v1/-/query', {
        key: tenant.key,
        body: { query: fresh(), mode: 'question', engine: 'llm' },
        headers: { accept: 'application/x-ndjson' },
      });
      expect(
        response.text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual([{ id: 1 }, { id: 2 }]);
      expect(response.headers.get('x-query-source')).toBe('llm');
    });

    it('a database without the setting language_model sends no question to a model', async () => {
      const quiet = await cell.addTenant({
        rows: ROWS,
        settings: { language_model: false, question_history: false },
      });
      model.play([COUNT]);
      expect((await sendRequest(fresh(), {}, quiet.key)).json).toMatchObject({
        code: 'query.not_understood',
        detail: [{ msg: 'The language model is turned off for this database.' }],
      });
      expect(
        (await sendRequest('how many posts are there?', { engine: 'auto' }, quiet.key)).json,
      ).toMatchObject({ source: 'rules' });
      expect(model.asked).toHaveLength(0);
      const marker = await sendRequest(fresh());
      await expect
        .poll(() => cell.pool.rows('SELECT id FROM question_log WHERE id = ?', [marker.json.question_id]))
        .toHaveLength(1);
      expect(
        await cell.pool.rows('SELECT id FROM question_log WHERE database_id = ?', [quiet.databaseId]),
      ).toEqual([]);
    });

    it('the token budget of a project is shared by all gateways', async () => {
      const poor = await cell.addTenant({
        rows: ROWS,
        settings: { language_model_tokens_per_day: 2 * TOKENS - 1 },
      });
      model.play([COUNT]);
      expect((await sendRequest(fresh(), {}, poor.key)).status).toBe(200);
      expect((await sendRequest(fresh(), {}, poor.key)).status).toBe(200);
      const rejected = await sendRequest(fresh(), {}, poor.key);
      expect(rejected).toMatchObject({ status: 429, json: { code: 'llm.budget' } });
      expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await sendRequest(fresh())).status).toBe(200);
      expect(model.asked).toHaveLength(3);
      await expect
        .poll(() =>
          cell.pool.rows(
            'SELECT questions, requests, tokens_in, tokens_out, failures FROM model_use_day WHERE database_id = ?',
            [poor.databaseId],
          ),
        )
        .toEqual([{ questions: 2, requests: 2, tokens_in: 200, tokens_out: 40, failures: 0 }]);
      const second = await cell.startGateway({
        languageModel: { baseUrl: model.url, apiKey: null, model: 'scripted-1' },
      });
      expect(
        (
          await callGateway(second.url, 'POST', '/v1/-/query', {
            key: poor.key,
            body: { query: fresh(), mode: 'question', engine: 'llm' },
          })
        ).json,
      ).toMatchObject({ code: 'llm.budget' });
    });

    it('a failed question counts against the token budget', async () => {
      const lost = await cell.addTenant({ rows: ROWS });
      model.play([{ content: { sql: 'SELECT nothing FROM nowhere', reason: '' } }]);
      expect((await sendRequest(fresh(), {}, lost.key)).json).toMatchObject({ code: 'llm.bad_output' });
      await expect
        .poll(() =>
          cell.pool.rows(
            'SELECT questions, requests, repairs, failures FROM model_use_day WHERE database_id = ?',
            [lost.databaseId],
          ),
        )
        .toEqual([{ questions: 1, requests: 3, repairs: 2, failures: 1 }]);
    });

    it('the questions of one project do not delay those of another', async () => {
      const busy = await cell.addTenant({ rows: ROWS });
      model.play((modelCall) => (modelCall.text.includes('slowly') ? { hang: true } : COUNT));
      const stop = new AbortController();
      const slow = Array.from({ length: 30 }, (_, index) =>
        fetch(`${gateway.url}/v1/-/query`, {
          method: 'POST',
          signal: stop.signal,
          headers: { authorization: `Bearer ${busy.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ query: `slowly ${index}`, mode: 'question', engine: 'llm' }),
        }).then(
          (res) => res.status,
          () => 0,
        ),
      );
      await expect
        .poll(() => model.asked.filter((modelCall) => modelCall.text.includes('slowly')).length)
        .toBe(4);
      expect((await sendRequest(fresh(), {}, other.key)).json).toMatchObject({ data: [{ n: 2 }] });
      expect(await Promise.race(slow)).toBe(429);
      expect(model.asked.filter((modelCall) => modelCall.text.includes('slowly'))).toHaveLength(4);
      // When a client disconnects, its slot becomes free and its question to the model is aborted.
      stop.abort();
      await Promise.all(slow);
      await expect.poll(async () => (await sendRequest('quickly now', {}, busy.key)).status).toBe(200);
    });
  },
);
