import type { DirectSession } from '../shares/judge-sessions.js';

/** A session that does nothing and uses no memory. */
export const IDLE_SESSION: DirectSession = {
  id: 1,
  connectionId: 'con',
  userName: 'u',
  databaseId: 'db',
  ownerId: 'acc',
  isIdle: true,
  isAtWork: false,
  idleMs: 0,
  memoryBytes: 0,
  tempBytes: 0,
  namedLocks: 0,
  tempTables: 0,
  transactionMs: null,
};
