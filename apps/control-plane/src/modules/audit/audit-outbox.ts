import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { appendAudit } from '../../audit-chain/append-audit.js';
import { Project } from '../../platform-db/entities/project.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { Secrets } from '../../platform/secrets.js';

interface OutgoingRow {
  readonly id: string | number;
  readonly at: Date;
  readonly database_id: string;
  readonly project_id: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: Record<string, unknown> | string;
}

const ROWS_MAX = 200;

/** Moves events of workers to the audit log, because a worker only reaches the tables of its cell. */
@Injectable()
export class AuditOutbox {
  #isMoving = false;

  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Moves each event once, even if a control plane stops between the two databases. Returns the number of
   * moved events.
   */
  async move(): Promise<number> {
    if (this.#isMoving) return 0;
    this.#isMoving = true;
    try {
      const rows = await this.db.cell.query<OutgoingRow[]>(
        `SELECT o.id, o.at, o.database_id, d.project_id, o.action, o.target, o.detail FROM audit_outbox o LEFT JOIN tenant_database d ON d.id = o.database_id WHERE o.cell_id = ? ORDER BY o.id LIMIT ${ROWS_MAX}`,
        [this.db.cellId],
      );
      const projects = await this.db.global.getRepository(Project).find({
        where: { id: In(rows.flatMap((row) => row.project_id ?? [])) },
        select: { id: true, organizationId: true },
      });
      const organizations = new Map(projects.map((project) => [project.id, project.organizationId]));
      for (const row of rows) {
        await this.#append(row, organizations.get(row.project_id ?? '') ?? null);
        await this.db.cell.query('DELETE FROM audit_outbox WHERE id = ?', [row.id]);
      }
      return rows.length;
    } finally {
      this.#isMoving = false;
    }
  }

  async #append(row: OutgoingRow, organizationId: string | null): Promise<void> {
    const requestId = `${this.db.cellId}:outbox:${row.id}`;
    const detail =
      typeof row.detail === 'string' ? (JSON.parse(row.detail) as Record<string, unknown>) : row.detail;
    await this.db.globalTransaction(async (manager) => {
      // The head's row is the lock, so a second control plane sees the events of the first.
      await manager.query('SELECT seq FROM audit_head WHERE id = 1 FOR UPDATE');
      const known = await manager.query<unknown[]>(
        'SELECT 1 FROM (SELECT action, request_id, at FROM audit_event ORDER BY id DESC LIMIT 1000) recent WHERE action = ? AND request_id = ? AND at = ? LIMIT 1',
        [row.action, requestId, row.at],
      );
      if (known.length > 0) return;
      await appendAudit(manager, this.secrets.auditChain, {
        at: row.at,
        organizationId,
        projectId: row.project_id,
        accountId: null,
        action: row.action,
        target: row.target,
        detail: { ...detail, database_id: row.database_id },
        address: '',
        requestId,
      });
    });
  }
}
