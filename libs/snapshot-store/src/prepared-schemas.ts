import type { Snapshot } from '@rowhouse/schema-model';
import { createLiveSchema, viewSchema, type LiveSchema, type RightsView } from './live-schema.js';
import type { SchemaUse, SnapshotPointer } from './live-schemas.js';
import { readSnapshot } from './snapshot-codec.js';

/**
 * The snapshots that gateways receive before a change is published. Each is the state of a database after the
 * change in progress. Between the change and its publication, a request that contains names which do not
 * exist in the live schema is planned again with the prepared schema.
 */
export interface PreparedSchemas {
  /** Returns the prepared schema if its number is above `number` and it is in memory. Needs no I/O. */
  use(databaseId: string, view: RightsView, number: number): SchemaUse | null;
  /**
   * Reads the prepared schema from the platform database. Called if a request used an outdated name. Throws
   * if it cannot be read.
   */
  load(databaseId: string): Promise<void>;
  /**
   * Reports that a schema was prepared or withdrawn. If this process serves the database, the schema is read
   * immediately.
   */
  note(databaseId: string): void;
  /**
   * Reports that the snapshots up to this number are published. Prepared schemas up to this number are
   * removed.
   */
  drop(databaseId: string, number: number): void;
  /** Returns the databases whose prepared schema is still being read or used by a request. */
  exceptions(): readonly string[];
}

export interface PreparedSchemasOptions {
  /** Reads the pointer to the prepared schema. Returns null if no schema is prepared. */
  readonly readPrepared: (databaseId: string) => Promise<SnapshotPointer | null>;
  readonly readBody: (contentHash: string) => Promise<Buffer | null>;
  /** Reports whether this process serves requests for the database from memory. */
  readonly isServed: (databaseId: string) => boolean;
  readonly onExceptions: () => void;
  readonly onFault: (databaseId: string, error: unknown) => void;
}

const VIEWS_MAX = 16;

export function createPreparedSchemas(options: PreparedSchemasOptions): PreparedSchemas {
  const prepared = new Map<string, LiveSchema>();
  const state = new Map<string, Promise<void>>();
  /**
   * The databases for which another change was announced during a read. The read may have returned the state
   * before it.
   */
  const again = new Set<string>();
  /** Removed schemas that a request is still using. */
  const leaving = new Map<LiveSchema, string>();

  function load(databaseId: string): Promise<void> {
    const running = state.get(databaseId);
    if (running !== undefined) return running;
    const loading = fetch(databaseId).finally(() => {
      state.delete(databaseId);
      if (again.delete(databaseId)) loadInBackground(databaseId);
      options.onExceptions();
    });
    state.set(databaseId, loading);
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
    if (body === null) throw new Error(`the prepared snapshot content ${pointer.contentHash} does not exist`);
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
      if (state.has(databaseId)) again.add(databaseId);
      else if (options.isServed(databaseId) || prepared.has(databaseId)) loadInBackground(databaseId);
    },
    drop(databaseId, number) {
      const schema = prepared.get(databaseId);
      if (schema !== undefined && schema.number <= number) leave(databaseId, schema);
    },
    exceptions: () => [...state.keys(), ...leaving.values()],
  };
}

function toSchema(pointer: SnapshotPointer, snapshot: Snapshot): LiveSchema {
  return createLiveSchema(
    pointer.number,
    { contentHash: pointer.contentHash, snapshot, codeTables: [], bytes: 0, viewBytes: 0, users: 1 },
    undefined,
  );
}
