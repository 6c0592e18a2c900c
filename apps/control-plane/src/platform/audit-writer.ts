import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../access/request-context.js';
import { appendAudit, type AuditDetails } from '../audit-chain/append-audit.js';
import { PlatformDb } from '../platform-db/platform-db.js';
import { Secrets } from './secrets.js';

export interface AuditNote {
  /** For example `key.create` or `project.delete`. */
  readonly action: string;
  /** The id of the affected object. */
  readonly target: string;
  readonly organizationId?: string | null;
  readonly projectId?: string | null;
  readonly accountId?: string | null;
  readonly databaseId?: string;
  /** Must not contain secrets. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** The maximum number of events that one transaction writes. */
const EVENTS_PER_WRITE_MAX = 100;
/**
 * Another process held the head of the log for too long: writing the events one by one would wait as often.
 */
const LOCK_WAIT_TIMEOUT = 1205;

interface WaitingEvent {
  readonly facts: AuditDetails;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes audit events, each linked to the previous one. Missing members are taken from the call.
 *
 * The log has one head, which a transaction locks. So a process writes one batch of events at a time: if each
 * call locked the head itself, an account with many calls at once would hold every connection of the pool in
 * that queue, and everybody else would wait behind it.
 */
@Injectable()
export class AuditWriter {
  readonly #waiting: WaitingEvent[] = [];
  #isWriting = false;

  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
  ) {}

  /** Resolves when the event is committed. */
  write(context: RequestContext, note: AuditNote): Promise<void> {
    const details = this.#toFacts(context, note);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ facts: details, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  #toFacts(context: RequestContext, note: AuditNote): AuditDetails {
    const reach = context.reachOrNone;
    const databaseId = note.databaseId ?? reach?.database?.id;
    return {
      at: new Date(this.db.nowMs()),
      organizationId: note.organizationId ?? reach?.organizationId ?? null,
      projectId: note.projectId ?? reach?.project?.id ?? null,
      accountId: note.accountId ?? context.callerOrNone?.account.id ?? null,
      action: note.action,
      target: note.target,
      detail: { ...note.detail, ...(databaseId === undefined ? {} : { database_id: databaseId }) },
      address: context.address.slice(0, 64),
      requestId: context.requestId.slice(0, 64),
    };
  }

  /** Never throws: each event's own promise says what became of it. */
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
      // An event that the database refuses must not take others with it.
      if (batch.length > 1 && isRejection(error)) for (const event of batch) await this.#writeBatch([event]);
      else for (const { reject } of batch) reject(error);
    }
  }

  #append(batch: readonly WaitingEvent[]): Promise<void> {
    return this.db.globalTransaction((manager) =>
      appendAudit(manager, this.secrets.auditChain, ...batch.map(({ facts: details }) => details)),
    );
  }
}

/** Whether the server answered and refused, rather than being away or busy. */
function isRejection(error: unknown): boolean {
  const { errno } = error as { readonly errno?: unknown };
  return typeof errno === 'number' && errno > 0 && errno !== LOCK_WAIT_TIMEOUT;
}
