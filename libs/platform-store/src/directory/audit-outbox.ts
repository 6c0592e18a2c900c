import type { AdminPool } from '@rowhouse/mysql';

/**
 * An event for the audit log of the database's organization. The control plane moves it to that log within
 * seconds.
 */
export interface OutgoingEvent {
  readonly databaseId: string;
  /** The action, such as `account.repair`. */
  readonly action: string;
  /** The name of the account, or the id of the affected object. */
  readonly target: string;
  /** Details of the event, which must not contain secrets. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/**
 * Stores the audit events of a worker until the control plane moves them, because workers have no write
 * access to the audit log.
 */
export interface AuditOutbox {
  add(event: OutgoingEvent): Promise<void>;
}

export function createAuditOutbox(pool: AdminPool, cellId: string): AuditOutbox {
  return {
    async add({ databaseId, action, target, detail }) {
      await pool.run(
        'INSERT INTO audit_outbox (cell_id, at, database_id, action, target, detail) VALUES (?, UTC_TIMESTAMP(3), ?, ?, ?, ?)',
        [cellId, databaseId, action, target, JSON.stringify(detail)],
      );
    },
  };
}
