// @ts-check
/**
 * Measures the accuracy of a language model: `LLM_BASE_URL=… LLM_MODEL=… [LLM_API_KEY=…] node
 * bench/model/run.mjs [--step 1] [--report]`. It sends the gold questions to the model through a started
 * product. An answer is correct when its rows match those of the gold SQL.
 */
import { parseArgs } from 'node:util';
import {
  createGoldSchema,
  readGold,
  readGoldSchemas,
  writeRows,
} from '@rowhouse/e2e/support/schemas/gold-schema';
import { withProduct } from '@rowhouse/e2e/support/with-product';
import { writeReport } from '@rowhouse/e2e/support/write-report';

const { values } = parseArgs({
  options: { step: { type: 'string', default: '1' }, report: { type: 'boolean', default: false } },
});
const STEP = Number(values.step);
const { LLM_BASE_URL: baseUrl, LLM_MODEL: model } = process.env;

if (baseUrl === undefined || model === undefined) {
  console.log(
    'No model configured. Set LLM_BASE_URL and LLM_MODEL, and LLM_API_KEY if needed. Nothing was measured.',
  );
  process.exit(0);
}

/** @typedef {{ asked: number, right: number, wrong: number, refused: number, repairs: number, tokens: number }} Tally */

const outcome = await withProduct(
  { gateways: 1, extraEnv: { LLM_TOKENS_PER_DAY: '1000000000', LLM_TIMEOUT_SECONDS: '60' } },
  async (product) => {
    /** @type {Record<string, Tally>} */
    const tallies = {};
    for (const schema of readGoldSchemas()) {
      const { api, server } = await createGoldSchema(product, schema);
      const tally = { asked: 0, right: 0, wrong: 0, refused: 0, repairs: 0, tokens: 0 };
      for (const { question, sql } of schema.questions.filter((_, index) => index % STEP === 0)) {
        const response = await api.call('POST', '/query', {
          body: { query: question, mode: 'question', engine: 'llm', verbose: true },
          timeoutMs: 90_000,
        });
        tally.asked += 1;
        if (response.status !== 200) tally.refused += 1;
        else if (
          readCells(response.json.data) === readCells(JSON.parse((await readGold(server, sql)) ?? '[]'))
        )
          tally.right += 1;
        else tally.wrong += 1;
        tally.repairs += response.json?.llm?.repairs ?? 0;
        tally.tokens += response.json?.llm?.tokens ?? 0;
      }
      await server.end();
      console.log(
        `${schema.name}: ${tally.right} of ${tally.asked} correct, ${tally.wrong} wrong, ${tally.refused} refused`,
      );
      tallies[schema.name] = tally;
    }
    return { tallies, engines: { [product.mysql.engine]: product.mysql.version } };
  },
);

/**
 * Compares only values, since a model chooses its own column names.
 * @param {readonly object[]} rows
 */
function readCells(rows) {
  return JSON.stringify(
    JSON.parse(writeRows(rows) ?? '[]').map((/** @type {object} */ row) => Object.values(row)),
  );
}

const all = Object.values(outcome.tallies);
const [requested, right, wrong] = /** @type {const} */ (['asked', 'right', 'wrong']).map((name) =>
  all.reduce((sum, tally) => sum + tally[name], 0),
);
console.log(`${model}: ${right} of ${requested} correct, ${wrong} wrong`);
if (values.report) {
  writeReport({
    suite: 'bench-model',
    title: `Gold questions answered by ${model}`,
    command: `LLM_MODEL=${model} node bench/model/run.mjs --report${STEP === 1 ? '' : ` --step ${STEP}`}`,
    seed: null,
    engines: outcome.engines,
    skips: [],
    claims: [
      {
        claim: 'every question is sent to the model',
        holds: requested === all.reduce((sum, tally) => sum + tally.right + tally.wrong + tally.refused, 0),
        found: `${right} of ${requested} correct, ${wrong} wrong`,
      },
    ],
    figures: outcome.tallies,
  });
}
