import type { TableRights } from '@rowhouse/contracts';
import type { RawTable } from '@rowhouse/schema-model';
import type { ReadGrants } from './apply-grants.js';

/**
 * What a query account may read of these tables: `rights` narrows to tables, hidden columns to columns. A table
 * whose columns are all hidden is not granted at all.
 */
export function planReadGrants(
  tables: readonly Pick<RawTable, 'name' | 'columns'>[],
  rights: TableRights | null,
  hiddenColumns: Readonly<Record<string, readonly string[]>>,
): ReadGrants {
  const hasHidden = Object.values(hiddenColumns).some((columns) => columns.length > 0);
  if (rights === null && !hasHidden) return { kind: 'schema' };
  const granted = new Map<string, readonly string[] | null>();
  for (const table of tables) {
    if (rights !== null && !rights[table.name]?.includes('read')) continue;
    const hidden = new Set(hiddenColumns[table.name] ?? []);
    if (hidden.size === 0) granted.set(table.name, null);
    else {
      const shown = table.columns.map((column) => column.name).filter((name) => !hidden.has(name));
      if (shown.length > 0) granted.set(table.name, shown);
    }
  }
  return { kind: 'tables', tables: granted };
}
