// @ts-check
/**
 * Runs attacks between two tenants on every code path. Each attack runs twice: with its guards off, when it
 * must succeed, and with all guards on, when it must fail.
 *
 * Options: `--only query,MCP` (code paths by a part of their name), `--engine mariadb|mysql`.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ATTEMPTS, openAttacks, runAttempts } from '../../isolation/run-attempts.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readWords, runSuite } from '../lib/run-suite.mjs';

const ONLY = readWords('only');
const ENGINE = readWords('engine')?.[0] === 'mysql' ? 'mysql' : 'mariadb';
const SUCCESS_SHARE_MIN = 0.9;
const attempts = ATTEMPTS.filter(({ vector }) => ONLY?.some((part) => vector.includes(part)) ?? true);

/** @typedef {import('../../isolation/run-attempts.mjs').Tried} Tried */

await runSuite(async () => {
  const unguarded = await tryAll(true);
  const walled = await tryAll(false);
  const inside = unguarded.tried.filter(({ isIn }) => isIn);
  const through = walled.tried.filter(({ isIn }) => isIn);
  const describe = (/** @type {Tried} */ { attempt, fault }) =>
    `${attempt.vector}: ${attempt.name}${fault === null ? '' : ` (${fault})`}`;
  const broken = walled.tried.filter(({ fault }) => fault !== null);
  const vectors = [...new Set(attempts.map(({ vector }) => vector))];
  return {
    suite: 'isolation',
    title: 'Attacks between two tenants, with guards off and with all guards on',
    command: `pnpm test:long isolation${process.argv.length > 2 ? ` ${process.argv.slice(2).join(' ')}` : ''}`,
    seed: null,
    engines: walled.engines,
    skips: ONLY === undefined ? [] : ['the cases that the options omit'],
    claims: [
      {
        claim: 'with all guards on, no attempt succeeds',
        holds: through.length === 0,
        found:
          through.length === 0 ? `0 of ${walled.tried.length}` : through.slice(0, 5).map(describe).join('; '),
      },
      {
        claim: `with their own guards off, at least ${SUCCESS_SHARE_MIN * 100} % of the attempts succeed, so they are real`,
        holds: inside.length >= unguarded.tried.length * SUCCESS_SHARE_MIN,
        found: `${inside.length} of ${unguarded.tried.length}`,
      },
      {
        claim: 'every attempt runs',
        holds: broken.length === 0,
        found: broken.length === 0 ? `${walled.tried.length}` : broken.slice(0, 5).map(describe).join('; '),
      },
      ...(ONLY === undefined
        ? [
            {
              claim: 'there are at least 500 attempts',
              holds: attempts.length >= 500,
              found: `${attempts.length} over ${vectors.length} code paths`,
            },
          ]
        : []),
    ],
    notes: [
      'Guards are turned off in a separate product: its modules are changed while they are loaded (docs/adr/0019), and privileges on the database are granted. The run with all guards on uses an unchanged product.',
    ],
    figures: {
      vectors: Object.fromEntries(
        vectors.map((vector) => [
          vector,
          {
            attempts: attempts.filter((item) => item.vector === vector).length,
            with_guards_off: inside.filter(({ attempt }) => attempt.vector === vector).length,
            with_guards_on: through.filter(({ attempt }) => attempt.vector === vector).length,
          },
        ]),
      ),
      failed_with_guards_off: unguarded.tried.filter(({ isIn }) => !isIn).map(describe),
    },
  };
});

/** @param {boolean} areGuardsDown */
async function tryAll(areGuardsDown) {
  const mutationFile = join(tmpdir(), `rowhouse-guards-${process.pid}.json`);
  writeFileSync(mutationFile, '[]');
  const program = fileURLToPath(new URL('../../isolation/guard-mutation.mjs', import.meta.url));
  /** @type {Record<string, string>} */
  const mutationEnv = areGuardsDown
    ? {
        ROWHOUSE_UNBUNDLED: '1',
        GUARD_MUTATION_FILE: mutationFile,
        NODE_OPTIONS: `--import ${pathToFileURL(program).href}`,
      }
    : {};
  try {
    return await withProduct(
      { gateways: 1, engine: ENGINE, extraEnv: { ROWHOUSE_ENV: 'test', ...mutationEnv } },
      async (product) => {
        if (product.run.demo === null) throw new Error('the operator is needed');
        const s = await openAttacks(
          {
            control: product.control,
            gateways: product.gateways,
            admin: product.mysql.admin,
            platform: product.platform.admin,
            redisUrl: product.redisUrl,
            operator: product.run.demo,
          },
          areGuardsDown ? mutationFile : null,
        );
        const tried = await runOver(s, areGuardsDown);
        for (const { attempt, isIn, fault } of tried)
          if (isIn !== areGuardsDown || fault !== null)
            console.log(
              `${areGuardsDown ? 'guards off' : 'guards on'}: ${attempt.vector}: ${attempt.name}: ${fault ?? (isIn ? 'got in' : 'did not get in')}`,
            );
        return { tried, engines: { [product.mysql.engine]: product.mysql.version } };
      },
    );
  } finally {
    rmSync(mutationFile, { force: true });
  }
}

/** @param {import('../../isolation/run-attempts.mjs').Attacks} s @param {boolean} areGuardsDown */
async function runOver(s, areGuardsDown) {
  try {
    return await runAttempts(s, attempts, { areGuardsDown });
  } finally {
    await s.close();
  }
}
