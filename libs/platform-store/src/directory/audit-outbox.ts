import type { AdminPool } from '@rowhouse/mysql';

/** An event for the audit log of a database's organization. The control plane moves it there within seconds. */
export interface OutgoingEvent {
  readonly databaseId: string;
  /** `account.repair` */
  readonly action: string;
  /** The account's name, or the id of what was acted on. */
  readonly target: string;
  /** Never a secret. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Where a worker, which cannot write the audit log, leaves its events. */
export interface AuditOutbox {
  add(event: OutgoingEvent): Promise<void>;
}

export function createAuditOutbox(pool: AdminPool, cellId: string): AuditOutbox {
  return {
    async add({ databaseId, action, target, detail }) {
      await pool.run('INSERT INTO audit_outbox (cell_id, at, database_id, action, target, detail) VALUES (?, UTC_TIMESTAMP(3), ?, ?, ?, ?)', [cellId, databaseId, action, target, JSON.stringify(detail)]);
    },
  };
}
