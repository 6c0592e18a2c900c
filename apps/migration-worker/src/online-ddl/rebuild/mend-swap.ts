import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import { withConnection } from '../../servers/server-access.js';
import type { Run } from '../run-state.js';
import { sendDdl } from '../send-ddl.js';
import { prepareShortLocks } from '../short-locks.js';
import type { UserTrigger } from './rebuild-checkpoint.js';
import type { SwapPair } from './swap-tables.js';
import { listTriggerStatements } from './user-triggers.js';

/**
 * Finds out how far a swap came and leads it to one of its ends: true, all tables are swapped; false, none is, and it
 * may be begun again. `triggers` are those noted before it began.
 */
export async function mendSwap(run: Run, pairs: readonly SwapPair[], triggers: readonly UserTrigger[]): Promise<boolean> {
  const present = await listTables(run.connection, run.database.schemaName, pairs);
  const isBegun = pairs.some((pair) => present.has(pair.old));
  if (isBegun) {
    const open = pairs.filter((pair) => present.has(pair.shadow));
    for (const pair of open) {
      const aside = present.has(pair.table) ? `${quoteName(pair.table)} TO ${quoteName(pair.old)}, ` : '';
      await sendDdl(run, `RENAME TABLE ${aside}${quoteName(pair.shadow)} TO ${quoteName(pair.table)}`, [pair.table, pair.shadow]);
    }
  }
  if (triggers.length > 0) await mendTriggers(run, triggers);
  return isBegun;
}

async function listTables(connection: AdminConnection, schemaName: string, pairs: readonly SwapPair[]): Promise<Set<string>> {
  const names = pairs.flatMap((pair) => [pair.table, pair.shadow, pair.old]);
  const rows = await connection.rows<{ name: string }>(
    `SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME IN (${names.map(() => '?').join(', ')})`,
    [schemaName, ...names],
  );
  return new Set(rows.map((row) => row.name));
}

/** Each trigger that is missing, or on a shadow or a table that stands aside, is made where it belongs. */
async function mendTriggers(run: Run, triggers: readonly UserTrigger[]): Promise<void> {
  const rows = await run.connection.rows<{ name: string; place: string }>(
    'SELECT TRIGGER_NAME AS name, EVENT_OBJECT_TABLE AS place FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ?',
    [run.database.schemaName],
  );
  const places = new Map(rows.map((row) => [row.name, row.place]));
  const astray = triggers.filter((trigger) => places.get(trigger.name) !== trigger.table);
  if (astray.length === 0) return;
  await withConnection(run.ctx.access.openSwapper(run.server, run.database.schemaName), async (swapper) => {
    await prepareShortLocks(swapper);
    for (const trigger of astray) {
      const place = places.get(trigger.name);
      if (place !== undefined) await sendDdl(run, `DROP TRIGGER ${quoteName(trigger.name)}`, [place], swapper);
      const [settings = '', create = ''] = listTriggerStatements(trigger, trigger.table);
      await swapper.run(settings);
      await sendDdl(run, create, [trigger.table], swapper);
    }
  });
}
