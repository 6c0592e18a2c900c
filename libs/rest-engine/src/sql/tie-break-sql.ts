import type { CompiledColumn } from '@rowhouse/schema-model';
import type { TieBreak } from '../plan/order/tie-break.js';
import { placeColumn } from './select-list.js';

/** Returns the last ORDER BY expressions. */
export function tieBreakSql(ties: TieBreak, alias: string): string[] {
  const name = (column: CompiledColumn): string => placeColumn({ alias, column });
  return [
    ...ties.columns.map(name),
    ...(ties.digested.length === 0 ? [] : [digestSql(ties.digested.map(name))]),
  ];
}

/** Returns one short value that differs if any of the values differs by a byte. */
export function digestSql(expressions: readonly string[]): string {
  const [only = '', ...others] = expressions.map((expression) => `SHA2(${expression}, 256)`);
  if (others.length === 0) return `UNHEX(${only})`;
  return `UNHEX(SHA2(CONCAT(${[only, ...others].map((digest) => `IFNULL(${digest}, '-')`).join(', ')}), 256))`;
}
