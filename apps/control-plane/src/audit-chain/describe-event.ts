import { canonicalJson } from '@rowhouse/schema-model';
import type { AuditEvent } from '../platform-db/entities/audit-event.js';

/** What an event says, without its place in the log. */
export type AuditFacts = Omit<AuditEvent, 'id' | 'chainSeq' | 'chainKey' | 'chainLink'>;

/** The same text for the same event, as it is written and as it is read. */
export function describeEvent({ at, organizationId, projectId, accountId, action, target, detail, address, requestId }: AuditFacts): string {
  return canonicalJson([at.toISOString(), organizationId, projectId, accountId, action, target, detail ?? null, address, requestId]);
}
