import type { Snapshot } from '@rowhouse/schema-model';
import { createLiveSchema, viewSchema, type LiveSchema, type RightsView } from './live-schema.js';
import type { SchemaUse, SnapshotPointer } from './live-schemas.js';
import { readSnapshot } from './snapshot-codec.js';

/**
 * Snapshots that were sent ahead: what a database will be when the change that is under way is made. Between the change
 * and its publication a request that does not find its names on the live one is planned again on this one.
 */
export interface PreparedSchemas {
  /** What is prepared above `number`, if it is in memory. No I/O. */
  use(databaseId: string, view: RightsView, number: number): SchemaUse | null;
  /** Asks the platform database what is prepared, for a request that has met a stale name. Throws when it cannot be read. */
  load(databaseId: string): Promise<void>;
  /** Something was prepared, or withdrawn. Read at once if the database is served here. */
  note(databaseId: string): void;
  /** Published through this number: what was prepared up to it is of no more use. */
  drop(databaseId: string, number: number): void;
  /** Databases of which something prepared is still being read, or still used by a request. */
  exceptions(): readonly string[];
}

export interface PreparedSchemasOptions {
  /** Null: nothing is prepared. */
  readonly readPrepared: (databaseId: string) => Promise<SnapshotPointer | null>;
  readonly readBody: (contentHash: string) => Promise<Buffer | null>;
  /** Whether requests for the database are served from memory here. */
  readonly isServed: (databaseId: string) => boolean;
  readonly onExceptions: () => void;
  readonly onFault: (databaseId: string, error: unknown) => void;
}

const VIEWS_MAX = 16;

export function createPreparedSchemas(options: PreparedSchemasOptions): PreparedSchemas {
  const prepared = new Map<string, LiveSchema>();
  const reading = new Map<string, Promise<void>>();
  /** Told of while they were read: what was read may be from before. */
  const again = new Set<string>();
  /** Dropped, but a request still runs on it. */
  const leaving = new Map<LiveSchema, string>();

  function load(databaseId: string): Promise<void> {
    const running = reading.get(databaseId);
    if (running !== undefined) return running;
    const loading = fetch(databaseId).finally(() => {
      reading.delete(databaseId);
      if (again.delete(databaseId)) loadInBackground(databaseId);
      options.onExceptions();
    });
    reading.set(databaseId, loading);
    options.onExceptions();
    return loading;
  }

  function loadInBackground(databaseId: string): void {
    load(databaseId).catch((error: unknown) => options.onFault(databaseId, error));
  }

  async function fetch(databaseId: string): Promise<void> {
    const pointer = await options.readPrepared(databaseId);
    const known = prepared.get(databaseId);
    if (pointer === null) return known === undefined ? undefined : leave(databaseId, known);
    if (known?.number === pointer.number && known.content.contentHash === pointer.contentHash) return;
    const body = await options.readBody(pointer.contentHash);
    if (body === null) throw new Error(`prepared content ${pointer.contentHash} is nowhere`);
    const { snapshot } = await readSnapshot(body, pointer.contentHash);
    if (known !== undefined) leave(databaseId, known);
    prepared.set(databaseId, toSchema(pointer, snapshot));
  }

  function leave(databaseId: string, schema: LiveSchema): void {
    prepared.delete(databaseId);
    if (schema.users > 0) leaving.set(schema, databaseId);
  }

  return {
    use(databaseId, view, number) {
      const schema = prepared.get(databaseId);
      if (schema === undefined || schema.number <= number) return null;
      const compiled = viewSchema(schema, view, VIEWS_MAX);
      schema.users += 1;
      const release = (): void => {
        schema.users -= 1;
        if (schema.users === 0 && leaving.delete(schema)) options.onExceptions();
      };
      return { number: schema.number, contentHash: schema.content.contentHash, compiled, release };
    },
    load,
    note(databaseId) {
      if (reading.has(databaseId)) again.add(databaseId);
      else if (options.isServed(databaseId) || prepared.has(databaseId)) loadInBackground(databaseId);
    },
    drop(databaseId, number) {
      const schema = prepared.get(databaseId);
      if (schema !== undefined && schema.number <= number) leave(databaseId, schema);
    },
    exceptions: () => [...reading.keys(), ...leaving.values()],
  };
}

function toSchema(pointer: SnapshotPointer, snapshot: Snapshot): LiveSchema {
  return createLiveSchema(pointer.number, { contentHash: pointer.contentHash, snapshot, codeTables: [], bytes: 0, viewBytes: 0, users: 1 }, undefined);
}
