import { introspectTable, quoteName } from '@rowhouse/mysql';
import { withChecksOff } from '../../scratch/try-steps.js';
import { restBetweenLocks } from '../rest-between-locks.js';
import type { Run } from '../run-state.js';
import { sendDdl, sendGatedDdl } from '../send-ddl.js';
import { respellKey } from './foreign-key-text.js';
import type { ChildKey, RebuildFacts } from './rebuild-facts.js';
import { makeRebuildNames } from './rebuild-names.js';
import type { RebuildOrder } from './read-rebuild-facts.js';

/**
 * With every row copied, the shadows get the keys between them: from here on cascades pass through them as through the
 * tables. The late ones come by themselves, just before the swap.
 */
export async function attachInnerKeys(run: Run, order: RebuildOrder, facts: RebuildFacts, which: 'early' | 'late'): Promise<void> {
  for (const key of facts.innerKeys.filter((entry) => (entry.late !== null) === (which === 'late'))) {
    const { shadow } = makeRebuildNames(run.migration.id, order.step, key.at);
    const onto = makeRebuildNames(run.migration.id, order.step, key.ontoAt).shadow;
    if ((await listKeyNames(run, shadow)).has(key.tempName)) continue;
    // On MariaDB the ALTER does not wait, and so is in nobody's way.
    const gated = run.server.engine === 'mysql' ? facts.members.map((member) => member.details.table) : [];
    await alterKeys(run, shadow, [`ADD ${respellKey(key.definition, key.tempName, onto)}`], [shadow, onto], gated);
  }
}

/**
 * Points the keys of tables that stay at the shadows, which by now mirror their tables in every transaction. The swap
 * is then one RENAME, which takes the keys along; without this they would follow the old table.
 */
export async function repointChildren(run: Run, order: RebuildOrder, facts: RebuildFacts): Promise<void> {
  for (const key of facts.childKeys) {
    const { shadow } = makeRebuildNames(run.migration.id, order.step, key.ontoAt);
    if ((await listKeyNames(run, key.table)).has(key.tempName)) continue;
    await alterKeys(run, key.table, [`DROP FOREIGN KEY ${quoteName(key.name)}`, `ADD ${respellKey(key.definition, key.tempName, shadow)}`], [key.table, key.referencedTable, shadow]);
  }
}

/** The way back from `repointChildren`. */
export async function returnChildren(run: Run, facts: RebuildFacts): Promise<void> {
  for (const key of facts.childKeys) {
    if (!(await listKeyNames(run, key.table)).has(key.tempName)) continue;
    await alterKeys(run, key.table, [`DROP FOREIGN KEY ${quoteName(key.tempName)}`, `ADD ${key.before}`], [key.table, key.referencedTable]);
    await renameIndexesBack(run, key);
  }
}

/** After the swap and with the old tables gone, every key gets the name that it must have. */
export async function nameKeys(run: Run, facts: RebuildFacts): Promise<void> {
  const own = facts.members.flatMap((member) => [
    ...member.outKeys.map((key) => ({ table: member.details.table, key })),
    ...facts.innerKeys.filter((key) => key.at === member.at).map((key) => ({ table: member.details.table, key })),
  ]);
  for (const { table, key } of [...own, ...facts.childKeys.map((childKey) => ({ table: childKey.table, key: childKey }))]) {
    if (!(await listKeyNames(run, table)).has(key.tempName)) continue;
    await alterKeys(run, table, [`DROP FOREIGN KEY ${quoteName(key.tempName)}`, `ADD ${key.definition}`], [table, key.referencedTable]);
  }
  for (const key of facts.childKeys) await renameIndexesBack(run, key);
}

/** No row is read: what the key demands has been held by another one up to this moment. */
async function alterKeys(run: Run, table: string, specs: readonly string[], tables: readonly string[], gated: readonly string[] = []): Promise<void> {
  await withChecksOff(run.connection, run.capabilities, true, () => sendGatedDdl(run, `ALTER TABLE ${quoteName(table)} ${specs.join(', ')}, ${rungOf(run)}`, tables, gated));
  await restBetweenLocks();
}

function rungOf(run: Run): string {
  return run.server.engine === 'mariadb' ? 'ALGORITHM=INSTANT' : 'ALGORITHM=INPLACE, LOCK=NONE';
}

async function listKeyNames(run: Run, table: string): Promise<ReadonlySet<string>> {
  const found = await introspectTable(run.connection, run.database.schemaName, run.server.engine, table);
  return new Set((found?.foreignKeys ?? []).map((key) => key.name));
}

/** An index that the server made for a key takes the name of each key that comes after. */
async function renameIndexesBack(run: Run, key: ChildKey): Promise<void> {
  const found = await introspectTable(run.connection, run.database.schemaName, run.server.engine, key.table);
  const present = new Set((found?.indexes ?? []).map((index) => index.name));
  const known = new Set(key.indexes.map((index) => index.name));
  const specs: string[] = [];
  for (const index of found?.indexes ?? []) {
    const columns = JSON.stringify(index.columns.map((part) => part.name));
    const before = key.indexes.find((entry) => entry.columns === columns && !present.has(entry.name));
    if (!known.has(index.name) && before !== undefined) specs.push(`RENAME INDEX ${quoteName(index.name)} TO ${quoteName(before.name)}`);
  }
  if (specs.length === 0) return;
  await sendDdl(run, `ALTER TABLE ${quoteName(key.table)} ${specs.join(', ')}, ${rungOf(run)}`, [key.table]);
}
