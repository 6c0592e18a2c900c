import { Injectable } from '@nestjs/common';
import type { CallContext } from '../access/call-context.js';
import { AuditEvent } from '../platform-db/entities/audit-event.js';
import { PlatformDb } from '../platform-db/platform-db.js';

export interface AuditNote {
  /** `key.create`, `project.delete` */
  readonly action: string;
  /** The id of what was acted on. */
  readonly target: string;
  readonly organizationId?: string | null;
  readonly projectId?: string | null;
  readonly accountId?: string | null;
  readonly databaseId?: string;
  /** Never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Writes who did what. What the note leaves out is taken from the call. */
@Injectable()
export class AuditWriter {
  constructor(private readonly db: PlatformDb) {}

  async write(call: CallContext, note: AuditNote): Promise<void> {
    const reach = call.reachOrNone;
    const databaseId = note.databaseId ?? reach?.database?.id;
    const detail = { ...note.detail, ...(databaseId === undefined ? {} : { database_id: databaseId }) };
    await this.db.global.getRepository(AuditEvent).insert({
      at: new Date(),
      organizationId: note.organizationId ?? reach?.organizationId ?? null,
      projectId: note.projectId ?? reach?.project?.id ?? null,
      accountId: note.accountId ?? call.callerOrNone?.account.id ?? null,
      action: note.action,
      target: note.target,
      detail: detail as never,
      address: call.address.slice(0, 64),
      requestId: call.requestId.slice(0, 64),
    });
  }
}
