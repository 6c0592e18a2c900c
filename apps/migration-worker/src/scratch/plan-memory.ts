import type { WorkerServer } from '@rowhouse/platform-store';
import type { Snapshot } from '@rowhouse/schema-model';
import { isPlainDefinition } from './is-plain-definition.js';
import { sha256 } from '../snapshots/fingerprints.js';
import type { TriedStep } from './try-steps.js';

/** A draft and the steps of a plan: some hundred of either are in use at a time, and an entry is small. */
const DRAFTS_MAX = 500;
const TRIED_MAX = 200;
const STATEMENTS_MAX = 20_000;

type ServerIdentity = Pick<WorkerServer, 'id' | 'engine' | 'engineVersion'>;
type Tried = readonly Pick<TriedStep, 'rung' | 'side'>[];

/**
 * What servers have answered about schemas. The answers depend on texts and the server's version alone, so that a draft
 * that nobody changed is planned again without a scratch database. Empty after a start.
 */
export interface PlanMemory {
  /** Whether the server describes this draft as it is. */
  knows(server: ServerIdentity, draft: Snapshot): boolean;
  remember(server: ServerIdentity, draft: Snapshot): void;
  /** Whether the server took this CREATE statement and described the result by it, or is certain to. */
  accepts(server: ServerIdentity, sql: string): boolean;
  rememberAccepted(server: ServerIdentity, sql: string): void;
  /** How the server took these statements on this deployed schema; `key` names both. */
  readTried(server: ServerIdentity, key: string): Tried | undefined;
  rememberTried(server: ServerIdentity, key: string, tried: Tried): void;
}

export function createPlanMemory(): PlanMemory {
  const drafts = new Map<string, true>();
  const tried = new Map<string, Tried>();
  const accepted = new Map<string, true>();
  const draftKey = (server: ServerIdentity, draft: Snapshot): string => sha256(`${nameServer(server)} ${JSON.stringify([draft.engine, draft.tables, draft.routines ?? []])}`);
  const triedKey = (server: ServerIdentity, key: string): string => `${nameServer(server)} ${key}`;
  return {
    knows: (server, draft) => read(drafts, draftKey(server, draft)) === true,
    remember: (server, draft) => write(drafts, draftKey(server, draft), true, DRAFTS_MAX),
    accepts: (server, sql) => isPlainDefinition(sql) || read(accepted, sha256(`${nameServer(server)} ${sql}`)) === true,
    rememberAccepted: (server, sql) => write(accepted, sha256(`${nameServer(server)} ${sql}`), true, STATEMENTS_MAX),
    readTried: (server, key) => read(tried, triedKey(server, key)),
    rememberTried: (server, key, outcome) => write(tried, triedKey(server, key), outcome, TRIED_MAX),
  };
}

function nameServer({ id, engine, engineVersion }: ServerIdentity): string {
  return `${id} ${engine} ${engineVersion}`;
}

/** Moves what is read to the end: the entry that was not read for the longest time goes first. */
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
