import { Injectable } from '@nestjs/common';
import type { CallContext } from '../access/call-context.js';
import { appendAudit } from '../audit-chain/append-audit.js';
import { PlatformDb } from '../platform-db/platform-db.js';
import { Secrets } from './secrets.js';

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

/** Writes who did what, each linked to the one before. What the note leaves out is taken from the call. */
@Injectable()
export class AuditWriter {
  constructor(
    private readonly db: PlatformDb,
    private readonly secrets: Secrets,
  ) {}

  async write(call: CallContext, note: AuditNote): Promise<void> {
    const reach = call.reachOrNone;
    const databaseId = note.databaseId ?? reach?.database?.id;
    const detail = { ...note.detail, ...(databaseId === undefined ? {} : { database_id: databaseId }) };
    await this.db.globalTransaction((manager) => appendAudit(manager, this.secrets.auditChain, {
      at: new Date(this.db.nowMs()),
      organizationId: note.organizationId ?? reach?.organizationId ?? null,
      projectId: note.projectId ?? reach?.project?.id ?? null,
      accountId: note.accountId ?? call.callerOrNone?.account.id ?? null,
      action: note.action,
      target: note.target,
      detail,
      address: call.address.slice(0, 64),
      requestId: call.requestId.slice(0, 64),
    }));
  }
}
