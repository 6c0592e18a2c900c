import { Injectable } from '@nestjs/common';
import type { CallContext } from '../access/call-context.js';
import { appendAudit } from '../audit-chain/append-audit.js';
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

/** Writes audit events, each linked to the previous one. Missing members are taken from the call. */
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
