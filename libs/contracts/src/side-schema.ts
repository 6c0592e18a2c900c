/**
 * Returns the name of a tenant's internal schema. Only two accounts reach it. `rows` stores idempotent
 * responses and reads the value index. `migrator` stores soft-deleted tables and writes the value index.
 */
export function sideSchemaName(schemaName: string): string {
  return `${schemaName}s`;
}

export const IDEMPOTENCY_TABLE = 'idempotency';

/**
 * The columns of the table of idempotent responses. A row is inserted first, in the transaction of the write
 * that it covers. `status` is NULL while the request runs, and `headers` is JSON text. Only committed 2xx
 * responses are retained, for 24 hours.
 */
export const IDEMPOTENCY_TABLE_BODY = `(
  lineage_id varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  idempotency_key varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  fingerprint binary(32) NOT NULL,
  status smallint unsigned NULL,
  headers text NULL,
  body mediumblob NULL,
  created_at datetime(3) NOT NULL,
  PRIMARY KEY (lineage_id, idempotency_key),
  KEY idempotency_created (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`;

export const VALUE_INDEX_TABLE = 'value_index';

/**
 * The columns of the value index: the distinct values of the tenant's text columns, used to interpret
 * questions. The index is stored next to the rows and deleted with them. `items` is a JSON array of strings.
 * The row with an empty `column_name` contains the time when the table was last read, as JSON.
 */
export const VALUE_INDEX_TABLE_BODY = `(
  table_name varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  column_name varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  state varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  items mediumtext NOT NULL,
  PRIMARY KEY (table_name, column_name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`;

/** Limits of a value index. Columns that exceed them are omitted. */
export const VALUE_INDEX_LIMITS = {
  columnsMax: 300,
  valuesPerColumnMax: 1_000,
  valuesMax: 20_000,
  /** The total size of all values in bytes as UTF-8. */
  bytesMax: 512 * 1024,
  /** The length in characters above which a column's values are treated as prose. */
  charactersMax: 100,
} as const;

/** Returns the purpose under which a value index is encrypted in the shared cache. */
export function columnValuesPurpose(databaseId: string, version: number): string {
  return `values:${databaseId}:${version}`;
}
