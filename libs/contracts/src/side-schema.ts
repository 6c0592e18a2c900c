/**
 * Returns the name of the internal schema for a tenant's database. Only two accounts have access to it.
 * `rows` stores idempotent responses and reads the value index. `migrator` stores soft-deleted tables and
 * writes the value index.
 */
export function sideSchemaName(schemaName: string): string {
  return `${schemaName}s`;
}

export const IDEMPOTENCY_TABLE = 'idempotency';

/**
 * The columns of the table with idempotent responses. A write inserts its row first, in its own transaction.
 * `status` is NULL while the request runs. `headers` is JSON text. Only committed 2xx responses are stored,
 * for 24 hours.
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
 * The columns of the table with the value index, which contains the distinct values of the tenant's text
 * columns. It is used to interpret questions. The index is in the same database as the rows and is deleted
 * with them. `items` is a JSON array of strings. In a row with an empty `column_name`, it is the time when
 * the table was last read.
 */
export const VALUE_INDEX_TABLE_BODY = `(
  table_name varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  column_name varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  state varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  items mediumtext NOT NULL,
  PRIMARY KEY (table_name, column_name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`;

/** The limits of a value index. A column that exceeds them is omitted. */
export const VALUE_INDEX_LIMITS = {
  columnsMax: 300,
  valuesPerColumnMax: 1_000,
  valuesMax: 20_000,
  /** The total size of all values in UTF-8 bytes. */
  bytesMax: 512 * 1024,
  /**
   * The length in characters above which the values of a column are considered prose. Such a column is
   * omitted.
   */
  charactersMax: 100,
} as const;

/** Returns the purpose for encrypting a value index in the shared cache. */
export function columnValuesPurpose(databaseId: string, version: number): string {
  return `values:${databaseId}:${version}`;
}
