import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { appendAudit } from '../../audit-chain/append-audit.js';
import { ConnectionUser } from '../../platform-db/entities/connection-user.js';
import { Project } from '../../platform-db/entities/project.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { Secrets } from '../../platform/secrets.js';

interface EndedRow {
  readonly id: string;
  readonly database_id: string;
  readonly connection_id: string;
  readonly bound: string;
  readonly detail: Record<string, unknown> | string;
  readonly ended_at: Date;
}

const AT_ONCE_MAX = 100;

/** Carries the sessions that workers ended for a bound into the audit log, which workers cannot write. */
@Injectable()
export class EndedSessionNotes {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
  ) {}

  /** Several control planes may ask at once: each row is carried by the one that locks it. */
  async carry(): Promise<number> {
    return this.db.cellTransaction(async (manager) => {
      const rows = await manager.query<EndedRow[]>(
        `SELECT id, database_id, connection_id, bound, detail, ended_at FROM ended_session WHERE cell_id = ? ORDER BY id LIMIT ${AT_ONCE_MAX} FOR UPDATE SKIP LOCKED`,
        [this.db.cellId],
      );
      if (rows.length === 0) return 0;
      const databases = await manager.getRepository(TenantDatabase).findBy({ id: In(rows.map((row) => row.database_id)) });
      const connections = await manager.getRepository(ConnectionUser).findBy({ id: In(rows.map((row) => row.connection_id)) });
      const projects = await this.db.global.getRepository(Project).findBy({ id: In(databases.map((one) => one.projectId)) });
      await this.db.globalTransaction(async (global) => {
        for (const row of rows) {
          const project = projects.find(({ id }) => id === databases.find((one) => one.id === row.database_id)?.projectId);
          const told = typeof row.detail === 'string' ? (JSON.parse(row.detail) as Record<string, unknown>) : row.detail;
          await appendAudit(global, this.secrets.auditChain, {
            at: row.ended_at,
            organizationId: project?.organizationId ?? null,
            projectId: project?.id ?? null,
            accountId: null,
            action: 'connection.session_ended',
            target: row.connection_id,
            detail: { bound: row.bound, ...told, connection: connections.find(({ id }) => id === row.connection_id)?.name ?? '', database_id: row.database_id },
            address: '',
            requestId: '',
          });
        }
      });
      await manager.query('DELETE FROM ended_session WHERE id IN (?)', [rows.map((row) => row.id)]);
      return rows.length;
    });
  }
}
