import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@rowhouse/runtime';
import { In, type DataSource, type EntityManager } from 'typeorm';
import { appendAudit, type AuditDetails } from '../audit-chain/append-audit.js';
import { Project } from '../platform-db/entities/project.js';
import { PlatformDb } from '../platform-db/platform-db.js';
import { Secrets } from './secrets.js';
import { LOGGER } from './tokens.js';

/** An event that is committed and not yet part of the audit log. */
interface PendingEvent {
  /** The id of the row in its outbox. */
  readonly id: string | number;
  readonly details: AuditDetails;
}

/** A table of events that are not yet part of the audit log. */
interface Outbox {
  readonly source: DataSource;
  readonly table: 'audit_outbox' | 'audit_pending';
  /** Returns the oldest events of the outbox. */
  read(): Promise<PendingEvent[]>;
}

type Detail = Record<string, unknown> | string | null;

interface WorkerRow {
  readonly id: string | number;
  readonly at: Date;
  readonly database_id: string;
  readonly project_id: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: Detail;
}

interface PendingRow {
  readonly id: string | number;
  readonly at: Date;
  readonly organization_id: string | null;
  readonly project_id: string | null;
  readonly account_id: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: Detail;
  readonly address: string;
  readonly request_id: string;
}

const ROWS_MAX = 200;
/** The number of newest events in the audit log that are searched for events moved earlier. */
const RECENT_MAX = 1_000;

/**
 * Moves committed events from the outboxes to the audit log. A worker writes to `audit_outbox`, because it
 * only reaches the tables of its cell. This process writes to `audit_pending`, in the transaction of the
 * change.
 */
@Injectable()
export class AuditOutbox {
  readonly #outboxes: readonly Outbox[];
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#outboxes = [
      { source: db.global, table: 'audit_pending', read: () => this.#readPending(db.global) },
      { source: db.cell, table: 'audit_pending', read: () => this.#readPending(db.cell) },
      { source: db.cell, table: 'audit_outbox', read: () => this.#readOfWorkers() },
    ];
  }

  /** Stores an event in the caller's transaction, on either half of the platform database. */
  async add(manager: EntityManager, details: AuditDetails): Promise<void> {
    await manager.query(
      'INSERT INTO audit_pending (cell_id, at, organization_id, project_id, account_id, action, target, detail, address, request_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      [
        this.db.cellId,
        details.at,
        details.organizationId,
        details.projectId,
        details.accountId,
        details.action,
        details.target,
        details.detail === null ? null : JSON.stringify(details.detail),
        details.address,
        details.requestId,
      ],
    );
  }

  /**
   * Moves every event that is committed when this is called. Concurrent calls share a run. Never rejects:
   * after a failure the events remain, and the sweeper moves them later.
   */
  readonly flush = (): Promise<void> => {
    this.#next ??= (this.#running ?? Promise.resolve()).then(() => {
      this.#next = null;
      this.#running = this.move().then(
        () => undefined,
        (error: unknown) =>
          this.logger.warn({ err: error }, 'events were not moved to the audit log and will be retried'),
      );
      return this.#running;
    });
    return this.#next;
  };

  /** Moves each event once, even if a process stops in between. Returns the number of moved events. */
  async move(): Promise<number> {
    let moved = 0;
    for (const outbox of this.#outboxes) {
      for (;;) {
        const rows = await this.#moveSome(outbox);
        moved += rows;
        if (rows < ROWS_MAX) break;
      }
    }
    return moved;
  }

  async #moveSome(outbox: Outbox): Promise<number> {
    // The head of the log is not locked when no event is to be appended.
    if ((await outbox.read()).length === 0) return 0;
    let events: readonly PendingEvent[] = [];
    await this.db.globalTransaction(async (manager) => {
      // The lock ensures that a second control plane sees the events that the first has appended.
      await manager.query('SELECT seq FROM audit_head WHERE id = 1 FOR UPDATE');
      events = await outbox.read();
      const known = await this.#findKnown(manager, events);
      const missing = events.filter(({ details }) => !known.has(identify(details)));
      if (missing.length > 0)
        await appendAudit(manager, this.secrets.auditChain, ...missing.map(({ details }) => details));
    });
    if (events.length > 0)
      await outbox.source.query(
        `DELETE FROM ${outbox.table} WHERE id IN (${events.map(() => '?').join(', ')})`,
        events.map(({ id }) => id),
      );
    return events.length;
  }

  /**
   * Returns the events that an earlier run appended to the log but did not delete from the outbox. The result
   * contains the texts of `identify`.
   */
  async #findKnown(manager: EntityManager, events: readonly PendingEvent[]): Promise<Set<string>> {
    if (events.length === 0) return new Set();
    const rows = await manager.query<
      {
        readonly action: string;
        readonly target: string;
        readonly organization_id: string | null;
        readonly request_id: string;
        readonly at: Date;
      }[]
    >(
      `SELECT action, target, organization_id, request_id, at FROM (SELECT action, target, organization_id, request_id, at FROM audit_event ORDER BY id DESC LIMIT ${RECENT_MAX}) recent WHERE request_id IN (${events.map(() => '?').join(', ')})`,
      events.map(({ details }) => details.requestId),
    );
    return new Set(
      rows.map((row) => identify({ ...row, organizationId: row.organization_id, requestId: row.request_id })),
    );
  }

  async #readPending(source: DataSource): Promise<PendingEvent[]> {
    const rows = await source.query<PendingRow[]>(
      `SELECT id, at, organization_id, project_id, account_id, action, target, detail, address, request_id FROM audit_pending WHERE cell_id = ? ORDER BY id LIMIT ${ROWS_MAX}`,
      [this.db.cellId],
    );
    return rows.map((row) => ({
      id: row.id,
      details: {
        at: row.at,
        organizationId: row.organization_id,
        projectId: row.project_id,
        accountId: row.account_id,
        action: row.action,
        target: row.target,
        detail: parseDetail(row.detail),
        address: row.address,
        requestId: row.request_id,
      },
    }));
  }

  async #readOfWorkers(): Promise<PendingEvent[]> {
    const rows = await this.db.cell.query<WorkerRow[]>(
      `SELECT o.id, o.at, o.database_id, d.project_id, o.action, o.target, o.detail FROM audit_outbox o LEFT JOIN tenant_database d ON d.id = o.database_id WHERE o.cell_id = ? ORDER BY o.id LIMIT ${ROWS_MAX}`,
      [this.db.cellId],
    );
    if (rows.length === 0) return [];
    const projects = await this.db.global.getRepository(Project).find({
      where: { id: In(rows.flatMap((row) => row.project_id ?? [])) },
      select: { id: true, organizationId: true },
    });
    const organizations = new Map(projects.map((project) => [project.id, project.organizationId]));
    return rows.map((row) => ({
      id: row.id,
      details: {
        at: row.at,
        organizationId: organizations.get(row.project_id ?? '') ?? null,
        projectId: row.project_id,
        accountId: null,
        action: row.action,
        target: row.target,
        detail: { ...parseDetail(row.detail), database_id: row.database_id },
        address: '',
        requestId: `${this.db.cellId}:outbox:${row.id}`,
      },
    }));
  }
}

function parseDetail(detail: Detail): Record<string, unknown> | null {
  return typeof detail === 'string' ? (JSON.parse(detail) as Record<string, unknown>) : detail;
}

/** Returns a text that identifies an event, both in its outbox and in the log. */
function identify(
  event: Pick<AuditDetails, 'action' | 'target' | 'organizationId' | 'requestId' | 'at'>,
): string {
  return JSON.stringify([
    event.action,
    event.target,
    event.organizationId,
    event.requestId,
    event.at.getTime(),
  ]);
}
