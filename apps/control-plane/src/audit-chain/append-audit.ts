import type { AuditChain } from '@rowhouse/credentials';
import type { EntityManager } from 'typeorm';
import { AuditEvent } from '../platform-db/entities/audit-event.js';
import { describeEvent, type AuditFacts } from './describe-event.js';

/**
 * Appends one event. The row of the chain's head stays locked until the transaction ends, so events have one
 * order.
 */
export async function appendAudit(manager: EntityManager, chain: AuditChain, facts: AuditFacts): Promise<void> {
  const [head] = await manager.query<{ seq: string | number; link: Buffer }[]>('SELECT seq, link FROM audit_head WHERE id = 1 FOR UPDATE');
  if (head === undefined) throw new Error('the head of the audit log is gone');
  const seq = Number(head.seq) + 1;
  const link = chain.link(head.link, seq, describeEvent(facts));
  await manager.getRepository(AuditEvent).insert({ ...facts, detail: facts.detail as never, chainSeq: seq, chainKey: chain.keyId, chainLink: link });
  await manager.query('UPDATE audit_head SET seq = ?, link = ? WHERE id = 1', [seq, link]);
}
