import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { createContentCache, type SharedContent } from './content-cache.js';
import { createLiveSchema, viewSchema, type LiveSchema, type RightsView } from './live-schema.js';
import { createRequestPause, type RequestPause } from './request-pause.js';

/** Identifies the published snapshot of a database. Its numbers only increase. */
export interface SnapshotPointer {
  readonly number: number;
  readonly contentHash: string;
  /** How long requests of the database must still wait, in milliseconds. Undefined if they are not paused. */
  readonly pauseMs?: number;
}

/** A pointer that was read earlier. It is current if the database has not changed after `asOfSeq`. */
export interface DatedPointer extends SnapshotPointer {
  readonly asOfSeq: number;
}

/** A request's reference to the schema with which it started. Call `release` exactly once. */
export interface SchemaUse {
  readonly number: number;
  readonly contentHash: string;
  readonly compiled: CompiledSnapshot;
  release(): void;
}

export interface LiveSchemasOptions {
  /** The maximum memory of contents and views in bytes. The least recently used databases are removed. */
  readonly bytesMax: number;
  /** The maximum memory of compiled views in bytes. Compiling a view again takes 0.1 ms and needs no I/O. */
  readonly viewBytesMax: number;
  /** The maximum number of compiled views for each database. */
  readonly viewsMax: number;
  /** Reads the pointer from the platform database. Returns null if the database was deleted. */
  readonly readPointer: (databaseId: string) => Promise<SnapshotPointer | null>;
  /** Reads the stored body from any of its locations. Returns null if it does not exist. */
  readonly readBody: (contentHash: string) => Promise<Buffer | null>;
  /** Reports whether no change of the database after `asOfSeq` is known. */
  readonly isFresh: (databaseId: string, asOfSeq: number) => boolean;
  /** Applies all current entries of the change log. Called before requests continue after a pause. */
  readonly catchUp: () => Promise<void>;
  /** Called when the list of `exceptions()` has changed. */
  readonly onExceptions: () => void;
  readonly onFault: (databaseId: string, error: unknown) => void;
}

export interface LiveSchemas {
  /** Returns the live schema. Returns null if it must be loaded or if requests are paused. Needs no I/O. */
  use(databaseId: string, view: RightsView): SchemaUse | null;
  /** Loads the database. Callers at the same time share one load. Throws if it cannot be read. */
  load(databaseId: string, pointer: DatedPointer | null): Promise<void>;
  /** Reports that a snapshot was published. Has no effect if the database is not in memory. */
  noteSnapshot(databaseId: string, number: number): void;
  /** Reports a new or changed pause of requests. No request starts before the pause has been read. */
  notePause(databaseId: string): void;
  isPaused(databaseId: string): boolean;
  /** Returns how many changes of the pause were reported, so that longer work can detect a change. */
  pauses(databaseId: string): number;
  /** Waits until requests may start. Resolves with false if they should stop waiting. */
  awaitResumed(databaseId: string): Promise<boolean>;
  /** Reports whether a snapshot newer than `number` becomes live before the timeout. */
  waitForNewer(databaseId: string, number: number, timeoutMs: number): Promise<boolean>;
  /** Resolves when all announced snapshots are live. Throws if one cannot be read. */
  settle(): Promise<void>;
  /** Returns the databases for which a request may still use an outdated snapshot. */
  exceptions(): readonly string[];
  /** Returns the tables of the live schema for which a statement may run code that changes the session. */
  codeTables(databaseId: string): readonly string[];
  /** Reports whether the database is in memory. */
  has(databaseId: string): boolean;
  forget(databaseId: string): void;
  bytes(): number;
  /** Returns how many times a database was loaded or refreshed. */
  loads(): number;
}

/** The state of one database: its live schema, retired schemas in use, and the load in progress. */
interface Slot {
  live: LiveSchema | undefined;
  readonly retired: Set<LiveSchema>;
  loading: Promise<void> | null;
  /** The highest snapshot number that was announced or read. */
  known: number;
  readonly waiters: Set<() => void>;
  /** The current pause. Null if requests are not paused. */
  pause: RequestPause | null;
  /** The number of announced pause changes that the last read includes. */
  pausesRead: number;
}

const NO_TABLES: readonly string[] = [];

export function createLiveSchemas(options: LiveSchemasOptions): LiveSchemas {
  /** The databases in memory. They are in the order of their last use if the cache is half full. */
  const slots = new Map<string, Slot>();
  const contents = createContentCache(options.readBody);
  const following = new Set<string>();
  /** The schemas that have compiled views, in the order of their last use. */
  const viewed = new Set<LiveSchema>();
  /** The memory of all compiled views. Databases share contents, but each has views of its own. */
  let viewBytes = 0;
  let loads = 0;
  const bytes = (): number => contents.bytes() + viewBytes;
  /** The number of announced changes of the pause, for each database that was ever paused. */
  const pausesNoted = new Map<string, number>();
  const pauses = (databaseId: string): number => pausesNoted.get(databaseId) ?? 0;

  function slotOf(databaseId: string): Slot {
    let slot = slots.get(databaseId);
    if (slot === undefined) {
      slot = {
        live: undefined,
        retired: new Set(),
        loading: null,
        known: 0,
        waiters: new Set(),
        pause: null,
        pausesRead: pauses(databaseId),
      };
      slots.set(databaseId, slot);
    }
    return slot;
  }

  function judge(databaseId: string, slot: Slot): void {
    const isEnding = slot.pause !== null && slot.live !== undefined && slot.live.users > 0;
    const isAfter =
      isEnding ||
      slot.retired.size > 0 ||
      (slot.live !== undefined && slot.live.number < slot.known) ||
      (slot.live === undefined && slot.loading !== null && slot.known > 0);
    if (isAfter === following.has(databaseId)) return;
    if (isAfter) following.add(databaseId);
    else following.delete(databaseId);
    options.onExceptions();
  }

  function use(databaseId: string, view: RightsView): SchemaUse | null {
    const slot = slots.get(databaseId);
    const schema = slot?.live;
    if (slot === undefined || schema === undefined || slot.pause !== null) return null;
    if (bytes() > options.bytesMax / 2) {
      slots.delete(databaseId);
      slots.set(databaseId, slot);
    }
    if (viewBytes > options.viewBytesMax / 2) viewed.delete(schema);
    const views = schema.views.size;
    const compiled = viewSchema(schema, view, options.viewsMax);
    viewed.add(schema);
    schema.users += 1;
    if (schema.views.size !== views) {
      viewBytes += schema.content.viewBytes * (schema.views.size - views);
      dropViews();
      freeCapacity();
    }
    return {
      number: schema.number,
      contentHash: schema.content.contentHash,
      compiled,
      release: () => releaseUse(databaseId, slot, schema),
    };
  }

  function releaseUse(databaseId: string, slot: Slot, schema: LiveSchema): void {
    schema.users -= 1;
    if (schema.users > 0 || (!schema.isRetired && slot.pause === null)) return;
    if (slot.retired.delete(schema)) dispose(schema);
    judge(databaseId, slot);
  }

  function dispose(schema: LiveSchema): void {
    forgetViews(schema);
    contents.release(schema.content);
  }

  function forgetViews(schema: LiveSchema): void {
    viewBytes -= schema.content.viewBytes * schema.views.size;
    schema.views.clear();
    viewed.delete(schema);
  }

  /** Removes the views of the least recently used schemas that no request is using. */
  function dropViews(): void {
    for (const schema of viewed) {
      if (viewBytes <= options.viewBytesMax) return;
      if (schema.users === 0) forgetViews(schema);
    }
  }

  function load(databaseId: string, pointer: DatedPointer | null): Promise<void> {
    const slot = slotOf(databaseId);
    slot.loading ??= fetchLatest(databaseId, slot, pointer).finally(() => {
      slot.loading = null;
      dropEmpty(databaseId, slot);
      judge(databaseId, slot);
    });
    return slot.loading;
  }

  /** Reads the pointer until the live schema has the highest announced number. */
  async function fetchLatest(databaseId: string, slot: Slot, hint: DatedPointer | null): Promise<void> {
    loads += 1;
    let pointer: SnapshotPointer | null =
      hint !== null && hint.number >= slot.known && options.isFresh(databaseId, hint.asOfSeq) ? hint : null;
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const noted = pauses(databaseId);
      pointer ??= await options.readPointer(databaseId);
      if (pointer === null) return forget(databaseId);
      const content = await contents.acquire(pointer.contentHash);
      // Changes of rights that depend on the new names were announced before the pause ended, so they are
      // applied first.
      if (slot.pause !== null && pointer.pauseMs === undefined) await catchUpFor(content);
      if (!takePause(databaseId, slot, pointer, noted)) {
        contents.release(content);
        hint = null;
        pointer = null;
        continue;
      }
      swap(databaseId, slot, pointer.number, content);
      if (pointer.number >= slot.known && (hint === null || options.isFresh(databaseId, hint.asOfSeq)))
        return;
      hint = null;
      pointer = null;
    }
  }

  async function catchUpFor(content: SharedContent): Promise<void> {
    try {
      await options.catchUp();
    } catch (error) {
      contents.release(content);
      throw error;
    }
  }

  /** Applies the pause in a pointer. Returns false if the pause changed after the pointer was read. */
  function takePause(databaseId: string, slot: Slot, { pauseMs }: SnapshotPointer, noted: number): boolean {
    if (noted !== pauses(databaseId)) return false;
    slot.pausesRead = noted;
    if (pauseMs !== undefined) {
      holdRequests(databaseId, slot);
      slot.pause?.checkAgainIn(pauseMs);
    } else resume(slot);
    return true;
  }

  function holdRequests(databaseId: string, slot: Slot): void {
    slot.pause ??= createRequestPause(() => {
      if (slots.get(databaseId) === slot) refresh(databaseId);
    });
  }

  function resume(slot: Slot): void {
    slot.pause?.end();
    slot.pause = null;
  }

  /** Replaces the live schema. Requests in progress keep the schema with which they started. */
  function swap(databaseId: string, slot: Slot, number: number, content: SharedContent): void {
    const old = slot.live;
    if (old !== undefined && old.number >= number) return contents.release(content);
    slot.live = createLiveSchema(number, content, old);
    viewBytes += content.viewBytes * slot.live.views.size;
    if (slot.live.views.size > 0) viewed.add(slot.live);
    slot.known = Math.max(slot.known, number);
    if (old !== undefined) {
      old.isRetired = true;
      if (old.users > 0) slot.retired.add(old);
      else dispose(old);
    }
    judge(databaseId, slot);
    for (const wake of slot.waiters) wake();
    dropViews();
    freeCapacity();
  }

  function freeCapacity(): void {
    for (const [databaseId, slot] of slots) {
      if (bytes() <= options.bytesMax) return;
      if (
        slot.live !== undefined &&
        slot.live.users === 0 &&
        slot.retired.size === 0 &&
        slot.loading === null &&
        slot.pause === null
      )
        forget(databaseId);
    }
  }

  function forget(databaseId: string): void {
    const slot = slots.get(databaseId);
    if (slot?.live === undefined) return;
    const schema = slot.live;
    schema.isRetired = true;
    slot.live = undefined;
    resume(slot);
    if (schema.users > 0) slot.retired.add(schema);
    else dispose(schema);
    dropEmpty(databaseId, slot);
    judge(databaseId, slot);
  }

  /** Removes a database's state if it has no live schema, no load in progress and no waiting request. */
  function dropEmpty(databaseId: string, slot: Slot): void {
    if (
      slot.live !== undefined ||
      slot.loading !== null ||
      slot.waiters.size > 0 ||
      slots.get(databaseId) !== slot
    )
      return;
    resume(slot);
    slots.delete(databaseId);
  }

  function refresh(databaseId: string): void {
    const onFault = (error: unknown): void => {
      options.onFault(databaseId, error);
      setTimeout(() => retryRefresh(databaseId), 200).unref();
    };
    load(databaseId, null).then(() => refreshUnread(databaseId), onFault);
  }

  function retryRefresh(databaseId: string): void {
    const slot = slots.get(databaseId);
    if (slot?.live === undefined) return;
    if (slot.pause !== null || slot.live.number < slot.known) refresh(databaseId);
  }

  /** Starts another load if a change of the pause was announced too late for the last one. */
  function refreshUnread(databaseId: string): void {
    const slot = slots.get(databaseId);
    if (slot !== undefined && slot.pausesRead !== pauses(databaseId)) refresh(databaseId);
  }

  return {
    use,
    load,
    noteSnapshot(databaseId, number) {
      const slot = slots.get(databaseId);
      if (slot === undefined || number <= slot.known) return;
      slot.known = number;
      judge(databaseId, slot);
      // A load in progress reads `known` when it ends, so no other load is needed.
      if (slot.loading === null) refresh(databaseId);
    },
    notePause(databaseId) {
      pausesNoted.set(databaseId, pauses(databaseId) + 1);
      const slot = slots.get(databaseId);
      if (slot === undefined) return;
      holdRequests(databaseId, slot);
      judge(databaseId, slot);
      refresh(databaseId);
    },
    pauses,
    isPaused: (databaseId) => (slots.get(databaseId)?.pause ?? null) !== null,
    awaitResumed: (databaseId) => slots.get(databaseId)?.pause?.wait() ?? Promise.resolve(true),
    async waitForNewer(databaseId, number, timeoutMs) {
      const isNewer = (): boolean => (slots.get(databaseId)?.live?.number ?? 0) > number;
      await load(databaseId, null).catch((error: unknown) => options.onFault(databaseId, error));
      if (isNewer()) return true;
      const slot = slotOf(databaseId);
      await new Promise<void>((resolve) => {
        const finish = (): void => {
          if (!isNewer() && !isFinished) return;
          clearTimeout(timer);
          slot.waiters.delete(finish);
          dropEmpty(databaseId, slot);
          resolve();
        };
        let isFinished = false;
        const timer = setTimeout(() => {
          isFinished = true;
          finish();
        }, timeoutMs);
        slot.waiters.add(finish);
      });
      return isNewer();
    },
    async settle() {
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const late = [...slots]
          .filter(([, slot]) => slot.live !== undefined && slot.live.number < slot.known)
          .map(([databaseId]) => databaseId);
        if (late.length === 0) return;
        await Promise.all(late.map((databaseId) => load(databaseId, null)));
      }
      throw new Error('snapshots are announced again and again');
    },
    exceptions: () => [...following],
    codeTables: (databaseId) => slots.get(databaseId)?.live?.content.codeTables ?? NO_TABLES,
    has: (databaseId) => slots.get(databaseId)?.live !== undefined,
    forget,
    bytes,
    loads: () => loads,
  };
}
