import type { SessionKeyResponse } from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';

/**
 * The purpose of a key. `rows` is for rows and questions with the member's role. `sql-writes` also allows SQL
 * statements that write.
 */
export type KeyPurpose = 'rows' | 'sql-writes';

/**
 * The console replaces its key after 12 of the 15 minutes for which it is valid. The time is counted from
 * when the key was created here, so a wrong local clock does not matter.
 */
const RENEWED_AFTER_MS = 12 * 60_000;

interface HeldKey {
  readonly key: Promise<SessionKeyResponse>;
  readonly mintedAtMs: number;
  /** The secret of the key. Null until the key is created. */
  secret: string | null;
}

/** The console's keys by database and purpose. They are only held in memory. */
const held = new Map<string, HeldKey>();

/**
 * Returns the console's key of a database. It is created on first use and replaced before it expires. Throws
 * `ApiError`.
 */
export function readSessionKey(
  databaseId: string,
  purpose: KeyPurpose = 'rows',
): Promise<SessionKeyResponse> {
  const name = `${databaseId} ${purpose}`;
  const found = held.get(name);
  if (found && performance.now() - found.mintedAtMs < RENEWED_AFTER_MS) return found.key;
  const key = sendRequest<SessionKeyResponse>(
    'POST',
    `/api/databases/${databaseId}/session-key`,
    purpose === 'rows' ? {} : { sql_writes: true },
  );
  const entry: HeldKey = { key, mintedAtMs: performance.now(), secret: null };
  held.set(name, entry);
  key.then(
    ({ secret }) => (entry.secret = secret),
    () => held.get(name) === entry && held.delete(name),
  );
  return key;
}

/** Returns the secret of the console's key for rows of a database. */
export async function readSessionSecret(databaseId: string): Promise<string> {
  return (await readSessionKey(databaseId)).secret;
}

/**
 * Forgets the key with this secret because the gateway rejected it. The next call creates another key. If a
 * parallel request has already replaced the key, the new key stays.
 */
export function dropSessionKey(databaseId: string, purpose: KeyPurpose = 'rows', usedSecret: string): void {
  const name = `${databaseId} ${purpose}`;
  if (held.get(name)?.secret === usedSecret) held.delete(name);
}

/** Forgets all keys after a sign-out or a change of user. */
export function forgetSessionKeys(): void {
  held.clear();
}
