// @ts-check
/**
 * Shows that no request of any kind holds an event loop of the product for more than 50 ms of CPU time. Every
 * endpoint returns and accepts its largest legal values, while each process measures its own longest slice.
 *
 * Options: `--only gateway,control`, `--cases query,list`, `--engine mysql`, `--profile x` (lists the
 * functions of slow cases).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import mysql from 'mysql2/promise';
import { rootDir } from '@rowhouse/local/paths';
import { deploy, signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { waitFor } from '../../support/wait.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readWords, runSuite } from '../lib/run-suite.mjs';
import { listControlCases, listSchemaCases } from './slices/control-cases.mjs';
import { fillLargeTables, largeSchemaSql, listGatewayCases } from './slices/gateway-cases.mjs';
import { openLoopMeter } from './slices/loop-meter.mjs';
import { listTransferCases } from './slices/transfer-cases.mjs';

const SLICE_MS_MAX = 50;
const ONLY = readWords('only') ?? ['gateway', 'control'];
const CASES = readWords('cases');
const ENGINE = readWords('engine')?.[0] === 'mysql' ? 'mysql' : 'mariadb';
const IS_PROFILED = process.argv.includes('--profile');
const MIB = 1024 * 1024;

/** @typedef {{ case: string, status: number, mib: number, seconds: number, slices: import('./slices/loop-meter.mjs').Slice[] }} Measured */

const folder = mkdtempSync(join(tmpdir(), 'rowhouse-slices-'));
const watcher = pathToFileURL(join(rootDir, 'e2e', 'long', 'load', 'slices', 'watch-loop.mjs')).href;
await runSuite(() =>
  withProduct(
    { gateways: 1, engine: ENGINE, extraEnv: { SLICES_DIR: folder, NODE_OPTIONS: `--import=${watcher}` } },
    async (product) => {
      const meter = openLoopMeter(folder);
      const [base = ''] = product.gateways;
      /** @type {Measured[]} */
      const measured = [];
      if (ONLY.includes('gateway'))
        measured.push(...(await runCases(meter, await prepareGateway(product, base))));
      if (ONLY.includes('control')) {
        const user = await signUp(product.control, { name: 'many', starter: 'empty' });
        for (const cases of [
          listControlCases(user),
          listSchemaCases(base, user.key),
          listTransferCases(user),
        ])
          measured.push(...(await runCases(meter, cases)));
      }
      rmSync(folder, { recursive: true, force: true });
      return report(product, measured);
    },
  ),
);

/** @param {import('../../support/with-product.mjs').RunningProduct} product @param {string} base */
async function prepareGateway(product, base) {
  const testUser = await signUp(product.control, { name: 'large', starter: 'empty' });
  await deploy(testUser, largeSchemaSql(ENGINE));
  await waitFor(
    'the tables are served',
    async () => (await openApi(base, testUser.key).get('/parents')).status === 200,
  );
  const { host, port, user, password } = product.mysql.admin;
  const admin = await mysql.createConnection({ host, port, user, password });
  try {
    const [rows] = /** @type {any} */ (
      await admin.query(
        "SELECT TABLE_SCHEMA AS name FROM information_schema.TABLES WHERE TABLE_NAME = 'large_plain' AND TABLE_SCHEMA NOT LIKE '%scratch%'",
      )
    );
    await fillLargeTables(admin, rows[0].name, ENGINE);
  } finally {
    await admin.end();
  }
  return listGatewayCases(base, testUser.key, ENGINE);
}

/**
 * @param {ReturnType<typeof openLoopMeter>} meter
 * @param {import('./slices/gateway-cases.mjs').Case[]} cases
 */
async function runCases(meter, cases) {
  /** @type {Measured[]} */
  const measured = [];
  for (const item of cases.filter(({ name }) => CASES?.some((word) => name.includes(word)) ?? true)) {
    const startedMs = performance.now();
    const { result, slices } = await meter.measure(
      () =>
        item.run().catch((/** @type {Error} */ error) => {
          console.log(`${item.name}: ${error.message}`);
          return { status: 0, bytes: 0 };
        }),
      IS_PROFILED,
    );
    const expected = item.wanted ?? [200, 201, 202];
    measured.push({
      case: item.name,
      status: expected.includes(result.status) ? result.status : -result.status,
      mib: Math.round((result.bytes / MIB) * 10) / 10,
      seconds: Math.round((performance.now() - startedMs) / 100) / 10,
      slices,
    });
    const last = /** @type {Measured} */ (measured.at(-1));
    console.log(`${longestOf(last) > SLICE_MS_MAX ? 'SLOW' : 'ok  '} ${describe(last)}`);
    if (IS_PROFILED)
      for (const { app, hot, cpuMs } of slices)
        if (cpuMs > SLICE_MS_MAX) console.log(`       ${app}: ${hot.join('; ')}`);
  }
  return measured;
}

/** @param {Measured} one */
function longestOf({ slices }) {
  return Math.max(0, ...slices.map(({ cpuMs }) => cpuMs));
}

/** @param {Measured} item */
function describe(item) {
  const loops = item.slices
    .map(({ app, cpuMs, elapsedMs }) => `${app} ${cpuMs.toFixed(0)} (${elapsedMs.toFixed(0)})`)
    .join(', ');
  return `${item.case}: ${item.status}, ${item.mib} MiB in ${item.seconds} s; ms of CPU (of the clock): ${loops}`;
}

/** @param {import('../../support/with-product.mjs').RunningProduct} product @param {Measured[]} measured */
function report(product, measured) {
  return {
    suite: 'slices',
    title: 'The longest time that a request blocks an event loop',
    command: `pnpm test:long slices${process.argv
      .slice(2)
      .map((word) => ` ${word}`)
      .join('')}`,
    seed: null,
    engines: { [product.mysql.engine]: product.mysql.version },
    skips: CASES === undefined && ONLY.length === 2 ? [] : ['the cases that the options omit'],
    claims: [
      ...measured.map((item) => ({
        claim: item.case,
        holds: longestOf(item) <= SLICE_MS_MAX,
        found: describe(item),
      })),
      {
        claim: 'every case gets the expected response',
        holds: measured.every(({ status }) => status > 0),
        found:
          measured
            .filter(({ status }) => status <= 0)
            .map((item) => `${item.case}: ${-item.status}`)
            .join('; ') || 'yes',
      },
    ],
    notes: [
      `A slice is the time between two ticks of a timer of 2 ms in the process itself. It counts the CPU time of the main thread, so other processes of the machine do not affect it. At most ${SLICE_MS_MAX} ms.`,
    ],
    figures: {
      slices: measured.map(({ slices, ...rest }) => ({
        ...rest,
        loops: Object.fromEntries(
          slices.map(({ app, cpuMs, elapsedMs }) => [
            app,
            { cpu_ms: Math.round(cpuMs), elapsed_ms: Math.round(elapsedMs) },
          ]),
        ),
      })),
    },
  };
}
