// @ts-check
/** Reads what gateways and their server report while a fleet is used. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { SESSIONS } from '@rowhouse/local/servers/mysql-admin';
import { readMemory } from '../../../support/watch-memory.mjs';

/** @typedef {import('@rowhouse/mysql/testing').TakeoverCounts} TakeoverCounts */
/** @typedef {import('../../../support/with-product.mjs').RunningProduct} RunningProduct */

const SAMPLE_INTERVAL_MS = 500;

/**
 * Returns the sums of what the watchers in the gateways have written.
 * @param {string} dir
 * @returns {TakeoverCounts}
 */
export function readTakeovers(dir) {
  const files = readdirSync(dir).filter((name) => name.endsWith('.json'));
  /** @type {TakeoverCounts[]} */
  const found = files.map((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')));
  const sum = (/** @type {'takeovers' | 'poisoned' | 'compared'} */ member) =>
    found.reduce((total, takeoverCounts) => total + takeoverCounts[member], 0);
  return {
    takeovers: sum('takeovers'),
    poisoned: sum('poisoned'),
    compared: sum('compared'),
    remains: found.flatMap((takeoverCounts) => takeoverCounts.remains),
    refusals: found.flatMap((takeoverCounts) => takeoverCounts.refusals),
  };
}

/** @param {string} dir @param {boolean} isOn */
export function setPoison(dir, isOn) {
  if (isOn) writeFileSync(join(dir, 'poison'), '');
  else rmSync(join(dir, 'poison'), { force: true });
}

/** @param {RunningProduct} product */
function listGatewayMetrics(product) {
  return Object.entries(product.metricsUrls).filter(([name]) => name.startsWith('gateway'));
}

const FIGURES = [
  'gateway_pool_open',
  'gateway_pool_limit',
  'gateway_pool_takeovers',
  'gateway_pool_connects',
  'gateway_cached_keys',
  'gateway_cached_databases',
  'gateway_cached_schema_bytes',
  'gateway_key_misses_total',
  'gateway_schema_loads_total',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_heap_size_total_bytes',
  'nodejs_external_memory_bytes',
];

/**
 * Returns the memory in MiB and the counts of each gateway, by its name.
 * @param {RunningProduct} product
 */
export async function readGateways(product) {
  /** @type {Record<string, Record<string, number>>} */
  const found = {};
  for (const [name, url] of listGatewayMetrics(product)) {
    const text = await (await fetch(`${url}/metrics`)).text();
    const read = (/** @type {string} */ figure) =>
      [...text.matchAll(new RegExp(`^${figure}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce(
        (sum, [, value]) => sum + Number(value),
        0,
      );
    const { rss, heap } = await readMemory(url);
    found[name] = {
      rss_mib: rss,
      heap_mib: heap,
      ...Object.fromEntries(
        FIGURES.map((figure) => [figure.replace(/^gateway_|^nodejs_/, ''), read(figure)]),
      ),
    };
  }
  return found;
}

/**
 * Records the maximum number of tenants' connections and of prepared statements at the server.
 * @param {RunningProduct} product
 */
export async function watchServer(product) {
  const admin = await mysql.createConnection({ ...product.mysql.admin });
  const most = { connections: 0, statements: 0 };
  let isFinished = false;
  const watching = (async () => {
    while (!isFinished) {
      const [tenants] = /** @type {[{ n: number }[], unknown]} */ (
        await admin.query(
          `SELECT COUNT(*) AS n FROM ${SESSIONS} WHERE USER LIKE 'p________________r' OR USER LIKE 'p________________q'`,
        )
      );
      const [prepared] = /** @type {[{ Value: string }[], unknown]} */ (
        await admin.query("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'")
      );
      most.connections = Math.max(most.connections, Number(tenants[0]?.n));
      most.statements = Math.max(most.statements, Number(prepared[0]?.Value));
      await sleep(SAMPLE_INTERVAL_MS);
    }
  })();
  return {
    async stop() {
      isFinished = true;
      await watching;
      const [[limits]] = /** @type {[{ statements: number }[], unknown]} */ (
        await admin.query('SELECT @@GLOBAL.max_prepared_stmt_count AS statements')
      );
      const platform = await mysql.createConnection({ ...product.platform.admin });
      const [[server]] = /** @type {[{ connections_max: number }[], unknown]} */ (
        await platform.query('SELECT connections_max FROM rowhouse_cell.server LIMIT 1')
      );
      await Promise.all([admin.end(), platform.end()]);
      return {
        ...most,
        statements_max: Number(limits?.statements),
        leased_max: Number(server?.connections_max),
      };
    },
  };
}

/**
 * Counts rows in all tenants' tables that carry another tenant's mark. Such a row was written by a session's
 * previous tenant and committed by its next one.
 * @param {RunningProduct} product
 * @param {readonly { schema: string }[]} tenants
 */
export async function countUnmatchedRows(product, tenants) {
  const admin = await mysql.createConnection({ ...product.mysql.admin });
  let unmatched = 0;
  for (const { schema } of tenants) {
    const [rows] = /** @type {[unknown[], unknown]} */ (
      await admin.query(
        `SELECT id FROM ${schema}.own WHERE tenant <> '${schema}' UNION ALL SELECT id FROM ${schema}.parts WHERE tenant <> '${schema}'`,
      )
    );
    unmatched += rows.length;
  }
  await admin.end();
  return unmatched;
}
