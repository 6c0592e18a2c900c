/**
 * The side schema of a tenant: beside the tenant's own schema, reached only by its `rows` account (answers of repeated
 * writes; it reads the value index) and its `migrator` account (kept tables; it writes the value index).
 */
export function sideSchemaName(schemaName: string): string {
  return `${schemaName}s`;
}

export const IDEMPOTENCY_TABLE = 'idempotency';

/**
 * Inserted first, in the transaction of the write that it covers. `status` is NULL while the request runs;
 * `headers` is JSON text. Only committed 2xx answers stay, for 24 h.
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
 * Distinct values of the tenant's text columns, for the reading of questions; they are kept where the rows are and go with
 * them. `items` is a JSON array of texts. The row with column_name '' holds, as JSON, when the table was last read.
 */
export const VALUE_INDEX_TABLE_BODY = `(
  table_name varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  column_name varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  state varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  items mediumtext NOT NULL,
  PRIMARY KEY (table_name, column_name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`;

/** What a value index may come to; what is beyond is left out, column by column. */
export const VALUE_INDEX_LIMITS = {
  columnsMax: 300,
  valuesPerColumnMax: 1_000,
  valuesMax: 20_000,
  /** Of all values together, as UTF-8. */
  bytesMax: 512 * 1024,
  /** A column with a longer value is prose. */
  charactersMax: 100,
} as const;

/** The purpose under which a value index is sealed in the shared cache. */
export function columnValuesPurpose(databaseId: string, version: number): string {
  return `values:${databaseId}:${version}`;
}
