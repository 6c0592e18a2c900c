/**
 * The side schema of a tenant: beside the tenant's own schema, reached only by its `rows` account (this one table)
 * and its `migrator` account (kept tables).
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
