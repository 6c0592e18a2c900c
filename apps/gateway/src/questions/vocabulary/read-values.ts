import { TABLE_ACCESS_DENIED, NO_SUCH_TABLE } from '@rowhouse/errors';
import { sideSchemaName, VALUE_INDEX_LIMITS, VALUE_INDEX_TABLE } from '@rowhouse/contracts';
import { collectRows, DatabaseFault, runStatements, type TenantPools } from '@rowhouse/mysql';
import type { ColumnValues } from '@rowhouse/nl-engine';
import { CONNECTION_WAIT_MS, rowsTarget } from '../../statements/run-program.js';
import type { SharedRecords } from '../../tenant/shared-records.js';
import type { TenantDatabase } from '../../tenant/tenant.js';

/**
 * The maximum size of the values as JSON. It is larger than the limit of the index, because JSON adds quotes
 * and escapes and the two sizes are counted differently.
 */
const BYTES_MAX = 4 * VALUE_INDEX_LIMITS.bytesMax;
const STATEMENT_MS_MAX = 2_000;
/** The errors for a missing table and a missing right. The worker creates both with the first index. */
const ABSENT_NUMBERS: ReadonlySet<number> = new Set([TABLE_ACCESS_DENIED, NO_SUCH_TABLE]);

/**
 * Creates a reader for the values of an index. It reads the encrypted values from the shared cache, or else
 * from the side schema with the tenant's own account.
 */
export function createValueReader(
  pools: TenantPools,
  shared: SharedRecords,
): (database: TenantDatabase, version: number) => Promise<readonly ColumnValues[]> {
  return async (database, version) => {
    const { id } = database.record;
    const cached = await shared.readColumnValues(id, version);
    if (cached !== null) return JSON.parse(cached) as ColumnValues[];
    const values = await readFromTenant(pools, database);
    shared.writeColumnValues(id, version, JSON.stringify(values));
    return values;
  };
}

async function readFromTenant(pools: TenantPools, database: TenantDatabase): Promise<ColumnValues[]> {
  const sql = `SELECT table_name, column_name, items FROM \`${sideSchemaName(database.record.schemaName)}\`.\`${VALUE_INDEX_TABLE}\` WHERE state = 'indexed'`;
  try {
    const { rows } = await runStatements(
      pools,
      rowsTarget(database),
      { mode: 'read', waitMs: CONNECTION_WAIT_MS, statementMsMax: STATEMENT_MS_MAX },
      (run) => run(sql, [], collectRows({ bytesMax: BYTES_MAX })),
    );
    return rows.rows.map(([table, column, items]) => ({
      table: String(table),
      column: String(column),
      values: JSON.parse(String(items)) as string[],
    }));
  } catch (error) {
    if (error instanceof DatabaseFault && ABSENT_NUMBERS.has(error.errno)) return [];
    throw error;
  }
}
