import type { WorkerServer } from '@rowhouse/platform-store';
import type { Snapshot } from '@rowhouse/schema-model';
import { isPlainDefinition } from './is-plain-definition.js';
import { sha256 } from '../snapshots/fingerprints.js';
import type { TestedStep } from './try-steps.js';

/** Limits for drafts and tried plans. A few hundred of each are in use at a time, and an entry is small. */
const DRAFTS_MAX = 500;
const TRIED_MAX = 200;
const STATEMENTS_MAX = 20_000;

type ServerIdentity = Pick<WorkerServer, 'id' | 'engine' | 'engineVersion'>;
type TestedSteps = readonly Pick<TestedStep, 'algorithm' | 'side'>[];

/**
 * A cache of servers' answers about schemas. They depend only on texts and the server's version, so an
 * unchanged draft can be planned again without a scratch database. It is empty after a start.
 */
export interface PlanCache {
  /** Returns whether the server describes this draft unchanged. */
  knows(server: ServerIdentity, draft: Snapshot): boolean;
  remember(server: ServerIdentity, draft: Snapshot): void;
  /**
   * Returns whether the server has accepted this CREATE statement and describes the
   * result by it, or certainly would.
   */
  accepts(server: ServerIdentity, sql: string): boolean;
  rememberAccepted(server: ServerIdentity, sql: string): void;
  /** Returns how the server accepted these statements on this deployed schema. `key` identifies both. */
  readTried(server: ServerIdentity, key: string): TestedSteps | undefined;
  rememberTried(server: ServerIdentity, key: string, tried: TestedSteps): void;
}

export function createPlanCache(): PlanCache {
  const drafts = new Map<string, true>();
  const tried = new Map<string, TestedSteps>();
  const accepted = new Map<string, true>();
  const draftKey = (server: ServerIdentity, draft: Snapshot): string =>
    sha256(`${nameServer(server)} ${JSON.stringify([draft.engine, draft.tables, draft.routines ?? []])}`);
  const triedKey = (server: ServerIdentity, key: string): string => `${nameServer(server)} ${key}`;
  return {
    knows: (server, draft) => read(drafts, draftKey(server, draft)) === true,
    remember: (server, draft) => write(drafts, draftKey(server, draft), true, DRAFTS_MAX),
    accepts: (server, sql) =>
      isPlainDefinition(sql) || read(accepted, sha256(`${nameServer(server)} ${sql}`)) === true,
    rememberAccepted: (server, sql) =>
      write(accepted, sha256(`${nameServer(server)} ${sql}`), true, STATEMENTS_MAX),
    readTried: (server, key) => read(tried, triedKey(server, key)),
    rememberTried: (server, key, outcome) => write(tried, triedKey(server, key), outcome, TRIED_MAX),
  };
}

function nameServer({ id, engine, engineVersion }: ServerIdentity): string {
  return `${id} ${engine} ${engineVersion}`;
}

/** Makes an entry the last one when it is read, so that the least recently used one is evicted first. */
function read<T>(entries: Map<string, T>, key: string): T | undefined {
  const value = entries.get(key);
  if (value !== undefined) write(entries, key, value, Number.POSITIVE_INFINITY);
  return value;
}

function write<T>(entries: Map<string, T>, key: string, value: T, entriesMax: number): void {
  entries.delete(key);
  entries.set(key, value);
  for (const oldest of entries.keys()) {
    if (entries.size <= entriesMax) return;
    entries.delete(oldest);
  }
}
