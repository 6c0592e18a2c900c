// @ts-check
/**
 * Asks every gold question through a started product. A scripted model answers with the SQL, and then with
 * one of its names misspelled.
 */
import { breakSql, startModelServer } from '@rowhouse/testkit';
import {
  createGoldSchema,
  readGold,
  readGoldSchemas,
  writeRows,
} from '../../support/schemas/gold-schema.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readCount, runSuite } from '../lib/run-suite.mjs';

/** Only every n-th question is asked. */
const STEP = readCount('step', 1);

/** @typedef {import('@rowhouse/testkit').RecordedModelCall} ModelCallRecord */
/** @typedef {import('@rowhouse/testkit').GoldSchema} GoldSchema */
/** @typedef {{ asked: number, exact: number, repaired: number, refused: number, stored: number, counted: number, wrong: string[] }} Tally */

await runSuite(async () => {
  const model = await startModelServer();
  try {
    return await withProduct(
      {
        gateways: 1,
        extraEnv: {
          LLM_BASE_URL: model.url,
          LLM_API_KEY: 'model-secret',
          LLM_MODEL: 'scripted-1',
          LLM_TOKENS_PER_DAY: '1000000000',
        },
      },
      async (product) => {
        const schemas = readGoldSchemas();
        /** @type {Record<string, Tally>} */
        const tallies = {};
        for (const schema of schemas) tallies[schema.name] = await askAll(product, model, schema);
        const all = Object.values(tallies);
        const sum = (/** @type {'asked' | 'exact' | 'repaired' | 'refused' | 'stored' | 'counted'} */ name) =>
          all.reduce((total, tally) => total + tally[name], 0);
        const wrong = all.flatMap((tally) => tally.wrong);
        return {
          suite: 'gold-questions',
          title: 'Gold SQL from a language model runs unchanged, and SQL with a misspelled name never runs',
          command: `pnpm test:long gold-questions${STEP === 1 ? '' : ` --step ${STEP}`}`,
          seed: null,
          engines: { [product.mysql.engine]: product.mysql.version },
          skips: [],
          claims: [
            {
              claim: 'at least 200 questions about at least five schemas are asked',
              holds: sum('asked') >= 200 / STEP && schemas.length >= 5,
              found: `${sum('asked')} over ${schemas.length}`,
            },
            {
              claim: 'the rows are exactly those of the gold SQL on the server itself',
              holds: sum('exact') === sum('asked'),
              found: `${sum('exact')}`,
            },
            {
              claim: 'when a name is misspelled and then corrected, the rows are the same',
              holds: sum('repaired') === sum('asked'),
              found: `${sum('repaired')}`,
            },
            {
              claim: 'when a name stays misspelled, the question is rejected',
              holds: sum('refused') === sum('asked'),
              found: `${sum('refused')}`,
            },
            {
              claim: 'the history has every question, and the usage counts it',
              holds: sum('stored') === 3 * sum('asked') + schemas.length && sum('counted') === sum('stored'),
              found: `${sum('stored')} stored, ${sum('counted')} counted`,
            },
            {
              claim: 'no other response is returned',
              holds: wrong.length === 0,
              found: wrong.length === 0 ? '0' : `${wrong.length}: ${wrong.slice(0, 3).join('; ')}`,
            },
          ],
          figures: tallies,
        };
      },
    );
  } finally {
    await model.stop();
  }
});

/**
 * @param {import('../../support/with-product.mjs').RunningProduct} product
 * @param {import('@rowhouse/testkit').ModelServer} model
 * @param {GoldSchema} schema
 * @returns {Promise<Tally>}
 */
async function askAll(product, model, schema) {
  const { person: user, api, server } = await createGoldSchema(product, schema);
  const names = listNames((await api.get('/schema')).json);
  /** @type {Tally} */
  const tally = { asked: 0, exact: 0, repaired: 0, refused: 0, stored: 0, counted: 0, wrong: [] };
  const sendRequest = (/** @type {string} */ query) =>
    api.post('/query', { query, mode: 'question', engine: 'llm', verbose: true });
  const say = (/** @type {string} */ sql) => ({ content: { sql, reason: '' } });
  for (const [index, { question, sql }] of schema.questions.entries()) {
    if (index % STEP !== 0) continue;
    tally.asked += 1;
    const gold = await readGold(server, sql);
    const isGold = (/** @type {import('../../support/http.mjs').HttpResponse} */ response) =>
      writeRows(response.json?.data) === gold;
    const broken = breakSql(sql, names, index);
    if (broken === null) throw new Error(`no name to break in ${sql}`);
    const note = (
      /** @type {boolean} */ holds,
      /** @type {'exact' | 'repaired' | 'refused'} */ name,
      /** @type {string} */ text,
    ) =>
      holds ? (tally[name] += 1) : void tally.wrong.push(`${schema.name}: ${question} ${text.slice(0, 300)}`);
    model.play(() => say(sql));
    const exact = await sendRequest(question);
    note(isGold(exact), 'exact', exact.text);
    model.play((/** @type {ModelCallRecord} */ modelCall) =>
      say(modelCall.body.messages.length > 2 ? sql : broken),
    );
    const repaired = await sendRequest(`${question} (repaired)`);
    note(isGold(repaired) && repaired.json?.llm?.repairs === 1, 'repaired', `${broken} ${repaired.text}`);
    model.play(() => say(broken));
    const rejected = await sendRequest(`${question} (never repaired)`);
    note(
      rejected.status === 502 && rejected.json?.code === 'llm.bad_output',
      'refused',
      `${broken} ${rejected.text}`,
    );
  }
  await server.end();
  // A last question whose history entry is found by its id.
  model.play(() => say(schema.questions[0]?.sql ?? 'SELECT 1'));
  const lastId = String((await sendRequest('and that was all')).headers['x-question-id']);
  const path = `/api/databases/${user.development.id}`;
  await waitFor(
    'the last question is in the history',
    async () => (await user.control.call('GET', `${path}/questions?limit=1`)).json?.items?.[0]?.id === lastId,
  );
  tally.stored = await countRetained(user, path);
  await waitFor('what it cost is counted', async () => {
    tally.counted = (await user.control.call('GET', `${path}/model-usage`)).json.items.reduce(
      (/** @type {number} */ total, /** @type {{ questions: number }} */ day) => total + day.questions,
      0,
    );
    return tally.counted >= tally.stored;
  });
  return tally;
}

/** @param {import('../../support/control.mjs').TestUser} user @param {string} path */
async function countRetained(user, path) {
  let count = 0;
  for (let cursor = ''; ;) {
    const { items, next_cursor: next } = (
      await user.control.call('GET', `${path}/questions?limit=200${cursor}`)
    ).json;
    count += items.length;
    if (next === null) return count;
    cursor = `&cursor=${next}`;
  }
}

/** @param {{ tables: { name: string, columns: { name: string }[] }[] }} described */
function listNames({ tables }) {
  return [...new Set(tables.flatMap((table) => [table.name, ...table.columns.map((column) => column.name)]))];
}
