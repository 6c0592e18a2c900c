import { canonicalJson } from '@rowhouse/schema-model';
import type { AuditEvent } from '../platform-db/entities/audit-event.js';

/** The content of an event without its position in the log. */
export type AuditDetails = Omit<AuditEvent, 'id' | 'chainSeq' | 'chainKey' | 'chainLink'>;

/** Returns the canonical text of an event, for writing and verifying. */
export function describeEvent({
  at: date,
  organizationId,
  projectId,
  accountId,
  action,
  target,
  detail,
  address,
  requestId,
}: AuditDetails): string {
  return canonicalJson([
    date.toISOString(),
    organizationId,
    projectId,
    accountId,
    action,
    target,
    detail ?? null,
    address,
    requestId,
  ]);
}
