import type { Table } from '@rowhouse/schema-model';
import { quoteName } from '../sql-text.js';
import type { PlannedStep, RowCheck } from '../types.js';
import { listExclusive } from './list-exclusive.js';
import type { Pairing, TablePair } from './pair-objects.js';

/**
 * Moves the row checks of steps behind an exclusive step ahead of it, so that rows that a plan cannot keep end it before
 * any name has passed on. Each check then reads the deployed tables under the names that they will have.
 */
export function foreseeChecks(steps: readonly PlannedStep[], pairing: Pairing): PlannedStep[] {
  const at = steps.findIndex((step) => step.wish.kind === 'exclusive');
  const exclusive = steps[at];
  if (exclusive?.wish.kind !== 'exclusive') return [...steps];
  const touched = new Set(listExclusive(exclusive.wish.details));
  const pairs = new Map(pairing.pairs.map((pair) => [pair.to.name, pair]));
  const created = new Map(pairing.created.map((table) => [table.name, table]));
  const foreseen = steps.slice(at + 1).filter((step) => touched.has(step.table) && !created.has(step.table)).flatMap((step) => step.rowChecks.map((check): RowCheck => ({ ...check, table: step.table, sql: readAhead(check.sql, pairs, created) })));
  return steps.map((step, index) => (index === at ? { ...step, rowChecks: [...step.rowChecks, ...foreseen] } : step));
}

/** A check names its tables behind FROM and JOIN, some of them with a letter as their alias. */
const TABLE = /\b(FROM|JOIN) (`(?:[^`]|``)+`)(?: ([cp])\b)?/g;

function readAhead(sql: string, pairs: ReadonlyMap<string, TablePair>, created: ReadonlyMap<string, Table>): string {
  return sql.replace(TABLE, (text, word: string, quoted: string, alias: string | undefined) => {
    const name = quoted.slice(1, -1).replaceAll('``', '`');
    const pair = pairs.get(name);
    const table = created.get(name);
    if (pair !== undefined) return `${word} (${selectAhead(pair)}) ${alias ?? quoted}`;
    return table === undefined ? text : `${word} (SELECT ${table.columns.map((column) => `NULL AS ${quoteName(column.name)}`).join(', ')} LIMIT 0) ${alias ?? quoted}`;
  });
}

/** Columns that the target adds are left out: a check that names one cannot be made yet. */
function selectAhead({ from, origins }: TablePair): string {
  return `SELECT ${[...origins].map(([to, origin]) => `${quoteName(origin)} AS ${quoteName(to)}`).join(', ')} FROM ${quoteName(from.name)}`;
}
