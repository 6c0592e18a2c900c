import type { Table } from '@rowhouse/schema-model';
import { quoteName } from '../sql-text.js';
import type { PlannedStep, RowCheck } from '../types.js';
import { listExclusive } from './plan-exclusive.js';
import type { Pairing, TablePair } from './pair-objects.js';

/**
 * Moves the row checks of later steps before the exclusive step, so that a plan which cannot preserve some
 * rows fails before any name changes. Each moved check reads the deployed tables by their future names.
 */
export function predictChecks(steps: readonly PlannedStep[], pairing: Pairing): PlannedStep[] {
  const position = steps.findIndex((step) => step.intent.kind === 'exclusive');
  const exclusive = steps[position];
  if (exclusive?.intent.kind !== 'exclusive') return [...steps];
  const touched = new Set(listExclusive(exclusive.intent.details));
  const pairs = new Map(pairing.pairs.map((pair) => [pair.to.name, pair]));
  const created = new Map(pairing.created.map((table) => [table.name, table]));
  // The exclusive step has its own checks of rows that reference a replaced table.
  const isReplaced = (name: string): boolean => touched.has(name) && created.has(name);
  const foreseen = steps
    .slice(position + 1)
    .filter((step) => !created.has(step.table) && listChecked(step).some((name) => touched.has(name)))
    .flatMap((step) =>
      step.rowChecks
        .filter(({ sql }) => !listRead(sql).some(isReplaced))
        .map((check): RowCheck => ({
          ...check,
          table: step.table,
          sql: readAhead(check.sql, pairs, created),
        })),
    );
  return steps.map((step, index) =>
    index === position ? { ...step, rowChecks: [...step.rowChecks, ...foreseen] } : step,
  );
}

/** Matches a table after FROM or JOIN, with an optional alias of one letter. */
const TABLE = /\b(FROM|JOIN) (`(?:[^`]|``)+`)(?: ([cp])\b)?/g;

/** Returns the table of a step and the tables that its row checks read. */
export function listChecked({ table, rowChecks }: Pick<PlannedStep, 'table' | 'rowChecks'>): string[] {
  return [...new Set([table, ...rowChecks.flatMap(({ sql }) => listRead(sql))])];
}

function listRead(sql: string): string[] {
  return [...sql.matchAll(TABLE)].map(([, , name = '']) => unquote(name));
}

function unquote(quoted: string): string {
  return quoted.slice(1, -1).replaceAll('``', '`');
}

function readAhead(
  sql: string,
  pairs: ReadonlyMap<string, TablePair>,
  created: ReadonlyMap<string, Table>,
): string {
  return sql.replace(TABLE, (text, word: string, quoted: string, alias: string | undefined) => {
    const name = unquote(quoted);
    const pair = pairs.get(name);
    const table = created.get(name);
    if (pair !== undefined) return `${word} (${selectAhead(pair)}) ${alias ?? quoted}`;
    return table === undefined
      ? text
      : `${word} (SELECT ${table.columns.map((column) => `NULL AS ${quoteName(column.name)}`).join(', ')} LIMIT 0) ${alias ?? quoted}`;
  });
}

/**
 * Returns a SELECT of a table's columns by their target names, without the columns that the target adds. A
 * check that names an added column cannot run yet.
 */
function selectAhead({ from, origins }: TablePair): string {
  return `SELECT ${[...origins].map(([to, origin]) => `${quoteName(origin)} AS ${quoteName(to)}`).join(', ')} FROM ${quoteName(from.name)}`;
}
