import { introspectTable, quoteName } from '@rowhouse/mysql';
import { withChecksOff } from '../../scratch/try-steps.js';
import type { Run } from '../run-state.js';
import { sendDdl, sendGatedDdl, pauseBetweenLocks } from '../locks/send-ddl.js';
import { respellKey } from './shadow-text.js';
import type { ChildKey, RebuildDetails } from '@rowhouse/platform-store';
import { makeRebuildNames } from './rebuild-names.js';
import type { RebuildOrder } from './read-rebuild-details.js';

/**
 * Adds the foreign keys between the shadow tables once all rows are copied. From then on, cascades have the
 * same effect in the shadow tables as in the current tables. Late keys are added separately, just before the
 * swap.
 */
export async function attachInnerKeys(
  run: Run,
  order: RebuildOrder,
  details: RebuildDetails,
  which: 'early' | 'late',
): Promise<void> {
  for (const key of details.innerKeys.filter((entry) => (entry.late !== null) === (which === 'late'))) {
    const { shadow } = makeRebuildNames(run.migration.id, order.step, key.at);
    const onto = makeRebuildNames(run.migration.id, order.step, key.ontoAt).shadow;
    if ((await listKeyNames(run, shadow)).has(key.tempName)) continue;
    // On MariaDB, the ALTER does not wait for its lock, so it blocks no other session.
    const gated = run.server.engine === 'mysql' ? details.members.map((member) => member.details.table) : [];
    await alterKeys(
      run,
      shadow,
      [`ADD ${respellKey(key.definition, key.tempName, onto)}`],
      [shadow, onto],
      gated,
    );
  }
}

/**
 * Makes the foreign keys of other tables reference the shadow tables, which are equal to the current tables
 * after each transaction. The swap is then a single RENAME, and the keys follow the shadow tables. Without
 * this, they would follow the old tables.
 */
export async function repointChildren(run: Run, order: RebuildOrder, details: RebuildDetails): Promise<void> {
  for (const key of details.childKeys) {
    const { shadow } = makeRebuildNames(run.migration.id, order.step, key.ontoAt);
    if ((await listKeyNames(run, key.table)).has(key.tempName)) continue;
    await alterKeys(
      run,
      key.table,
      [`DROP FOREIGN KEY ${quoteName(key.name)}`, `ADD ${respellKey(key.definition, key.tempName, shadow)}`],
      [key.table, key.referencedTable, shadow],
    );
  }
}

/** Reverts `repointChildren`. */
export async function returnChildren(run: Run, details: RebuildDetails): Promise<void> {
  for (const key of details.childKeys) {
    if (!(await listKeyNames(run, key.table)).has(key.tempName)) continue;
    await alterKeys(
      run,
      key.table,
      [`DROP FOREIGN KEY ${quoteName(key.tempName)}`, `ADD ${key.before}`],
      [key.table, key.referencedTable],
    );
    await renameIndexesBack(run, key);
  }
}

/** Gives each foreign key its final name. It runs after the swap, when the old tables are dropped. */
export async function nameKeys(run: Run, details: RebuildDetails): Promise<void> {
  const own = details.members.flatMap((member) => [
    ...member.outKeys.map((key) => ({ table: member.details.table, key })),
    ...details.innerKeys
      .filter((key) => key.at === member.at)
      .map((key) => ({ table: member.details.table, key })),
  ]);
  for (const { table, key } of [
    ...own,
    ...details.childKeys.map((childKey) => ({ table: childKey.table, key: childKey })),
  ]) {
    if (!(await listKeyNames(run, table)).has(key.tempName)) continue;
    await alterKeys(
      run,
      table,
      [`DROP FOREIGN KEY ${quoteName(key.tempName)}`, `ADD ${key.definition}`],
      [table, key.referencedTable],
    );
  }
  for (const key of details.childKeys) await renameIndexesBack(run, key);
}

/**
 * Runs an ALTER that adds foreign keys without reading rows. Rows need no check, because each new key
 * replaces one that enforced the same condition until now.
 */
async function alterKeys(
  run: Run,
  table: string,
  specs: readonly string[],
  tables: readonly string[],
  gated: readonly string[] = [],
): Promise<void> {
  await withChecksOff(run.connection, run.capabilities, true, () =>
    sendGatedDdl(
      run,
      `ALTER TABLE ${quoteName(table)} ${specs.join(', ')}, ${algorithmOf(run)}`,
      tables,
      gated,
    ),
  );
  await pauseBetweenLocks();
}

function algorithmOf(run: Run): string {
  return run.server.engine === 'mariadb' ? 'ALGORITHM=INSTANT' : 'ALGORITHM=INPLACE, LOCK=NONE';
}

async function listKeyNames(run: Run, table: string): Promise<ReadonlySet<string>> {
  const found = await introspectTable(run.connection, run.database.schemaName, run.server.engine, table);
  return new Set((found?.foreignKeys ?? []).map((key) => key.name));
}

/**
 * Gives indexes their earlier names again. If the server created an index for a foreign key, it renames the
 * index with each later key.
 */
async function renameIndexesBack(run: Run, key: ChildKey): Promise<void> {
  const found = await introspectTable(run.connection, run.database.schemaName, run.server.engine, key.table);
  const present = new Set((found?.indexes ?? []).map((index) => index.name));
  const known = new Set(key.indexes.map((index) => index.name));
  const specs: string[] = [];
  for (const index of found?.indexes ?? []) {
    const columns = JSON.stringify(index.columns.map((part) => part.name));
    const before = key.indexes.find((entry) => entry.columns === columns && !present.has(entry.name));
    if (!known.has(index.name) && before !== undefined)
      specs.push(`RENAME INDEX ${quoteName(index.name)} TO ${quoteName(before.name)}`);
  }
  if (specs.length === 0) return;
  await sendDdl(run, `ALTER TABLE ${quoteName(key.table)} ${specs.join(', ')}, ${algorithmOf(run)}`, [
    key.table,
  ]);
}
