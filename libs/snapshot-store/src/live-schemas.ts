import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { createContentCache, type SharedContent } from './content-cache.js';
import { createLiveSchema, viewSchema, type LiveSchema, type RightsView } from './live-schema.js';
import { createRequestPause, type RequestPause } from './request-pause.js';

/** Identifies the deployed snapshot of a database. Numbers only grow. */
export interface SnapshotPointer {
  readonly number: number;
  readonly contentHash: string;
  /** How long requests of the database wait, if they are paused. */
  readonly pauseMs?: number;
}

/** A pointer that was read earlier. It is current if the database has not changed after `asOfSeq`. */
export interface DatedPointer extends SnapshotPointer {
  readonly asOfSeq: number;
}

/** A request's reference to the schema with which the request started. Call `release` exactly once. */
export interface SchemaUse {
  readonly number: number;
  readonly contentHash: string;
  readonly compiled: CompiledSnapshot;
  release(): void;
}

export interface LiveSchemasOptions {
  /** The limit for contents and views in bytes. The least recently used databases are evicted. */
  readonly bytesMax: number;
  /** The limit for compiled views alone, in bytes. Compiling a view again takes 0.1 ms and no I/O. */
  readonly viewBytesMax: number;
  /** The maximum number of compiled views per database. */
  readonly viewsMax: number;
  /** Reads the pointer from the platform database; null when the database is deleted. */
  readonly readPointer: (databaseId: string) => Promise<SnapshotPointer | null>;
  /** Reads the stored body from any of its locations; null when it does not exist. */
  readonly readBody: (contentHash: string) => Promise<Buffer | null>;
  /** Returns whether no change of the database after `asOfSeq` is known. */
  readonly isFresh: (databaseId: string, asOfSeq: number) => boolean;
  /** Applies all current entries of the change log. Called before requests resume. */
  readonly catchUp: () => Promise<void>;
  /** Called when the list of `exceptions()` has changed. */
  readonly onExceptions: () => void;
  readonly onFault: (databaseId: string, error: unknown) => void;
}

export interface LiveSchemas {
  /** Returns the live schema, or null when it must be loaded or requests are paused. Does no I/O. */
  use(databaseId: string, view: RightsView): SchemaUse | null;
  /** Loads the database. Concurrent callers share one load. Throws when it cannot be read. */
  load(databaseId: string, pointer: DatedPointer | null): Promise<void>;
  /** Reports a published snapshot. Has no effect if the database is not in memory. */
  noteSnapshot(databaseId: string, number: number): void;
  /** Reports a change of the pause. No request starts before the pause has been read. */
  notePause(databaseId: string): void;
  isPaused(databaseId: string): boolean;
  /** Returns how many pause changes were announced, so that longer work can detect one. */
  pauses(databaseId: string): number;
  /** Waits until requests may start. Resolves with false when they should stop waiting. */
  awaitResumed(databaseId: string): Promise<boolean>;
  /** Returns whether a snapshot above `number` becomes live in time. Reads the platform database first. */
  waitForNewer(databaseId: string, number: number, timeoutMs: number): Promise<boolean>;
  /** Resolves when every announced snapshot is live. Throws when one cannot be read. */
  settle(): Promise<void>;
  /** Returns the databases that may still run a request on an outdated snapshot. */
  exceptions(): readonly string[];
  /** Returns the live schema's tables whose statements may change their session. */
  codeTables(databaseId: string): readonly string[];
  /** Returns whether the database is in memory. */
  has(databaseId: string): boolean;
  forget(databaseId: string): void;
  bytes(): number;
  /** Returns how many times a database was loaded or refreshed. */
  loads(): number;
}

/** One database: its live schema, retired schemas still in use, and the load in progress. */
interface Slot {
  live: LiveSchema | undefined;
  readonly retired: Set<LiveSchema>;
  loading: Promise<void> | null;
  /** The highest snapshot number that was announced or read. */
  known: number;
  readonly waiters: Set<() => void>;
  /** Set while requests wait. */
  pause: RequestPause | null;
  /** The number of announced pause changes that the last read reflects. */
  pausesRead: number;
}

const NO_TABLES: readonly string[] = [];

export function createLiveSchemas(options: LiveSchemasOptions): LiveSchemas {
  /** The slots in order of use. Once the cache is more than half full, a used slot is moved to the end. */
  const slots = new Map<string, Slot>();
  const contents = createContentCache(options.readBody);
  const following = new Set<string>();
  /** The schemas that have views, in order of use like the slots. */
  const viewed = new Set<LiveSchema>();
  /** Databases share contents, but each has its own compiled views. */
  let viewBytes = 0;
  let loads = 0;
  const bytes = (): number => contents.bytes() + viewBytes;
  /** The few databases that were ever paused. Entries outlive the slots. */
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

  /** Drops the views of the least recently used schemas, but never those of a schema in use. */
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

  /** Reads the pointer until the live schema reaches the known number, and again after an announcement. */
  async function fetchLatest(databaseId: string, slot: Slot, hint: DatedPointer | null): Promise<void> {
    loads += 1;
    let pointer: SnapshotPointer | null =
      hint !== null && hint.number >= slot.known && options.isFresh(databaseId, hint.asOfSeq) ? hint : null;
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const noted = pauses(databaseId);
      pointer ??= await options.readPointer(databaseId);
      if (pointer === null) return forget(databaseId);
      const content = await contents.acquire(pointer.contentHash);
      // Changes of rights that depend on the new names were announced before the pause was lifted.
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

  /** Applies the pointer's pause. Returns false when the pause changed after the pointer was read. */
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

  /** Makes the new schema live by one assignment. Requests in progress keep using their schema. */
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

  /** Removes a slot without a live schema, a load or waiters. */
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

  /** Starts another load when a change of the pause was announced too late for the last one. */
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
