import { quoteName } from '@rowhouse/mysql';
import type { Run } from '../run-state.js';
import { sendDdl } from '../send-ddl.js';
import { settleTriggers, yieldSlot } from './move-triggers.js';
import type { UserTrigger } from './rebuild-checkpoint.js';
import type { SwapPair } from './swap-pairs.js';
import { readUserTriggers } from './user-triggers.js';

export async function readAllTriggers(run: Run, pairs: readonly SwapPair[]): Promise<UserTrigger[]> {
  const lists: UserTrigger[][] = [];
  for (const pair of pairs)
    lists.push(await readUserTriggers(run.connection, run.database.schemaName, pair.table));
  return lists.flat();
}

/**
 * Replaces all tables by their shadows with one RENAME, without a visible intermediate state. By then, user
 * triggers wait on the shadows, and stand-ins act on the tables until the swap.
 */
export async function swapTables(
  run: Run,
  pairs: readonly SwapPair[],
  triggers: readonly UserTrigger[],
  children: readonly string[],
): Promise<void> {
  if (triggers.length > 0) await yieldSlot(run, pairs, triggers);
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
