import { quoteName } from '@rowhouse/mysql';
import type { LateKey, RebuildDetails, RebuildMember } from '@rowhouse/platform-store';
import type { RebuildNames } from '../rebuild-names.js';
import { CAPTURED_SQL } from './user-triggers.js';
import type { Run } from '../../run-state.js';
import { sendDdl } from '../../locks/send-ddl.js';
import { hasTrigger } from '../prepare-shadows.js';
import { makeRebuildNames } from '../rebuild-names.js';
import type { RebuildOrder } from '../read-rebuild-details.js';
import { withCopySession } from '../copy-session.js';

/**
 * Returns triggers that apply each change of a table to its shadow table in the same transaction. They must
 * be created in this order. If the INSERT trigger were created first, a row could be inserted and deleted
 * before there is a trigger for deletes. The triggers find a row by its whole key. REPLACE and ON DUPLICATE
 * KEY are not used, because they could find a row by another unique key.
 */
export function listCaptureTriggers(
  member: RebuildMember,
  names: RebuildNames,
  lateKeys: readonly LateKey[],
): { name: string; sql: string }[] {
  const make = (name: string, event: string, body: readonly string[]): { name: string; sql: string } => ({
    name,
    sql: `CREATE TRIGGER ${quoteName(name)} AFTER ${event} ON ${quoteName(member.details.table)} FOR EACH ROW\nBEGIN\n${body.map((line) => `  ${line}\n`).join('')}END`,
  });
  return [
    make(names.captureDelete, 'DELETE', [
      ...declare(member, 'OLD'),
      CAPTURED_SQL,
      ...lateKeys.map((key) => actLate(key, names.shadow)),
      `DELETE FROM ${quoteName(names.shadow)} WHERE ${matchKey(member, 'OLD')};`,
    ]),
    make(names.captureUpdate, 'UPDATE', updateBody(member, names.shadow)),
    make(names.captureInsert, 'INSERT', insertBody(member, names.shadow)),
  ];
}

/**
 * Returns the statement that does what a late key does when a row is deleted: it changes the child rows, and
 * their children. The order of the join is fixed. The statistics of the growing shadow table report almost no
 * rows, so MySQL would otherwise read and lock the whole shadow table to remove one row.
 */
function actLate({ action, columns, referencedColumns }: LateKey, shadow: string): string {
  const table = quoteName(shadow);
  if (action === 'SET NULL') {
    const assignments = columns.map((name) => `${quoteName(name)} = NULL`).join(', ');
    return `UPDATE ${table} SET ${assignments} WHERE ${columns.map((name, index) => `${quoteName(name)} = OLD.${quoteName(referencedColumns[index] ?? '')}`).join(' AND ')};`;
  }
  const names = referencedColumns.map(quoteName).join(', ');
  const joined = columns
    .map((name, index) => `x.${quoteName(name)} = d.${quoteName(referencedColumns[index] ?? '')}`)
    .join(' AND ');
  const top = columns
    .map((name, index) => `${quoteName(name)} = OLD.${quoteName(referencedColumns[index] ?? '')}`)
    .join(' AND ');
  const found = referencedColumns
    .map((name) => `g.${quoteName(name)} = below.${quoteName(name)}`)
    .join(' AND ');
  return `DELETE g FROM (WITH RECURSIVE d AS (SELECT ${names} FROM ${table} WHERE ${top}
    UNION SELECT ${referencedColumns.map((name) => `x.${quoteName(name)}`).join(', ')} FROM d STRAIGHT_JOIN ${table} x ON ${joined}) SELECT ${names} FROM d) below STRAIGHT_JOIN ${table} g ON ${found};`;
}

type Side = 'OLD' | 'NEW';

/**
 * Declares variables for key columns whose type changes. They hold the key, converted to the shadow table's
 * type. Comparing a key without this conversion would use no index, or find another row.
 */
function declare(member: RebuildMember, side: Side): string[] {
  return member.keyColumns.flatMap((column, index) =>
    column.castType === null
      ? []
      : [`DECLARE ${variable(side, index)} ${column.castType} DEFAULT ${side}.${quoteName(column.from)};`],
  );
}

function variable(side: Side, index: number): string {
  return `_rh_${side.toLowerCase()}_${index}`;
}

function matchKey(member: RebuildMember, side: Side): string {
  return member.keyColumns
    .map(
      (column, index) =>
        `${quoteName(column.to)} = ${column.castType === null ? `${side}.${quoteName(column.from)}` : variable(side, index)}`,
    )
    .join(' AND ');
}

function insertSql(member: RebuildMember, shadow: string): string {
  const { columns } = member.details;
  const names = [...columns.map((column) => column.to), ...member.filled.map((column) => column.name)]
    .map(quoteName)
    .join(', ');
  const values = [
    ...columns.map((column) => `NEW.${quoteName(column.from)}`),
    ...member.filled.map((column) => column.value),
  ].join(', ');
  return `INSERT INTO ${quoteName(shadow)} (${names}) VALUES (${values});`;
}

/**
 * Returns the trigger body for inserts. If the delete of an earlier row with this key was not captured, its
 * copy may still exist. The copy is deleted only after a duplicate-key error. A DELETE of a missing row would
 * lock the gap into which all new rows are inserted, and two such deletes would deadlock.
 */
function insertBody(member: RebuildMember, shadow: string): string[] {
  const insert = insertSql(member, shadow);
  if (!member.mayLag) return [CAPTURED_SQL, insert];
  const clear = `DELETE FROM ${quoteName(shadow)} WHERE ${matchKey(member, 'NEW')};`;
  return [
    ...declare(member, 'NEW'),
    CAPTURED_SQL,
    'BEGIN',
    `  DECLARE EXIT HANDLER FOR 1062 BEGIN ${clear} ${insert} END;`,
    `  ${insert}`,
    'END;',
  ];
}

/**
 * Returns the trigger body for updates. A row that was not copied yet needs no update, because its current
 * state will be copied. With a new key, however, the row may move into the range that is already copied. The
 * existence check locks the row, because a plain read could see a row that was just deleted.
 */
function updateBody(member: RebuildMember, shadow: string): string[] {
  const assignments = member.details.columns
    .map((column) => `${quoteName(column.to)} = NEW.${quoteName(column.from)}`)
    .join(', ');
  const isSameKey = member.keyColumns
    .map((column) => `NEW.${quoteName(column.from)} <=> OLD.${quoteName(column.from)}`)
    .join(' AND ');
  return [
    ...declare(member, 'OLD'),
    ...declare(member, 'NEW'),
    CAPTURED_SQL,
    `UPDATE ${quoteName(shadow)} SET ${assignments} WHERE ${matchKey(member, 'OLD')};`,
    `IF NOT (${isSameKey}) AND NOT EXISTS (SELECT 1 FROM ${quoteName(shadow)} WHERE ${matchKey(member, 'NEW')} FOR UPDATE) THEN`,
    `  ${insertSql(member, shadow)}`,
    'END IF;',
  ];
}

/** Creates the capture triggers that are missing. From then on, the shadow tables receive all writes. */
export async function makeCaptures(run: Run, order: RebuildOrder, details: RebuildDetails): Promise<void> {
  await withCopySession(run, async () => {
    for (const member of details.members) {
      const names = makeRebuildNames(run.migration.id, order.step, member.at);
      const lateKeys = details.innerKeys.flatMap((key) =>
        key.at === member.at && key.late !== null ? [key.late] : [],
      );
      for (const trigger of listCaptureTriggers(member, names, lateKeys)) {
        if (await hasTrigger(run.connection, run.database.schemaName, trigger.name)) continue;
        await sendDdl(run, trigger.sql, [member.details.table, names.shadow]);
      }
    }
  });
}
