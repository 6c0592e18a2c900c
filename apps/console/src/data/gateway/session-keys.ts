import type { SessionKeyAnswer } from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';

/** What a key is for: rows and questions as the member's role has them, or SQL that writes besides. */
export type KeyPurpose = 'rows' | 'sql-writes';

/** A key lives for 15 minutes. Counted from its making, so that a wrong clock of this machine does not matter. */
const RENEWED_AFTER_MS = 12 * 60_000;

interface HeldKey {
  readonly key: Promise<SessionKeyAnswer>;
  readonly mintedAtMs: number;
}

/** Keys that the console made for itself, by database and purpose. In memory only. */
const held = new Map<string, HeldKey>();

/** The console's own key of a database: made when first needed, and again before its time is over. Throws `ApiError`. */
export function readSessionKey(databaseId: string, purpose: KeyPurpose = 'rows'): Promise<SessionKeyAnswer> {
  const name = `${databaseId} ${purpose}`;
  const found = held.get(name);
  if (found && performance.now() - found.mintedAtMs < RENEWED_AFTER_MS) return found.key;
  const key = sendRequest<SessionKeyAnswer>('POST', `/api/databases/${databaseId}/session-key`, purpose === 'rows' ? {} : { sql_writes: true });
  held.set(name, { key, mintedAtMs: performance.now() });
  key.catch(() => held.delete(name));
  return key;
}

/** The same as the text that calls are made with. */
export async function readSessionSecret(databaseId: string): Promise<string> {
  return (await readSessionKey(databaseId)).secret;
}

/** The gateway does not take this key any more: the next call makes another. */
export function dropSessionKey(databaseId: string, purpose: KeyPurpose = 'rows'): void {
  held.delete(`${databaseId} ${purpose}`);
}

/** Nobody is signed in any more, or somebody else is. */
export function forgetSessionKeys(): void {
  held.clear();
}
