import type { TableRights } from '@rowhouse/contracts';
import { ownMember, type RawTable } from '@rowhouse/schema-model';
import type { RowPrivilege, TableGrants } from './apply-grants.js';

/**
 * Returns what an account for queries may read. `rights` limits the tables, and hidden columns limit the
 * columns. A table whose columns are all hidden gets no grant.
 */
export function planReadGrants(
  tables: readonly Pick<RawTable, 'name' | 'columns'>[],
  rights: TableRights | null,
  hiddenColumns: Readonly<Record<string, readonly string[]>>,
): TableGrants {
  const hasHidden = Object.values(hiddenColumns).some((columns) => columns.length > 0);
  if (rights === null && !hasHidden) return { kind: 'schema' };
  const granted = new Map<string, readonly string[] | null>();
  for (const table of tables) {
    if (rights !== null && ownMember(rights, table.name)?.includes('read') !== true) continue;
    const hidden = new Set(ownMember(hiddenColumns, table.name));
    if (hidden.size === 0) granted.set(table.name, null);
    else {
      const visible = table.columns.map((column) => column.name).filter((name) => !hidden.has(name));
      if (visible.length > 0) granted.set(table.name, visible);
    }
  }
  return { kind: 'tables', tables: granted };
}

const PRIVILEGES = [
  ['INSERT', 'write'],
  ['UPDATE', 'write'],
  ['DELETE', 'delete'],
] as const;

/**
 * Returns the grants of an account for SQL that writes. In `rights`, the table '' means every table. Hidden
 * columns can be written but not read, as on the table endpoints. Views are read-only.
 */
export function planWriteGrants(
  tables: readonly Pick<RawTable, 'name' | 'columns' | 'kind'>[],
  rights: TableRights,
  hiddenColumns: Readonly<Record<string, readonly string[]>>,
): Map<RowPrivilege, TableGrants> {
  const ofAll = rights[''] ?? null;
  const having = (verb: 'read' | 'write' | 'delete'): TableRights =>
    Object.fromEntries(Object.entries(rights).filter(([, verbs]) => verbs.includes(verb)));
  const isReader = ofAll?.includes('read') === true;
  const reads = planReadGrants(tables, isReader ? null : having('read'), hiddenColumns);
  const plan = new Map<RowPrivilege, TableGrants>([['SELECT', reads]]);
  for (const [privilege, verb] of PRIVILEGES) {
    const named = having(verb);
    const isOfAll = ofAll?.includes(verb) === true;
    const granted = tables.filter(
      (table) => table.kind === 'table' && (isOfAll || Object.hasOwn(named, table.name)),
    );
    // MySQL ignores SELECT on a table if DELETE is granted on the whole schema, so both are granted on the
    // same level.
    plan.set(
      privilege,
      isOfAll && reads.kind === 'schema'
        ? { kind: 'schema' }
        : { kind: 'tables', tables: new Map(granted.map((table) => [table.name, null])) },
    );
  }
  return plan;
}
