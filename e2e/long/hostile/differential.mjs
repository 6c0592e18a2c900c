// @ts-check
/**
 * Sends random requests to random tables of every common type, and compares the responses with a naive
 * evaluation of the same rows in memory. It covers filters, trees, sorts, pages and cursors to their end,
 * groups, distinct rows, JSON paths, streams and rolled-back writes.
 *
 * - `--count 20000`: requests, of all engines together
 * - `--rounds 8`: databases for each engine
 * - `--first 0`: the first request of each database
 * - `--seed 1`, `--engine mariadb|mysql`
 */
import { openRandom } from '@rowhouse/schema-model/testing';
import { makeTables } from '../../differential/make-tables.mjs';
import { prepareDatabase } from '../../differential/prepare-database.mjs';
import { runDifferential } from '../../differential/run-differential.mjs';
import { openProject, signUp } from '../../support/control.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';

const COUNT = readCount('count', 20_000);
const ROUNDS = readCount('rounds', 8);
const SEED = readCount('seed', 20_261_128);
const FIRST = readCount('first', 0);
const ENGINES = /** @type {('mariadb' | 'mysql')[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);
const ROWS = 60;

/** @param {'mariadb' | 'mysql'} engine */
function runEngine(engine) {
  return withProduct({ gateways: 1, engine }, async (product) => {
    const gateway = product.gateways[0] ?? '';
    const user = await signUp(product.control, { name: 'differ', starter: 'empty' });
    const results = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const seed = SEED + round;
      const tables = makeTables(openRandom(seed), ROWS);
      const project = await openProject(user, { name: `differ ${seed}` });
      await prepareDatabase(
        { gateway, tenants: product.mysql.admin, platform: product.platform.admin },
        project,
        tables,
      );
      const result = await runDifferential({
        base: gateway,
        key: project.key,
        tables,
        seed,
        first: FIRST,
        count: Math.ceil(COUNT / ENGINES.length / ROUNDS),
      });
      console.log(
        `${engine}, seed ${seed}: ${result.requests} requests, ${result.calls} calls, ${result.findings.length} differ`,
      );
      for (const { index, fault, calls } of result.findings.slice(0, 20))
        console.log(`  ${index}: ${decodeURIComponent(calls[0] ?? '')}\n     ${fault.slice(0, 500)}`);
      results.push({ seed, ...result });
    }
    return { version: product.mysql.version, results };
  });
}

await runSuite(async () => {
  /** @type {Record<string, string>} */
  const engines = {};
  /** @type {Record<string, unknown>} */
  const figures = {};
  const claims = [];
  let requests = 0;
  for (const engine of ENGINES) {
    const { version, results } = await runEngine(engine);
    engines[engine] = version;
    const sum = (/** @type {'requests' | 'calls' | 'rows' | 'retries'} */ member) =>
      results.reduce((total, result) => total + result[member], 0);
    requests += sum('requests');
    /** @type {Record<string, number>} */
    const forms = {};
    for (const { byForm } of results)
      for (const [form, count] of Object.entries(byForm)) forms[form] = (forms[form] ?? 0) + count;
    const findings = results.flatMap(({ seed, findings: found }) =>
      found.map(({ index, fault, calls }) => ({
        seed,
        index,
        call: calls[0] ?? '',
        fault: fault.slice(0, 300),
      })),
    );
    figures[engine] = {
      requests: sum('requests'),
      calls: sum('calls'),
      rows_compared: sum('rows'),
      sent_again: sum('retries'),
      by_form: forms,
      findings: findings.slice(0, 50),
    };
    claims.push({
      claim: `${engine}: every response equals the in-memory evaluation`,
      holds: findings.length === 0,
      found:
        findings.length === 0
          ? `${sum('requests')} requests, ${sum('calls')} calls, ${sum('rows')} rows`
          : `${findings.length} differ, the first: seed ${findings[0]?.seed}, request ${findings[0]?.index}`,
    });
  }
  claims.push({
    claim: `at least ${COUNT} requests are sent`,
    holds: requests >= COUNT,
    found: String(requests),
  });
  return {
    suite: 'differential',
    title: 'Random requests compared with an in-memory evaluation',
    notes: [
      `The evaluator follows docs/api. Each round has its own database with seven tables and views of ${ROWS} rows or more. A failing request is reduced part by part as long as it fails.`,
    ],
    command: `pnpm test:long differential${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: SEED,
    engines,
    skips: ENGINES.length === 2 ? [] : ['the other engine'],
    figures,
    claims,
  };
});
