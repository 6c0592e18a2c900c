import { AppError } from '@rowhouse/errors';
import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import { SWAPPER_IDLE_SECONDS_MAX, withConnection } from '../../../servers/server-access.js';
import type { Run } from '../../run-state.js';
import { sendDdl, pauseBetweenLocks } from '../../locks/send-ddl.js';
import { prepareShortLocks } from '../../locks/short-locks.js';
import type { UserTrigger } from '@rowhouse/platform-store';
import type { SwapPair } from '../rebuild-names.js';
import {
  createTriggerSql,
  listTriggerSettings,
  readExistingTriggers,
  readUserTriggers,
} from './user-triggers.js';

/**
 * Moves user triggers from a table to its shadow. A trigger name is unique, and each trigger must fire
 * exactly once for every row at any time. The steps for each trigger are:
 * 1. A temporary trigger with the same body (the stand-in) replaces the user's trigger on the table.
 * 2. The trigger is created on the shadow table, in a form that ignores rows that capture triggers write.
 * 3. The RENAME swaps the tables.
 * 4. The trigger is created again in its original form.
 *
 * No lock is held for more than one trigger.
 */

/**
 * The time after which the server ends a stalled worker's session, in seconds. Until then, the session keeps
 * the table locked.
 */
const LOCKED_IDLE_SECONDS_MAX = 2;

interface Standing {
  readonly table: string;
  readonly body: string;
}

/** The user triggers that are moved. They are read once, and updated as they move. */
interface TriggerMoveContext {
  readonly run: Run;
  readonly session: AdminConnection;
  readonly triggers: readonly UserTrigger[];
  readonly pairs: ReadonlyMap<string, SwapPair>;
  readonly existing: Map<string, Standing>;
}

/**
 * Moves all user triggers to the shadow tables. Afterwards, temporary triggers with the same bodies
 * (stand-ins) act on the current tables.
 */
export async function moveTriggers(
  run: Run,
  pairs: readonly SwapPair[],
  triggers: readonly UserTrigger[],
): Promise<void> {
  await withScene(run, pairs, triggers, async (context) => {
    for (const [index, trigger] of triggers.entries()) {
      await replaceTrigger(context, { ...trigger, name: nameSubstitution(context, index) }, trigger.name);
      await pauseBetweenLocks();
    }
    for (const trigger of triggers) {
      const shadow = pairOf(context, trigger).shadow;
      await make(context, trigger, shadow, createTriggerSql(trigger, shadow, { isDeafToCapture: true }));
    }
  });
}

/** Restores every trigger on its table as its owner defined it, whatever step the swap has reached. */
export async function settleTriggers(
  run: Run,
  pairs: readonly SwapPair[],
  triggers: readonly UserTrigger[],
  isSwapped: boolean,
): Promise<void> {
  if (triggers.length === 0) return;
  await withScene(run, pairs, triggers, async (context) => {
    for (const index of triggers.keys()) await settleOne(context, index, isSwapped);
  });
}

async function settleOne(context: TriggerMoveContext, index: number, isSwapped: boolean): Promise<void> {
  const { triggers, existing } = context;
  const trigger = triggers[index] as UserTrigger;
  const found = existing.get(trigger.name);
  // After the swap, the temporary trigger is dropped together with the old table.
  const standIn =
    isSwapped || !existing.has(nameSubstitution(context, index)) ? null : nameSubstitution(context, index);
  if (found?.table === trigger.table && found.body === trigger.body) {
    if (standIn !== null) await drop(context, standIn);
    return;
  }
  if (found !== undefined && found.table !== trigger.table) await drop(context, trigger.name);
  await replaceTrigger(context, trigger, found?.table === trigger.table ? trigger.name : standIn);
  await pauseBetweenLocks();
}

/**
 * Creates a trigger on its table in place of another trigger, so that exactly one of the two fires for each
 * row.
 */
async function replaceTrigger(
  context: TriggerMoveContext,
  trigger: UserTrigger,
  removed: string | null,
): Promise<void> {
  const { run, session, existing } = context;
  const { table } = trigger;
  const order = findOrder(context, trigger, removed);
  const isSameName = removed === trigger.name;
  if (removed === null || (isSameName && run.server.engine === 'mariadb'))
    return make(
      context,
      trigger,
      table,
      createTriggerSql(trigger, table, { order, orReplace: removed !== null }),
    );
  await session.run(`${listTriggerSettings(trigger)}, wait_timeout = ${LOCKED_IDLE_SECONDS_MAX}`);
  await sendDdl(run, `LOCK TABLES ${quoteName(table)} WRITE`, [table], session);
  run.ctx.failPoint('rebuild-locked');
  // All statements are sent in one message. If the worker dies here, the server still runs all of them.
  await session.run(
    [
      `DROP TRIGGER ${quoteName(removed)}`,
      createTriggerSql(trigger, table, { order }),
      'UNLOCK TABLES',
      `SET SESSION wait_timeout = ${SWAPPER_IDLE_SECONDS_MAX}`,
    ].join('\n;\n'),
  );
  existing.delete(removed);
  existing.set(trigger.name, { table, body: trigger.body });
}

async function make(
  context: TriggerMoveContext,
  trigger: UserTrigger,
  table: string,
  sql: string,
): Promise<void> {
  await context.session.run(listTriggerSettings(trigger));
  await sendDdl(context.run, sql, [table], context.session);
  context.existing.set(trigger.name, { table, body: trigger.body });
}

async function drop(context: TriggerMoveContext, name: string): Promise<void> {
  await sendDdl(
    context.run,
    `DROP TRIGGER ${quoteName(name)}`,
    [context.existing.get(name)?.table ?? ''],
    context.session,
  );
  context.existing.delete(name);
}

/**
 * Returns the FOLLOWS or PRECEDES clause of a trigger. Triggers with the same timing and event run in a fixed
 * order. The clause names the nearest trigger before or after this one.
 */
function findOrder(context: TriggerMoveContext, trigger: UserTrigger, removed: string | null): string {
  const group = context.triggers.flatMap((other, index) =>
    other.table === trigger.table && other.timing === trigger.timing && other.event === trigger.event
      ? [[other.name, nameSubstitution(context, index)]]
      : [],
  );
  const own = group.findIndex((names) => names.includes(trigger.name));
  const nameAt = (names: readonly string[]): string | undefined =>
    names.find((name) => name !== removed && context.existing.get(name)?.table === trigger.table);
  const before = group
    .slice(0, own)
    .map(nameAt)
    .findLast((name) => name !== undefined);
  if (before !== undefined) return `FOLLOWS ${quoteName(before)} `;
  const after = group
    .slice(own + 1)
    .map(nameAt)
    .find((name) => name !== undefined);
  return after === undefined ? '' : `PRECEDES ${quoteName(after)} `;
}

function pairOf(context: TriggerMoveContext, trigger: UserTrigger): SwapPair {
  return context.pairs.get(trigger.table) as SwapPair;
}

/**
 * Returns the name of the temporary trigger that replaces a trigger. It depends only on the order of the
 * triggers, which the checkpoint contains.
 */
function nameSubstitution(context: TriggerMoveContext, index: number): string {
  return `${pairOf(context, context.triggers[index] as UserTrigger).shadow}t${index}`;
}

async function withScene(
  run: Run,
  pairs: readonly SwapPair[],
  triggers: readonly UserTrigger[],
  callback: (context: TriggerMoveContext) => Promise<void>,
): Promise<void> {
  const found = await readExistingTriggers(run.connection, run.database.schemaName);
  const existing = new Map(found.map(({ name, table, body }) => [name, { table, body }]));
  await withConnection(run.ctx.access.openSwapper(run.server, run.database.schemaName), async (session) => {
    await prepareShortLocks(session, run.capabilities);
    await callback({
      run,
      session,
      triggers,
      existing,
      pairs: new Map(pairs.map((pair) => [pair.table, pair])),
    }).catch((error: unknown) => {
      // The next run reads from the server which triggers exist.
      throw session.isLost()
        ? new AppError('db.unavailable', {
            internal: 'the session that moves triggers was lost',
            cause: error,
          })
        : error;
    });
  });
}

export async function readAllTriggers(run: Run, pairs: readonly SwapPair[]): Promise<UserTrigger[]> {
  const lists: UserTrigger[][] = [];
  for (const pair of pairs)
    lists.push(await readUserTriggers(run.connection, run.database.schemaName, pair.table));
  return lists.flat();
}

/**
 * Replaces all tables with their shadow tables in one RENAME, so that no intermediate state is visible. At
 * that point, the user triggers are already on the shadow tables, and temporary triggers act on the current
 * tables.
 */
export async function swapTables(
  run: Run,
  pairs: readonly SwapPair[],
  triggers: readonly UserTrigger[],
  children: readonly string[],
): Promise<void> {
  if (triggers.length > 0) await moveTriggers(run, pairs, triggers);
  run.ctx.failPoint('rebuild-aside');
  const renames = pairs.map(
    (pair) =>
      `${quoteName(pair.table)} TO ${quoteName(pair.old)}, ${quoteName(pair.shadow)} TO ${quoteName(pair.table)}`,
  );
  await sendDdl(run, `RENAME TABLE ${renames.join(', ')}`, [
    ...pairs.flatMap((pair) => [pair.table, pair.shadow]),
    ...children,
  ]);
  run.ctx.failPoint('rebuild-renamed');
  await settleTriggers(run, pairs, triggers, true);
}
