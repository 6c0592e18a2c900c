// @ts-check
/**
 * Runs one golden change under load, forward and back, until enough requests were in flight during its
 * cut-overs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import {
  createConnection,
  deploy,
  END_STATES,
  expectStatus,
  openProject,
  waitForMigration,
} from '../control.mjs';
import { openApi } from '../http.mjs';
import { waitFor } from '../wait.mjs';
import { watchStolen } from '../watch-stolen.mjs';
import { checkLedger } from './ledger.mjs';
import { readClock } from './load-client.mjs';
import { countInFlight, describeMoment, readCutOvers } from './read-cut-overs.mjs';
import { startLoad } from './start-load.mjs';
import { openPlatform } from '../open-platform.mjs';

/**
 * @typedef {import('./load-client.mjs').Asked} Asked
 * @typedef {import('../schemas/golden-change.mjs').GoldenChange} GoldenChange
 * @typedef {import('../schemas/golden-change.mjs').Engine} Engine
 * @typedef {{ person: import('../control.mjs').TestUser, gateways: readonly string[], dataDir: string, mysql: { engine: Engine, host: string, port: number, user: string, password: string }, platform: { host: string, port: number, user: string, password: string } }}
 *   ChangeProduct `mysql` is the server of tenant databases
 * @typedef {{ perSecond: number, inFlightMin: number, roundsMin: number, roundsMax: number, controlMsMin: number, controlMsMax?: number, holderMs: number, items?: number, changedMin?: number, isEnough?: () => boolean }}
 *   ChangeOptions `changedMin` is the minimum number of requests due during changes, because a p99 of few
 *   requests means little. `isEnough` replaces the count of requests in flight. `holderMs` is the length of a
 *   last round, in which an idle transaction locks the table. 0 omits that round
 * @typedef {object} ChangeResult
 * @property {string} name
 * @property {Engine} engine
 * @property {string} strategies the strategies of the first change
 * @property {number} rounds
 * @property {number} inFlight requests in flight during cut-overs
 * @property {Asked[]} changed requests due during a change
 * @property {Asked[]} control requests due between changes
 * @property {Asked[]} held requests due during a change while an idle transaction locked the table
 * @property {number[]} migrationMs
 * @property {import('./read-cut-overs.mjs').Stretch[]} stretches the phases of all changes
 * @property {import('../watch-stolen.mjs').Stretch[]} stolen when the host withheld CPU time
 * @property {string[]} failed
 * @property {string[]} lost
 * @property {string[]} broken violated conditions and leftover objects
 */

/**
 * A rebuild of a million rows takes minutes. This limit only ends a wait for a change that will never finish.
 */
const CHANGE_MAX_MS = 1_200_000;

/**
 * @param {ChangeProduct} product
 * @param {GoldenChange} change
 * @param {ChangeOptions} options
 * @returns {Promise<ChangeResult>}
 */
export async function runChange(product, change, options) {
  const { engine } = product.mysql;
  const stage = await prepareStage(product, change, options.items ?? change.items);
  const load = await startLoad({
    change: change.name,
    gateways: product.gateways,
    key: stage.person.key,
    perSecond: options.perSecond,
    prefix: 'w',
    items: options.items ?? change.items,
  });
  /** @type {ChangeResult} */
  const result = {
    name: change.name,
    engine,
    strategies: '',
    rounds: 0,
    inFlight: 0,
    changed: [],
    control: [],
    held: [],
    migrationMs: [],
    stretches: [],
    stolen: [],
    failed: [],
    lost: [],
    broken: [],
  };
  /** @type {'before' | 'after'} */
  let side = 'before';
  const stolen = watchStolen();
  try {
    await pause(load, options.controlMsMin);
    const isEnough =
      options.isEnough ??
      (() =>
        result.rounds >= options.roundsMax ||
        (result.rounds >= options.roundsMin &&
          result.inFlight >= options.inFlightMin &&
          result.changed.length >= (options.changedMin ?? 0)));
    while (!isEnough()) {
      const to = otherSide(side);
      const round = await flipDirection(stage, change, load, to, result);
      result.changed.push(...round.asked);
      result.control.push(
        ...(await pause(
          load,
          Math.min(
            Math.max(options.controlMsMin, round.durationMs),
            options.controlMsMax ?? Number.POSITIVE_INFINITY,
          ),
        )),
      );
      side = to;
    }
    if (options.holderMs > 0) {
      const to = otherSide(side);
      const holder = await holdTable(stage, change.shapes[side].table, options.holderMs);
      const round = await flipDirection(stage, change, load, to, result);
      await holder.released;
      result.held.push(...round.asked);
      side = to;
    }
    const { asked: requests, ledger, faults } = await load.stop();
    result.control.push(...requests);
    await judge(stage, change, side, result, ledger, faults);
    return result;
  } catch (err) {
    // An error is recorded as a failure of this change, so that the other changes still run.
    result.failed.push(
      ...listFaults(
        [...result.control, ...result.changed, ...result.held, ...(await load.take().catch(() => []))],
        result.stretches,
      ),
    );
    load.kill();
    result.broken.push(err instanceof Error ? err.message : String(err));
    return result;
  } finally {
    result.stolen.push(...stolen.stop());
    await stage.direct.end();
    await stage.platform.end();
  }
}

/**
 * Creates a project with the tables and rows of the change.
 * @param {ChangeProduct} product
 * @param {GoldenChange} change
 * @param {number} items
 */
async function prepareStage(product, change, items) {
  const testUser = await openProject(product.person, { name: change.name });
  await deploy(testUser, change.tables);
  const { connection_string } = await createConnection(testUser, { name: 'look', role: 'owner' });
  const direct = await mysql.createConnection({ uri: connection_string, multipleStatements: true });
  for (const sql of change.listSeeds(items)) await direct.query(sql);
  const platform = await openPlatform(product.platform);
  const apis = product.gateways.map((base) => openApi(base, testUser.key));
  for (const api of apis)
    await waitFor('the tables are served', async () => (await api.get('/notes?limit=1')).status === 200);
  return { product, person: testUser, direct, platform, apis, connectionString: connection_string };
}

/** @typedef {Awaited<ReturnType<typeof prepareStage>>} Stage */

/** @param {'before' | 'after'} side @returns {'before' | 'after'} */
function otherSide(side) {
  return side === 'before' ? 'after' : 'before';
}

/** Waits while the load runs. @param {import('./start-load.mjs').Load} load @param {number} durationMs */
async function pause(load, durationMs) {
  await load.take();
  await sleep(durationMs);
  return load.take();
}

/**
 * Deploys in one direction and waits until every gateway serves it.
 * @param {Stage} stage
 * @param {GoldenChange} change
 * @param {import('./start-load.mjs').Load} load
 * @param {'before' | 'after'} to
 * @param {ChangeResult} result
 */
async function flipDirection(stage, change, load, to, result) {
  const { person: user, product } = stage;
  const sql = (to === 'after' ? change.change : change.undo)[product.mysql.engine];
  const startMs = readClock();
  await load.setLive('before', 'after');
  const response = await user.control.call('POST', `/api/projects/${user.projectId}/deploy`, {
    targets: [{ database: user.development.id }],
    sql,
    accept_loss: true,
  });
  expectStatus(response, [200, 201, 202], `${change.name}: deploy`);
  const [queued] = response.json.migrations;
  if (queued === undefined) throw new Error(`${change.name}: nothing to change by ${sql}`);
  await waitForEnd(stage, queued.id);
  const migration = await waitForMigration(user.control, queued.id);
  if (migration.state !== 'published')
    throw new Error(
      `${sql} ended ${migration.state} at ${await describeStep(stage, queued.id)}: ${JSON.stringify(migration.error)}`,
    );
  for (const api of stage.apis)
    await waitFor(
      'the change is served',
      async () =>
        Number(/^"(\d+)\./.exec(String((await api.get('/schema')).headers.etag))?.[1] ?? 0) >=
        migration.published_snapshot,
    );
  await load.setLive(to);
  const requests = await load.take();
  const { windows, strategies, stretches } = await readCutOvers(
    { platform: stage.platform, dataDir: product.dataDir },
    queued.id,
  );
  if (result.rounds === 0) result.strategies = strategies.join(',');
  result.rounds += 1;
  result.inFlight += countInFlight(requests, windows);
  result.migrationMs.push(migration.duration_ms);
  result.stretches.push(...stretches);
  return { asked: requests, durationMs: readClock() - startMs };
}

/**
 * Polls the row of the migration, because polling the control plane 40 times a second would be an unrealistic
 * load.
 * @param {Stage} stage
 * @param {string} id
 */
async function waitForEnd({ platform }, id) {
  await waitFor(
    `migration ${id} ends`,
    async () => {
      const [rows] = await platform.query('SELECT state FROM migration WHERE id = ?', [id]);
      return END_STATES.includes(/** @type {{ state: string }[]} */ (rows)[0]?.state ?? '');
    },
    { timeoutMs: CHANGE_MAX_MS, intervalMs: 25 },
  );
}

/**
 * Holds an idle transaction that has read the table for `holderMs`.
 * @param {Stage} stage
 * @param {string} table
 * @param {number} holderMs
 */
async function holdTable(stage, table, holderMs) {
  const holder = await mysql.createConnection(stage.connectionString);
  await holder.query('START TRANSACTION');
  await holder.query(`SELECT id FROM ${table} LIMIT 1`);
  const released = sleep(holderMs).then(async () => {
    await holder.query('COMMIT');
    await holder.end();
  });
  return { released };
}

/**
 * @param {Stage} stage
 * @param {GoldenChange} change
 * @param {'before' | 'after'} side
 * @param {ChangeResult} result
 * @param {import('./ledger.mjs').Ledger} ledger
 * @param {string[]} faults those of the load itself
 */
async function judge(stage, change, side, result, ledger, faults) {
  const { table } = change.shapes[side];
  const all = [...result.control, ...result.changed, ...result.held];
  result.failed.push(...faults, ...listFaults(all, result.stretches));
  result.lost.push(...(await checkLedger(stage.direct, { table, pins: change.pins }, ledger)));
  for (const hold of change.holds) {
    const [rows] = await stage.direct.query(hold.replaceAll('{items}', table));
    if (/** @type {unknown[]} */ (rows).length > 0) result.broken.push(hold);
  }
  result.broken.push(...(await listLeftovers(stage.direct)).map((name) => `${name} is left over`));
  const expected = change.strategies[result.engine];
  if (result.strategies !== expected)
    result.broken.push(`made by ${result.strategies} instead of ${expected}`);
}

/**
 * Lists the failed requests with their time, duration, phase and response.
 * @param {readonly Asked[]} requests
 * @param {readonly import('./read-cut-overs.mjs').Stretch[]} stretches
 */
function listFaults(requests, stretches) {
  return requests
    .filter((item) => item.fault !== null)
    .map(
      (item) =>
        `${item.kind} at ${new Date(item.sentMs).toISOString()} after ${Math.round(item.endMs - item.sentMs)} ms, during ${describeMoment(item, stretches)}: ${item.fault}`,
    );
}

/** Describes the step at which a migration ended. @param {Stage} stage @param {string} id */
async function describeStep({ platform }, id) {
  const [rows] = await platform.query(
    "SELECT ordinal, kind, strategy, statement, JSON_UNQUOTE(JSON_EXTRACT(checkpoint, '$.rebuild.phase')) AS phase FROM migration_step WHERE migration_id = ? AND state = 'running' ORDER BY ordinal LIMIT 1",
    [id],
  );
  const [step] =
    /** @type {{ ordinal: number, kind: string, strategy: string, statement: string, phase: string | null }[]} */ (
      rows
    );
  return step === undefined
    ? 'no step'
    : `step ${step.ordinal} (${step.kind} ${step.strategy}${step.phase === null ? '' : `, ${step.phase}`}: ${step.statement.slice(0, 200)})`;
}

/**
 * Lists platform objects that a change must remove. Retained columns are not among them.
 * @param {mysql.Connection} direct
 * @returns {Promise<string[]>}
 */
export async function listLeftovers(direct) {
  const [rows] = await direct.query(`
    SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME LIKE '\\_rh\\_%'
    UNION ALL SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() AND TRIGGER_NAME LIKE '\\_rh\\_%'
    UNION ALL SELECT CONSTRAINT_NAME FROM information_schema.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA = DATABASE() AND CONSTRAINT_NAME LIKE '\\_rh\\_%'`);
  return /** @type {{ name: string }[]} */ (rows).map((row) => row.name);
}
