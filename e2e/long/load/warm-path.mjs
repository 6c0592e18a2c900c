// @ts-check
/**
 * Shows by counting that warm reads by id cause no command in Redis and no statement in the platform
 * database.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import mysql from 'mysql2/promise';
import { writeBlog } from '../../support/schemas/blog.mjs';
import { expectStatus, signUp } from '../../support/control.mjs';
import { openApi } from '../../support/http.mjs';
import { withProduct } from '../../support/with-product.mjs';
import { readCount, runSuite } from '../lib/run-suite.mjs';

const WINDOW_MS = readCount('window', 60_000);
const LOADS = [0, 100, 1_000];
/** The allowed difference between two windows: in one of them, a timer may fire once more. */
const SLACK = 5;
/**
 * Statements that the gateway sends in batches, each at most once in this many milliseconds and only when
 * there is data.
 */
const BATCHES = {
  'INSERT INTO request_log': 5_000,
  'INSERT INTO usage_minute': 60_000,
  'UPDATE api_key SET last_used_at': 60_000,
  'INSERT INTO key_use_day': 60_000,
  'SET SESSION sql_mode': 60_000,
};

await runSuite(() =>
  withProduct({ gateways: 1 }, async (product) => {
    const testUser = await signUp(product.control);
    const api = openApi(product.gateways[0] ?? '', testUser.key);
    await writeBlog(api, 'warm');
    for (let index = 0; index < 200; index += 1)
      expectStatus(await api.get(`/posts/${1 + (index % 3)}`), [200], 'warming');
    const { host, port, user, password } = product.platform.admin;
    const admin = await mysql.createConnection({ host, port, user, password });
    await admin.query("SET GLOBAL log_output = 'TABLE'");
    const redis = new Redis(product.redisUrl);
    const monitor = await redis.monitor();
    /** @type {{ load: number, redis: Record<string, number>, platform: Record<string, number> }[]} */
    const windows = [];
    for (const load of LOADS) windows.push(await countWindow({ load, api, admin, monitor }));
    monitor.disconnect();
    redis.disconnect();
    await admin.end();
    const total = (/** @type {Record<string, number>} */ counts) =>
      Object.values(counts).reduce((sum, count) => sum + count, 0);
    const growth = total(windows.at(-1)?.redis ?? {}) - total(windows[0]?.redis ?? {});
    const unmatched = Object.entries(windows.at(-1)?.platform ?? {}).flatMap(([shape, count]) => {
      const batch = Object.entries(BATCHES).find(([start]) => shape.startsWith(`Query: ${start}`));
      const maximum =
        batch === undefined ? (windows[0]?.platform[shape] ?? 0) + 1 : Math.ceil(WINDOW_MS / batch[1]) + 1;
      return count > maximum ? [`${count} times ${shape}`] : [];
    });
    const sameAsHundred = Math.abs(
      total(windows.at(-1)?.platform ?? {}) - total(windows.at(-2)?.platform ?? {}),
    );
    const tell = (/** @type {'redis' | 'platform'} */ where) =>
      windows.map((window) => `${total(window[where])} with ${window.load} reads`).join(', ');
    return {
      suite: 'warm-path',
      title: 'Redis commands and platform statements of 1,000 warm reads by id',
      command: 'pnpm test:long warm-path',
      seed: null,
      engines: { [product.mysql.engine]: product.mysql.version },
      skips: [],
      claims: [
        {
          claim: 'Redis only gets the commands that are sent at a fixed interval',
          holds: growth <= SLACK,
          found: tell('redis'),
        },
        {
          claim: 'the gateway runs as many statements in the platform database for 1,000 reads as for 100',
          holds: sameAsHundred <= SLACK,
          found: tell('platform'),
        },
        {
          claim: 'these are only the statements at rest and one batch per fixed interval',
          holds: unmatched.length === 0,
          found: unmatched.length === 0 ? 'none' : unmatched.join('; '),
        },
        {
          claim: 'the log shows statements of the gateway',
          holds: total(windows[0]?.platform ?? {}) > 0,
          found: `${total(windows[0]?.platform ?? {})} statements at rest`,
        },
      ],
      notes: [
        `There are three windows of ${WINDOW_MS / 1_000} s each: at rest, with 100 reads, and with 1,000 reads. Redis commands are counted with MONITOR for every client (gateway, worker, control plane), except for the worker's queue. Statements in the platform database are counted with the general log for the gateway's account. Up to ${SLACK} more may come from a timer that fires in one window and not in the other.`,
      ],
      figures: { windows },
    };
  }),
);

/**
 * @param {{ load: number, api: import('../../support/http.mjs').Api, admin: mysql.Connection, monitor: Redis }} options
 */
async function countWindow({ load, api, admin, monitor }) {
  /** @type {Record<string, number>} */
  const redis = {};
  const listen = (/** @type {string} */ _time, /** @type {string[]} */ args) => {
    // These commands come from the timers of the worker's queue, not from the gateway.
    if (args.some((arg) => arg.includes(':bull:'))) return;
    const shape = `${String(args[0]).toLowerCase()} ${String(args[1] ?? '').replaceAll(/[0-9a-f]{8,}|\d+/g, '#')}`;
    redis[shape] = (redis[shape] ?? 0) + 1;
  };
  await admin.query('TRUNCATE mysql.general_log');
  await admin.query('SET GLOBAL general_log = ON');
  monitor.on('monitor', listen);
  const endMs = performance.now() + WINDOW_MS;
  for (let sent = 0; sent < load; sent += 1) {
    expectStatus(await api.get(`/posts/${1 + (sent % 3)}`), [200], 'a warm read');
    const dueMs = endMs - WINDOW_MS * (1 - (sent + 1) / load);
    await sleep(Math.max(0, dueMs - performance.now()));
  }
  await sleep(Math.max(0, endMs - performance.now()));
  monitor.off('monitor', listen);
  await admin.query('SET GLOBAL general_log = OFF');
  const [rows] = await admin.query(
    "SELECT command_type AS kind, CONVERT(argument USING utf8mb4) AS text FROM mysql.general_log WHERE user_host LIKE 'rh\\_gateway%'",
  );
  /** @type {Record<string, number>} */
  const platform = {};
  for (const { kind, text } of /** @type {{ kind: string, text: string }[]} */ (rows)) {
    const shape = `${kind}: ${text
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/'[^']*'|\d+/g, '?')
      .slice(0, 120)}`;
    platform[shape] = (platform[shape] ?? 0) + 1;
  }
  return { load, redis, platform };
}
