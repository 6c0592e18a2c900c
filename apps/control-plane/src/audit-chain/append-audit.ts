import type { AuditChain } from '@rowhouse/credentials';
import type { EntityManager } from 'typeorm';
import { AuditEvent } from '../platform-db/entities/audit-event.js';

import { canonicalJson } from '@rowhouse/schema-model';

/** The content of an event, without its position in the log. */
export type AuditDetails = Omit<AuditEvent, 'id' | 'chainSeq' | 'chainKey' | 'chainLink'>;
/**
 * Appends events in the given order. The row of the chain's head stays locked until the transaction ends, so
 * all events have one order.
 */
export async function appendAudit(
  manager: EntityManager,
  chain: AuditChain,
  ...events: readonly AuditDetails[]
): Promise<void> {
  const [head] = await manager.query<{ seq: string | number; link: Buffer }[]>(
    'SELECT seq, link FROM audit_head WHERE id = 1 FOR UPDATE',
  );
  if (head === undefined) throw new Error('the head of the audit log is missing');
  let last = { seq: Number(head.seq), link: head.link };
  const rows = events.map((details) => {
    const seq = last.seq + 1;
    last = { seq, link: chain.link(last.link, seq, describeEvent(details)) };
    return {
      ...details,
      detail: details.detail as never,
      chainSeq: seq,
      chainKey: chain.keyId,
      chainLink: last.link,
    };
  });
  await manager.getRepository(AuditEvent).insert(rows);
  await manager.query('UPDATE audit_head SET seq = ?, link = ? WHERE id = 1', [last.seq, last.link]);
}

/** Returns the canonical text of an event, which is hashed for writing and verifying. */
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
