// @ts-check
/**
 * Exports random schemas with rows of every type, hostile names and legacy values. The stock client loads the
 * files into a plain server, and they are restored, shared and cloned. Each copy must have the same
 * definitions, AUTO_INCREMENT values and rows as its source.
 *
 * Options: `--count` (schemas, of both engines together), `--batch` (schemas in a database), `--seed`,
 * `--engine`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findClient } from '../../sql-files/load-file.mjs';
import { runBatch } from '../../roundtrip/run-batch.mjs';
import { signUp } from '../../support/control.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readCount, readWords, runSuite } from '../lib/run-suite.mjs';
import { startEngine } from '../lib/start-engine.mjs';

const COUNT = readCount('count', 500);
const BATCH = readCount('batch', 10);
const SEED = readCount('seed', 20_261_128);
const ENGINES = /** @type {('mariadb' | 'mysql')[]} */ (readWords('engine') ?? ['mariadb', 'mysql']);
const CODE_PATHS = {
  export: 'a database is exported',
  client: 'the stock client loads an export into a plain server without a difference',
  restore: 'a restore has no difference',
  clone: 'a clone of a share has no difference',
};

/** @param {'mariadb' | 'mysql'} engine @param {string} folder */
async function runEngine(engine, folder) {
  const { servers, stop } = await startEngine(engine);
  try {
    return await withProduct({ gateways: 1, engine }, async (product) => {
      const stage = {
        engine,
        control: product.control,
        admin: product.mysql.admin,
        platform: product.platform.admin,
        plain: servers.mysql,
        client: await findClient(engine),
        folder: join(folder, engine),
      };
      const user = await signUp(product.control, { name: 'round', starter: 'empty' });
      const outcomes = [];
      for (let index = 0; index < COUNT / ENGINES.length; index += BATCH) {
        const outcome = await runBatch(stage, user, SEED + index, BATCH);
        outcomes.push(outcome);
        console.log(
          `${engine}: ${index + BATCH} schemas, ${outcome.tables} tables, ${outcome.faults.length} faulty copies`,
        );
        for (const item of outcome.faults)
          for (const fault of item.faults.slice(0, 2))
            console.log(`  ${outcome.seed} ${item.codePath}: ${fault.slice(0, 1_500)}`);
      }
      return { version: product.mysql.version, outcomes };
    });
  } finally {
    await stop();
  }
}

await runSuite(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowhouse-roundtrip-'));
  try {
    /** @type {Record<string, string>} */
    const engines = {};
    /** @type {Record<string, unknown>} */
    const figures = {};
    const claims = [];
    let schemas = 0;
    for (const engine of ENGINES) {
      const { version, outcomes } = await runEngine(engine, folder);
      engines[engine] = version;
      const sum = (/** @type {'schemas' | 'tables' | 'values' | 'refused'} */ member) =>
        outcomes.reduce((total, outcome) => total + outcome[member], 0);
      schemas += sum('schemas');
      figures[engine] = {
        schemas: sum('schemas'),
        tables: sum('tables'),
        values: sum('values'),
        refused_by_server: sum('refused'),
      };
      for (const [codePath, claim] of Object.entries(CODE_PATHS)) {
        const found = outcomes.flatMap((outcome) =>
          outcome.faults
            .filter((item) => item.codePath === codePath)
            .map((item) => `seed ${outcome.seed}: ${item.faults[0]?.slice(0, 300)}`),
        );
        claims.push({
          claim: `${engine}: ${claim}`,
          holds: found.length === 0,
          found:
            found.length === 0
              ? `${sum('tables')} tables, ${sum('values')} values`
              : found.slice(0, 5).join(' | '),
        });
      }
    }
    claims.push({
      claim: `each code path is tested with at least ${COUNT} schemas`,
      holds: schemas >= COUNT,
      found: String(schemas),
    });
    return {
      suite: 'roundtrip',
      title: 'Lossless exports, restores and clones',
      command: `pnpm test:long roundtrip${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
      seed: SEED,
      engines,
      skips: ENGINES.length === 2 ? [] : ['the other engine'],
      figures,
      claims,
      notes: [
        `${BATCH} schemas share a database. Statements that the server itself rejects are left out and counted. Each engine's own client loads the files with only the options for the connection.`,
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
