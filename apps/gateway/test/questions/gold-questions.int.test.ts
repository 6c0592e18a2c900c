import { Secret } from '@rowhouse/runtime';
import {
  breakSql,
  getTestServers,
  listEnginesOnce,
  readGoldSchemas,
  startModelServer,
  type RecordedModelCall,
  type GoldQuestion,
  type ModelServer,
  type ModelStep,
} from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();
const SCHEMAS = readGoldSchemas();
/** The test asks one in this number of questions. `pnpm test:long gold-questions` asks all of them. */
const STEP = 7;

it('the test questions with known SQL cover five schemas and at least 200 questions', () => {
  expect(SCHEMAS.length).toBeGreaterThanOrEqual(5);
  expect(SCHEMAS.flatMap((schema) => schema.questions).length).toBeGreaterThanOrEqual(200);
});

describe.each(listEnginesOnce().map((engine) => [engine.engine, engine] as const))(
  'gold SQL from a model on %s',
  (_name, engine) => {
    let cell: TestCell;
    let gateway: TestGateway;
    let model: ModelServer;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      model = await startModelServer();
      gateway = await cell.startGateway({
        languageModel: { baseUrl: model.url, apiKey: new Secret('k'), model: 'scripted-1' },
      });
    });

    afterAll(async () => {
      await cell.stop();
      await model.stop();
    });

    const isRepair = (modelCall: RecordedModelCall): boolean => modelCall.body.messages.length > 2;
    const say = (sql: string): ModelStep => ({ content: { sql, reason: '' } });

    describe.each(SCHEMAS.map((schema) => [schema.name, schema] as const))('%s', (_schemaName, schema) => {
      let tenant: TestTenant;
      const names = [
        ...new Set(
          schema.ddl.flatMap((sql) =>
            [
              ...sql.matchAll(
                /TABLE (\w+)|[(,]\s*(\w+) (?:INT|BIGINT|TINYINT|VARCHAR|CHAR|ENUM|DATE|DATETIME|TIME|DECIMAL|DOUBLE|TEXT)\b/g,
              ),
            ].map((match) => match[1] ?? match[2] ?? ''),
          ),
        ),
      ];
      const sample = schema.questions
        .map((gold, index) => ({ gold, index }))
        .filter(({ index }) => index % STEP === 0);

      beforeAll(async () => {
        tenant = await cell.addTenant({ ddl: schema.ddl, rows: schema.inserts });
      });

      const sendRequest = (question: string): Promise<TestResponse> =>
        callGateway(gateway.url, 'POST', '/v1/-/query', {
          key: tenant.key,
          body: { query: question, mode: 'question', engine: 'llm', verbose: true },
        });
      const readGold = (gold: GoldQuestion): Promise<Record<string, unknown>[]> =>
        readRows(cell, tenant, gold.sql);

      it.each(sample.map(({ gold, index }) => [gold.question, gold, index] as const))(
        'the model\'s SQL for the question "%s" returns the expected rows',
        async (question, gold, index) => {
          const rows = await readGold(gold);
          expect(rows.length, 'the question has an answer').toBeGreaterThan(0);
          model.play(() => say(gold.sql));
          expectRows(await sendRequest(question), rows);

          const broken = breakSql(gold.sql, names, index);
          expect(broken, 'a name to break').not.toBeNull();
          model.play((modelCall) => say(isRepair(modelCall) ? gold.sql : (broken ?? '')));
          const repaired = await sendRequest(`${question} (mended)`);
          expectRows(repaired, rows);
          expect(repaired.json.llm.repairs, broken ?? '').toBe(1);

          model.play(() => say(broken ?? ''));
          const rejected = await sendRequest(`${question} (never mended)`);
          expect(rejected.json, broken ?? '').toMatchObject({ code: 'llm.bad_output' });
          expect(rejected.json).not.toHaveProperty('data');
        },
      );
    });
  },
);

function expectRows(response: TestResponse, gold: readonly Record<string, unknown>[]): void {
  expect(response.json.data, response.text).toBeDefined();
  expect((response.json.data as Record<string, unknown>[]).map(normaliseRow)).toEqual(gold.map(normaliseRow));
}

/** Reads rows with the server's root account and the driver's own values. */
async function readRows(cell: TestCell, tenant: TestTenant, sql: string): Promise<Record<string, unknown>[]> {
  await cell.root.run(`USE ${tenant.schemaName}`);
  return cell.root.rows<Record<string, unknown>>(sql);
}

function normaliseRow(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, normalise(value)]));
}

/**
 * Converts numbers that a driver may return as text to numbers, and removes the letter between date and time.
 */
function normalise(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().slice(0, 19).replace('T', ' ');
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value))
    return Number(Number(value).toPrecision(9));
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value))
    return value.slice(0, 19).replace('T', ' ');
  if (typeof value === 'number') return Number(value.toPrecision(9));
  return value;
}
