import { AppError } from '@rowhouse/errors';
import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import { SWAPPER_IDLE_SECONDS_MAX, withConnection } from '../../servers/server-access.js';
import { restBetweenLocks } from '../rest-between-locks.js';
import type { Run } from '../run-state.js';
import { sendDdl } from '../send-ddl.js';
import { prepareShortLocks } from '../short-locks.js';
import type { UserTrigger } from './rebuild-checkpoint.js';
import type { SwapPair } from './swap-pairs.js';
import { createTriggerSql, listTriggerSettings, readStandingTriggers } from './user-triggers.js';

/**
 * Moves user triggers from a table to its shadow. A trigger name is unique, and each trigger must fire
 * exactly once for every row at any time. The steps for each trigger are:
 * 1. A stand-in with the same body replaces it on the table.
 * 2. The trigger is created on the shadow, in a form that ignores rows written by capture.
 * 3. The RENAME swaps the tables.
 * 4. The trigger is created again in its original form.
 *
 * No lock is held for more than one trigger.
 */

/** A stalled worker must not hold a table's lock for longer. The server then ends the session. */
const LOCKED_IDLE_SECONDS_MAX = 2;

interface Standing {
  readonly table: string;
  readonly body: string;
}

/** The triggers as read once, updated as they move. */
interface Scene {
  readonly run: Run;
  readonly session: AdminConnection;
  readonly triggers: readonly UserTrigger[];
  readonly pairs: ReadonlyMap<string, SwapPair>;
  readonly standing: Map<string, Standing>;
}

/** Frees the names: afterwards stand-ins act on the tables, and the triggers wait on the shadows. */
export async function standAside(run: Run, pairs: readonly SwapPair[], triggers: readonly UserTrigger[]): Promise<void> {
  await withScene(run, pairs, triggers, async (scene) => {
    for (const [at, trigger] of triggers.entries()) {
      await replaceTrigger(scene, { ...trigger, name: nameStandIn(scene, at) }, trigger.name);
      await restBetweenLocks();
    }
    for (const trigger of triggers) {
      const shadow = pairOf(scene, trigger).shadow;
      await make(scene, trigger, shadow, createTriggerSql(trigger, shadow, { isDeafToCapture: true }));
    }
  });
}

/** Restores every trigger from any state: on its table, in the owner's form. */
export async function settleTriggers(run: Run, pairs: readonly SwapPair[], triggers: readonly UserTrigger[], isSwapped: boolean): Promise<void> {
  if (triggers.length === 0) return;
  await withScene(run, pairs, triggers, async (scene) => {
    for (const at of triggers.keys()) await settleOne(scene, at, isSwapped);
  });
}

async function settleOne(scene: Scene, at: number, isSwapped: boolean): Promise<void> {
  const { triggers, standing } = scene;
  const trigger = triggers[at] as UserTrigger;
  const found = standing.get(trigger.name);
  // After the swap, the stand-ins are dropped with the old table.
  const standIn = isSwapped || !standing.has(nameStandIn(scene, at)) ? null : nameStandIn(scene, at);
  if (found?.table === trigger.table && found.body === trigger.body) {
    if (standIn !== null) await drop(scene, standIn);
    return;
  }
  if (found !== undefined && found.table !== trigger.table) await drop(scene, trigger.name);
  await replaceTrigger(scene, trigger, found?.table === trigger.table ? trigger.name : standIn);
  await restBetweenLocks();
}

/** Creates a trigger on its table in place of another, so that each row fires exactly one of the two. */
async function replaceTrigger(scene: Scene, trigger: UserTrigger, gone: string | null): Promise<void> {
  const { run, session, standing } = scene;
  const { table } = trigger;
  const order = findOrder(scene, trigger, gone);
  const isSameName = gone === trigger.name;
  if (gone === null || (isSameName && run.server.engine === 'mariadb')) return make(scene, trigger, table, createTriggerSql(trigger, table, { order, orReplace: gone !== null }));
  await session.run(`${listTriggerSettings(trigger)}, wait_timeout = ${LOCKED_IDLE_SECONDS_MAX}`);
  await sendDdl(run, `LOCK TABLES ${quoteName(table)} WRITE`, [table], session);
  run.ctx.failPoint('rebuild-locked');
  // Sent as one message, so that a worker that dies here leaves nothing incomplete.
  await session.run([`DROP TRIGGER ${quoteName(gone)}`, createTriggerSql(trigger, table, { order }), 'UNLOCK TABLES', `SET SESSION wait_timeout = ${SWAPPER_IDLE_SECONDS_MAX}`].join('\n;\n'));
  standing.delete(gone);
  standing.set(trigger.name, { table, body: trigger.body });
}

async function make(scene: Scene, trigger: UserTrigger, table: string, sql: string): Promise<void> {
  await scene.session.run(listTriggerSettings(trigger));
  await sendDdl(scene.run, sql, [table], scene.session);
  scene.standing.set(trigger.name, { table, body: trigger.body });
}

async function drop(scene: Scene, name: string): Promise<void> {
  await sendDdl(scene.run, `DROP TRIGGER ${quoteName(name)}`, [scene.standing.get(name)?.table ?? ''], scene.session);
  scene.standing.delete(name);
}

/**
 * Returns the FOLLOWS or PRECEDES clause. Triggers of one timing and event fire in order, so it names the
 * nearest one before or after.
 */
function findOrder(scene: Scene, trigger: UserTrigger, gone: string | null): string {
  const group = scene.triggers.flatMap((other, at) => (other.table === trigger.table && other.timing === trigger.timing && other.event === trigger.event ? [[other.name, nameStandIn(scene, at)]] : []));
  const own = group.findIndex((names) => names.includes(trigger.name));
  const nameAt = (names: readonly string[]): string | undefined => names.find((name) => name !== gone && scene.standing.get(name)?.table === trigger.table);
  const before = group.slice(0, own).map(nameAt).findLast((name) => name !== undefined);
  if (before !== undefined) return `FOLLOWS ${quoteName(before)} `;
  const after = group.slice(own + 1).map(nameAt).find((name) => name !== undefined);
  return after === undefined ? '' : `PRECEDES ${quoteName(after)} `;
}

function pairOf(scene: Scene, trigger: UserTrigger): SwapPair {
  return scene.pairs.get(trigger.table) as SwapPair;
}

/**
 * Returns the name of a trigger's stand-in.
 * It depends only on the order of triggers, which the checkpoint contains.
 */
function nameStandIn(scene: Scene, at: number): string {
  return `${pairOf(scene, scene.triggers[at] as UserTrigger).shadow}t${at}`;
}

async function withScene(run: Run, pairs: readonly SwapPair[], triggers: readonly UserTrigger[], work: (scene: Scene) => Promise<void>): Promise<void> {
  const found = await readStandingTriggers(run.connection, run.database.schemaName);
  const standing = new Map(found.map(({ name, table, body }) => [name, { table, body }]));
  await withConnection(run.ctx.access.openSwapper(run.server, run.database.schemaName), async (session) => {
    await prepareShortLocks(session, run.capabilities);
    await work({ run, session, triggers, standing, pairs: new Map(pairs.map((pair) => [pair.table, pair])) }).catch((error: unknown) => {
      // The next run reads the current state.
      throw session.isLost() ? new AppError('db.unavailable', { internal: 'the session that moves triggers was lost', cause: error }) : error;
    });
  });
}
