import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import { quoteAccount } from '../account-statements.js';

/** A right on rows that can be granted per table. */
export type RowPrivilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

/**
 * The grants of one privilege in a schema. They are either on the whole schema or by table. For a table, null
 * means the whole table, and a set lists the columns.
 */
export type TableGrants =
  | { readonly kind: 'schema' }
  | { readonly kind: 'tables'; readonly tables: ReadonlyMap<string, readonly string[] | null> };

interface PresentGrants {
  readonly onSchema: boolean;
  /** Tables with the privilege on the whole table. */
  readonly tables: ReadonlySet<string>;
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The statements that change an account's grants of one privilege to the requested grants. */
export interface GrantPlan {
  readonly missing: readonly string[];
  /**
   * Statements that revoke grants. They must run in order and without a pause, because some grants are
   * replaced by two statements.
   */
  readonly extra: readonly string[];
  /**
   * Whether `missing` grants the privilege on the whole schema. Sessions that are already open do not get
   * this grant.
   */
  readonly grantsSchema: boolean;
}

/** Compares an account's grants of one privilege on `schemaName` with `requested`. */
export async function planGrants(
  provisioner: AdminConnection,
  schemaName: string,
  userName: string,
  privilege: RowPrivilege,
  requested: TableGrants,
): Promise<GrantPlan> {
  const present = await readPresentGrants(provisioner, schemaName, userName, privilege);
  const location = { privilege, schema: quoteName(schemaName), account: quoteAccount(userName) };
  const missing = missingGrants(present, requested, location);
  return {
    missing,
    extra: extraGrants(present, requested, location),
    grantsSchema: requested.kind === 'schema' && missing.length > 0,
  };
}

interface GrantTarget {
  readonly privilege: RowPrivilege;
  /** The quoted name of the schema, in the same form as `account`. */
  readonly schema: string;
  readonly account: string;
}

function missingGrants(
  present: PresentGrants,
  requested: TableGrants,
  { privilege, schema, account }: GrantTarget,
): string[] {
  if (requested.kind === 'schema')
    return present.onSchema ? [] : [`GRANT ${privilege} ON ${schema}.* TO ${account}`];
  const statements: string[] = [];
  for (const [table, columns] of requested.tables) {
    const name = `${schema}.${quoteName(table)}`;
    if (columns === null) {
      if (!present.tables.has(table)) statements.push(`GRANT ${privilege} ON ${name} TO ${account}`);
      continue;
    }
    const missing = columns.filter((column) => !present.columns.get(table)?.has(column));
    if (missing.length > 0)
      statements.push(`GRANT ${privilege} (${missing.map(quoteName).join(', ')}) ON ${name} TO ${account}`);
  }
  return statements;
}

function extraGrants(
  present: PresentGrants,
  requested: TableGrants,
  { privilege, schema, account }: GrantTarget,
): string[] {
  const wantedTables =
    requested.kind === 'tables' ? requested.tables : new Map<string, readonly string[] | null>();
  const statements =
    present.onSchema && requested.kind === 'tables'
      ? [`REVOKE ${privilege} ON ${schema}.* FROM ${account}`]
      : [];
  for (const table of present.tables) {
    const columns = wantedTables.get(table);
    if (columns === null) continue;
    const name = `${schema}.${quoteName(table)}`;
    statements.push(`REVOKE ${privilege} ON ${name} FROM ${account}`);
    // On both engines, revoking the grant on a table also revokes the grants on its columns.
    if (columns !== undefined)
      statements.push(`GRANT ${privilege} (${columns.map(quoteName).join(', ')}) ON ${name} TO ${account}`);
  }
  for (const [table, columns] of present.columns) {
    const wantedColumns = new Set(wantedTables.get(table) ?? []);
    // The column grants were already revoked together with the grant on the table.
    if (present.tables.has(table) && wantedTables.get(table) !== null) continue;
    const extra = [...columns].filter((column) => !wantedColumns.has(column));
    if (extra.length > 0)
      statements.push(
        `REVOKE ${privilege} (${extra.map(quoteName).join(', ')}) ON ${schema}.${quoteName(table)} FROM ${account}`,
      );
  }
  return statements;
}

async function readPresentGrants(
  provisioner: AdminConnection,
  schemaName: string,
  userName: string,
  privilege: RowPrivilege,
): Promise<PresentGrants> {
  const grantee = `'${userName}'@'%'`;
  const of = (view: string, columns: string): Promise<Record<string, string>[]> =>
    provisioner.rows(
      `SELECT ${columns} FROM information_schema.${view} WHERE GRANTEE = ? AND TABLE_SCHEMA = ? AND PRIVILEGE_TYPE = ?`,
      [grantee, schemaName, privilege],
    );
  const [schemas, tables, columns] = await Promise.all([
    of('SCHEMA_PRIVILEGES', 'TABLE_SCHEMA'),
    of('TABLE_PRIVILEGES', 'TABLE_NAME'),
    of('COLUMN_PRIVILEGES', 'TABLE_NAME, COLUMN_NAME'),
  ]);
  const byTable = new Map<string, Set<string>>();
  for (const row of columns) {
    const table = row['TABLE_NAME'] ?? '';
    byTable.set(table, (byTable.get(table) ?? new Set()).add(row['COLUMN_NAME'] ?? ''));
  }
  return {
    onSchema: schemas.length > 0,
    tables: new Set(tables.map((row) => row['TABLE_NAME'] ?? '')),
    columns: byTable,
  };
}
