import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import { readNextNumber } from '../../snapshots/table-statistics.js';

import { countTable } from '../../snapshots/table-statistics.js';
import type { Run } from '../run-state.js';
import { sendDdl } from '../locks/send-ddl.js';
import type { RebuildDetails, RebuildMember } from '@rowhouse/platform-store';
import { makeRebuildNames } from './rebuild-names.js';
import {
  readRebuildDetails,
  readTable,
  type MemberTables,
  type RebuildOrder,
} from './read-rebuild-details.js';
import { makeShadowText, respellKey } from './shadow-text.js';
import { withChecksOff } from '../../scratch/try-steps.js';

/**
 * Creates empty shadow tables that contain the change. They have the foreign keys to all tables that are not
 * rebuilt. Tables that remain from an earlier attempt are dropped first.
 */
export async function prepareShadows(run: Run, order: RebuildOrder): Promise<RebuildDetails> {
  await dropShadows(run, order);
  const members: MemberTables[] = [];
  for (const [index, details] of order.tables.entries())
    members.push(await makeShadow(run, order, details, index));
  const knownDetails = await readRebuildDetails(run, order, members);
  for (const member of knownDetails.members) await addOutKeys(run, order, member);
  return knownDetails;
}

export async function dropShadows(run: Run, order: RebuildOrder): Promise<void> {
  const names = order.tables.map((_details, index) => makeRebuildNames(run.migration.id, order.step, index));
  for (const [index, name] of names.entries()) {
    const table = order.tables[index]?.table ?? '';
    for (const trigger of [name.captureInsert, name.captureUpdate, name.captureDelete])
      await dropTrigger(run, trigger, [table, name.shadow]);
  }
  await withChecksOff(run.connection, run.capabilities, true, async () => {
    for (const { shadow } of names) await sendDdl(run, `DROP TABLE IF EXISTS ${quoteName(shadow)}`, [shadow]);
  });
}

/**
 * Drops a trigger if it exists. In most cases it does not exist. DROP TRIGGER IF EXISTS would lock the table
 * if it does, so this is checked first.
 */
async function dropTrigger(run: Run, name: string, tables: readonly string[]): Promise<void> {
  if (await hasTrigger(run.connection, run.database.schemaName, name))
    await sendDdl(run, `DROP TRIGGER IF EXISTS ${quoteName(name)}`, tables);
}

export async function hasTrigger(
  connection: AdminConnection,
  schemaName: string,
  name: string,
): Promise<boolean> {
  return (
    (
      await connection.rows(
        'SELECT 1 FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = ? AND TRIGGER_NAME = ?',
        [schemaName, name],
      )
    ).length > 0
  );
}

async function makeShadow(
  run: Run,
  order: RebuildOrder,
  details: RebuildOrder['tables'][number],
  index: number,
): Promise<MemberTables> {
  const { connection } = run;
  const { shadow } = makeRebuildNames(run.migration.id, order.step, index);
  const before = await readTable(run, details.table);
  const text = makeShadowText(before, shadow, details.specs, run.server.engine);
  await connection.run(text.create);
  await connection.run(text.change);
  const created = await readTable(run, shadow);
  const next = await readNextNumber(connection, quoteName(details.table));
  if (next !== null && created.columns.some((column) => column.autoIncrement))
    await connection.run(`ALTER TABLE ${quoteName(shadow)} AUTO_INCREMENT = ${next}`);
  return {
    details,
    before,
    shadow: created,
    rows: await countTable(connection, run.database.schemaName, details.table),
  };
}

async function addOutKeys(run: Run, order: RebuildOrder, member: RebuildMember): Promise<void> {
  if (member.outKeys.length === 0) return;
  const { shadow } = makeRebuildNames(run.migration.id, order.step, member.at);
  const specs = member.outKeys.map((key) => `ADD ${respellKey(key.definition, key.tempName)}`).join(', ');
  await withChecksOff(run.connection, run.capabilities, true, () =>
    sendDdl(run, `ALTER TABLE ${quoteName(shadow)} ${specs}`, [
      shadow,
      ...member.outKeys.map((key) => key.referencedTable),
    ]),
  );
}
