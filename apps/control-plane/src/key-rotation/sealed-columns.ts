import {
  accountSecretPurpose,
  connectionSecretPurpose,
  modelSecretPurpose,
  totpSecretPurpose,
  type AccountRecord,
} from '@rowhouse/contracts';

type Row = Readonly<Record<string, unknown>>;

/** A column whose values are encrypted under the master key. */
export interface SealedColumn {
  readonly name: string;
  /** The half of the platform database that has the column. */
  readonly half: 'global' | 'cell';
  /** A SELECT of at most `?` rows whose value was encrypted with a key other than `?` (4 bytes). */
  readonly select: string;
  readonly sealedOf: (row: Row) => Buffer;
  readonly purposeOf: (row: Row) => string;
  /**
   * An UPDATE with three parameters: the new value, the row's key, and the old value. It skips a row that has
   * changed since it was read.
   */
  readonly update: string;
  readonly paramsOf: (row: Row, sealed: Buffer) => readonly unknown[];
}

/** Bytes 2 to 5 of an encrypted value are the key id. */
const isOfOther = (column: string): string => `SUBSTRING(${column}, 2, 4) <> ?`;

/** The payload of these tasks contains an encrypted password as base64. */
const TASK_KINDS =
  "kind IN ('create_connection', 'rotate_connection', 'test_connection') AND state IN ('queued', 'running')";
const TASK_SEALED = "FROM_BASE64(JSON_UNQUOTE(JSON_EXTRACT(payload, '$.password_sealed')))";

interface ConnectionPayload {
  readonly connection_id: string;
  readonly password_sealed: string;
}
const payloadOf = (row: Row): ConnectionPayload => JSON.parse(String(row['payload'])) as ConnectionPayload;

/** All encrypted columns. A test compares the list with the schema. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    name: 'passwords of accounts',
    half: 'cell',
    select: `SELECT database_id, kind, rights_hash, secret_sealed FROM database_account WHERE ${isOfOther('secret_sealed')} LIMIT ?`,
    sealedOf: (row) => row['secret_sealed'] as Buffer,
    purposeOf: (row) =>
      accountSecretPurpose(
        String(row['database_id']),
        row['kind'] as AccountRecord['kind'],
        String(row['rights_hash']),
      ),
    update:
      'UPDATE database_account SET secret_sealed = ? WHERE database_id = ? AND kind = ? AND rights_hash = ? AND secret_sealed = ?',
    paramsOf: (row, sealed) => [
      sealed,
      row['database_id'],
      row['kind'],
      row['rights_hash'],
      row['secret_sealed'],
    ],
  },
  {
    name: 'keys of language models',
    half: 'cell',
    select: `SELECT project_id, base_url, key_sealed FROM project_model WHERE key_sealed IS NOT NULL AND ${isOfOther('key_sealed')} LIMIT ?`,
    sealedOf: (row) => row['key_sealed'] as Buffer,
    purposeOf: (row) =>
      modelSecretPurpose(String(row['project_id']), new URL(String(row['base_url'])).origin),
    update: 'UPDATE project_model SET key_sealed = ? WHERE project_id = ? AND key_sealed = ?',
    paramsOf: (row, sealed) => [sealed, row['project_id'], row['key_sealed']],
  },
  {
    name: 'passwords of connections that are being created or tested',
    half: 'cell',
    select: `SELECT id, payload FROM task WHERE ${TASK_KINDS} AND ${isOfOther(TASK_SEALED)} LIMIT ?`,
    sealedOf: (row) => Buffer.from(payloadOf(row).password_sealed, 'base64'),
    purposeOf: (row) => connectionSecretPurpose(payloadOf(row).connection_id),
    update: 'UPDATE task SET payload = ? WHERE id = ? AND payload = ?',
    paramsOf: (row, sealed) => [
      JSON.stringify({ ...payloadOf(row), password_sealed: sealed.toString('base64') }),
      row['id'],
      row['payload'],
    ],
  },
  {
    name: 'secrets of authenticator apps',
    half: 'global',
    select: `SELECT account_id, secret_sealed FROM totp_secret WHERE ${isOfOther('secret_sealed')} LIMIT ?`,
    sealedOf: (row) => row['secret_sealed'] as Buffer,
    purposeOf: (row) => totpSecretPurpose(String(row['account_id'])),
    update: 'UPDATE totp_secret SET secret_sealed = ? WHERE account_id = ? AND secret_sealed = ?',
    paramsOf: (row, sealed) => [sealed, row['account_id'], row['secret_sealed']],
  },
];
