import type { EngineKind, Index, Table } from '@rowhouse/schema-model';
import { plainStep } from '../diff/alter-step.js';
import { isRequired } from '../diff/column-specs.js';
import { giveDefault, withoutCheck } from '../diff/drop-columns.js';
import { servesKey } from '../diff/diff-indexes.js';
import { alterTable, quoteName } from '../sql-text.js';
import { withTemporaryDefault } from '../diff/temporary-default.js';
import type { PlannedStep } from '../types.js';

/**
 * Removes the indexes and checks on columns that will be retained, as DROP COLUMN would do. An index on
 * several columns keeps the other ones. A unique index is kept in this way only if a foreign key needs it, as
 * a non-unique index until the target's index is added. Primary keys change together with the columns.
 */
export function loosenSoftDeleted(
  table: Table,
  softDeleted: ReadonlySet<string>,
  engine: EngineKind,
): { steps: PlannedStep[]; table: Table } {
  if (softDeleted.size === 0) return { steps: [], table };
  const isFinished = (index: Index): boolean =>
    index.columns.some((part) => part.name !== null && softDeleted.has(part.name));
  const removed = table.indexes.filter((index) => index.name !== 'PRIMARY' && isFinished(index));
  const left = table.indexes.filter((index) => !removed.includes(index));
  const isNeeded = (index: Index): boolean =>
    table.foreignKeys.some((key) => servesKey(index, key) && !left.some((other) => servesKey(other, key)));
  const reduced = removed.flatMap((index) =>
    index.unique && !isNeeded(index) ? [] : reduce({ ...index, unique: false }, softDeleted),
  );
  const checks = table.checks.filter(
    (check) =>
      check.definition !== '' && [...softDeleted].some((name) => check.clause.includes(quoteName(name))),
  );
  const required = table.columns.filter((column) => softDeleted.has(column.name) && isRequired(column));
  const sql = alterTable(table.name, [
    ...removed.map((index) => `DROP KEY ${quoteName(index.name)}`),
    ...reduced.map((index) => `ADD ${index.definition}`),
    ...checks.map((check) => `DROP CONSTRAINT ${quoteName(check.name)}`),
    ...required.map((column) => giveDefault(column, engine)),
  ]);
  const steps: PlannedStep[] = sql === null ? [] : [plainStep('alter_table', table.name, 'widen', sql)];
  return {
    steps,
    table: {
      ...table,
      columns: table.columns.map((column) =>
        required.includes(column)
          ? {
              ...column,
              default: { kind: 'literal', text: '' },
              definition: withTemporaryDefault(
                { ...column, definition: withoutCheck(column.definition) },
                engine,
              ),
            }
          : column,
      ),
      indexes: [...left, ...reduced],
      checks: table.checks.filter((check) => !checks.includes(check)),
    },
  };
}

/**
 * Returns the index without the retained columns, as a non-unique index. Returns an empty list if no column
 * remains.
 */
function reduce(index: Index, softDeleted: ReadonlySet<string>): Index[] {
  const columns = index.columns.filter((part) => part.name === null || !softDeleted.has(part.name));
  const isPlain = index.kind === 'btree' && columns.every((part) => part.name !== null);
  if (!isPlain || columns.length === 0) return [];
  const parts = columns.map(
    (part) =>
      `${quoteName(part.name ?? '')}${part.prefixLength === null ? '' : `(${part.prefixLength})`}${part.descending ? ' DESC' : ''}`,
  );
  return [{ ...index, columns, definition: `KEY ${quoteName(index.name)} (${parts.join(',')})` }];
}
