import { AUDIT_CHAIN_START } from '@rowhouse/credentials';
import type { DataSource } from 'typeorm';
import type { AuditChains } from '../key-rotation/audit-keys.js';
import { AuditEvent } from '../platform-db/entities/audit-event.js';
import { describeEvent } from './append-audit.js';
import { followKeys } from './active-keys.js';

export interface ChainFindings {
  readonly events: number;
  /** The number of events that were written before the chain existed. */
  readonly unchained: number;
  /** The faults as text, in order. Empty for a valid log. */
  readonly faults: readonly string[];
  /**
   * The link of the last event as hexadecimal digits. If you store it elsewhere, it reveals a later
   * truncation of the log.
   */
  readonly head: string;
}

const PAGE_ROWS = 1_000;
const FAULTS_MAX = 20;

/**
 * Verifies the log from its first link to its last.
 *
 * @param noted the link of an earlier head, which must still be part of the log
 */
export async function verifyChain(
  db: DataSource,
  chains: AuditChains,
  noted: string | null,
): Promise<ChainFindings> {
  const byKey = new Map([...chains.current, ...chains.earlier].map((chain) => [chain.keyId, chain]));
  const keys = followKeys(
    chains.current.map((chain) => chain.keyId),
    chains.earlier.length > 0,
  );
  const faults: string[] = [];
  const addFault = (fault: string): void => {
    if (faults.length < FAULTS_MAX) faults.push(fault);
  };
  let previous: Buffer = AUDIT_CHAIN_START;
  let seq = 0;
  let isNotedFound = noted === null;
  for (;;) {
    const rows = await db
      .getRepository(AuditEvent)
      .createQueryBuilder('event')
      .where('event.chainSeq > :seq', { seq })
      .orderBy('event.chainSeq', 'ASC')
      .take(PAGE_ROWS)
      .getMany();
    for (const row of rows) {
      const index = Number(row.chainSeq);
      if (index !== seq + 1) addFault(`${index - seq - 1} events are missing before ${index}`);
      const chain = byKey.get(row.chainKey ?? '');
      if (chain === undefined)
        addFault(
          `event ${index} was signed with a master key that is not available (${row.chainKey ?? 'none'})`,
        );
      else if (!chain.link(previous, index, describeEvent(row)).equals(row.chainLink ?? AUDIT_CHAIN_START))
        addFault(`event ${index} (${row.action}, ${row.at.toISOString()}) or the previous event was changed`);
      else keys.pass({ seq: index, keyId: chain.keyId, action: row.action, target: row.target });
      previous = row.chainLink ?? AUDIT_CHAIN_START;
      seq = index;
      isNotedFound ||= previous.toString('hex') === noted;
    }
    if (rows.length < PAGE_ROWS) break;
  }
  keys.faults().forEach(addFault);
  const [head] = await db.query<{ seq: string; link: Buffer }[]>(
    'SELECT seq, link FROM audit_head WHERE id = 1',
  );
  if (head === undefined || Number(head.seq) !== seq || !head.link.equals(previous))
    addFault(
      `the log ends at ${seq}, but its head is at ${head?.seq ?? 'no event'}, so events at the end ` +
        'are missing',
    );
  if (!isNotedFound) addFault('the recorded head is not in the log, so its end was removed or rewritten');
  const [free] = await db.query<{ early: string; late: string | null }[]>(
    'SELECT COUNT(*) AS early, SUM(id > COALESCE((SELECT MIN(id) FROM audit_event WHERE chain_seq IS NOT NULL), 0)) AS late FROM audit_event WHERE chain_seq IS NULL',
  );
  if (seq > 0 && Number(free?.late ?? 0) > 0) addFault(`${free?.late} events were added without a signature`);
  return { events: seq, unchained: Number(free?.early ?? 0), faults, head: previous.toString('hex') };
}
