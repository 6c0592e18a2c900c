import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import { withConnection } from '../../servers/server-access.js';
import type { Run } from '../run-state.js';
import { sendDdl } from '../send-ddl.js';
import { prepareShortLocks } from '../short-locks.js';
import type { UserTrigger } from './rebuild-checkpoint.js';
import type { RebuildFacts } from './rebuild-facts.js';
import { makeRebuildNames } from './rebuild-names.js';
import { readUserTriggers } from './user-triggers.js';
import { listTriggerStatements } from './user-triggers.js';

/** A table, its shadow and the name under which it stands aside. */
export interface SwapPair {
  readonly table: string;
  readonly shadow: string;
  readonly old: string;
}

export function listPairs(run: Run, step: number, facts: RebuildFacts): SwapPair[] {
  return facts.members.map((member) => {
    const { shadow, old } = makeRebuildNames(run.migration.id, step, member.at);
    return { table: member.details.table, shadow, old };
  });
}

export async function readAllTriggers(run: Run, pairs: readonly SwapPair[]): Promise<UserTrigger[]> {
  const lists: UserTrigger[][] = [];
  for (const pair of pairs) lists.push(await readUserTriggers(run.connection, run.database.schemaName, pair.table));
  return lists.flat();
}

/**
 * Puts all shadows in the place of their tables. Without triggers of the user's this is one RENAME: nobody sees anything
 * in between. Triggers must be on one of the two at any time, so then the tables are locked while they change over.
 */
export async function swapTables(run: Run, pairs: readonly SwapPair[], triggers: readonly UserTrigger[], children: readonly string[]): Promise<void> {
  const locked = [...pairs.flatMap((pair) => [pair.table, pair.shadow]), ...children];
  if (triggers.length === 0) {
    await sendDdl(run, `RENAME TABLE ${pairs.map(renames).join(', ')}`, locked);
    return;
  }
  await withConnection(run.ctx.access.openSwapper(run.server, run.database.schemaName), async (swapper) => {
    await prepareShortLocks(swapper);
    await swapLocked(run, swapper, pairs, triggers, locked);
  });
}

function renames(pair: SwapPair): string {
  return `${quoteName(pair.table)} TO ${quoteName(pair.old)}, ${quoteName(pair.shadow)} TO ${quoteName(pair.table)}`;
}

/**
 * All that is done under the lock goes to the server in one message, so that a worker which ends here leaves nothing
 * half done. RENAME under a lock is MySQL's alone (MariaDB: 1192); there the name is missing for a moment between two
 * ALTERs, which gateways bridge.
 */
async function swapLocked(run: Run, swapper: AdminConnection, pairs: readonly SwapPair[], triggers: readonly UserTrigger[], locked: readonly string[]): Promise<void> {
  const isMariadb = run.server.engine === 'mariadb';
  const shadows = new Map(pairs.map((pair) => [pair.table, pair.shadow]));
  const swap = isMariadb
    ? pairs.flatMap((pair) => [`ALTER TABLE ${quoteName(pair.table)} RENAME TO ${quoteName(pair.old)}`, `ALTER TABLE ${quoteName(pair.shadow)} RENAME TO ${quoteName(pair.table)}`])
    : [`RENAME TABLE ${pairs.map(renames).join(', ')}`];
  const statements = [
    ...triggers.map((trigger) => `DROP TRIGGER ${quoteName(trigger.name)}`),
    ...triggers.flatMap((trigger) => listTriggerStatements(trigger, shadows.get(trigger.table) ?? trigger.table)),
    ...swap,
    'UNLOCK TABLES',
  ];
  await sendDdl(run, `LOCK TABLES ${locked.map((name) => `${quoteName(name)} WRITE`).join(', ')}`, locked, swapper);
  run.ctx.failPoint('rebuild-locked');
  await swapper.run(statements.join(';\n'));
}
