import { LOCK_WAIT_TIMEOUT } from '@rowhouse/errors';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '../access/request-context.js';
import { appendAudit, type AuditDetails } from '../audit-chain/append-audit.js';
import { PlatformDb } from '../platform-db/platform-db.js';
import { AuditOutbox } from './audit-outbox.js';
import { Secrets } from './secrets.js';

export interface AuditNote {
  /** The action, for example `key.create` or `project.delete`. */
  readonly action: string;
  /** The id of the affected object. */
  readonly target: string;
  readonly organizationId?: string | null;
  readonly projectId?: string | null;
  readonly accountId?: string | null;
  readonly databaseId?: string;
  /** Details of the action. They must not contain secrets. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The maximum length of an event's details as JSON, because events are stored permanently. */
const DETAIL_LENGTH_MAX = 16_384;
/** The length from which a member of long details is omitted. */
const MEMBER_LENGTH_MAX = 500;

/** The maximum number of events that one transaction writes. */
const EVENTS_PER_WRITE_MAX = 100;

interface WaitingEvent {
  readonly details: AuditDetails;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes audit events. Members that a note omits are taken from the request.
 *
 * A change and its event are committed together, by `record`, `changeCell` or `changeGlobal`. The caller
 * therefore gets no error for a completed change, and no change is made without its event.
 *
 * Events without a change are appended to the log by `write`. Appending locks the head of the log, so each
 * process appends one batch at a time. Otherwise, concurrent requests would wait for that lock with every
 * connection of the pool.
 */
@Injectable()
export class AuditWriter {
  readonly #waiting: WaitingEvent[] = [];
  #isWriting = false;

  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
    private readonly outbox: AuditOutbox,
  ) {}

  /** Stores an event in the transaction of its change. The event reaches the log after the commit. */
  async record(manager: EntityManager, context: RequestContext, note: AuditNote): Promise<void> {
    await this.outbox.add(manager, this.#toDetails(context, note));
    this.db.afterCommit(manager, this.outbox.flush);
  }

  /** Changes the cell's tables and records the event in one transaction. */
  changeCell<T>(
    context: RequestContext,
    note: AuditNote,
    change: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.db.cellTransaction((manager) => this.#change(manager, context, note, change));
  }

  /** Changes the global tables and records the event in one transaction. */
  changeGlobal<T>(
    context: RequestContext,
    note: AuditNote,
    change: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.db.globalTransaction((manager) => this.#change(manager, context, note, change));
  }

  async #change<T>(
    manager: EntityManager,
    context: RequestContext,
    note: AuditNote,
    change: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const result = await change(manager);
    await this.record(manager, context, note);
    return result;
  }

  /** Appends the event of a request that made no change. Resolves when the event is committed. */
  write(context: RequestContext, note: AuditNote): Promise<void> {
    const details = this.#toDetails(context, note);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ details, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  #toDetails(context: RequestContext, note: AuditNote): AuditDetails {
    const reach = context.reachOrNone;
    const databaseId = note.databaseId ?? reach?.database?.id;
    return {
      at: new Date(this.db.nowMs()),
      organizationId: note.organizationId ?? reach?.organizationId ?? null,
      projectId: note.projectId ?? reach?.project?.id ?? null,
      accountId: note.accountId ?? context.callerOrNone?.account.id ?? null,
      action: note.action,
      target: note.target,
      detail: {
        ...limitDetail(note.detail ?? {}),
        ...(databaseId === undefined ? {} : { database_id: databaseId }),
      },
      address: context.address.slice(0, 64),
      requestId: context.requestId.slice(0, 64),
    };
  }

  /** Appends all waiting events. Never throws; the promise of each event settles instead. */
  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) await this.#writeBatch(this.#waiting.splice(0, EVENTS_PER_WRITE_MAX));
    this.#isWriting = false;
  }

  async #writeBatch(batch: readonly WaitingEvent[]): Promise<void> {
    try {
      await this.#append(batch);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // An event that the database rejects must not prevent the others, so the events are written one by one.
      if (batch.length > 1 && isRejection(error)) for (const event of batch) await this.#writeBatch([event]);
      else for (const { reject } of batch) reject(error);
    }
  }

  #append(batch: readonly WaitingEvent[]): Promise<void> {
    return this.db.globalTransaction((manager) =>
      appendAudit(manager, this.secrets.auditChain, ...batch.map(({ details }) => details)),
    );
  }
}

/** Replaces the long members of long details, such as the rights of a key to thousands of tables, by their length. */
function limitDetail(detail: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (JSON.stringify(detail).length <= DETAIL_LENGTH_MAX) return detail;
  return Object.fromEntries(
    Object.entries(detail).map(([name, value]) => {
      const { length } = JSON.stringify(value) ?? '';
      return [name, length <= MEMBER_LENGTH_MAX ? value : { omitted_characters: length }];
    }),
  );
}

/** Returns whether the server rejected the event. Returns false if the server was busy or did not respond. */
function isRejection(error: unknown): boolean {
  const { errno } = error as { readonly errno?: unknown };
  return typeof errno === 'number' && errno > 0 && errno !== LOCK_WAIT_TIMEOUT;
}
