import { setTimeout as pause } from 'node:timers/promises';
import { createGate } from '@rowhouse/admission';
import type { ChangeKind, DatabaseRecord, KeyRecord } from '@rowhouse/contracts';
import type { SecretBox } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import type { GatewayDirectory, UsedKey } from '@rowhouse/platform-store';
import type { ServerClock } from '@rowhouse/runtime';
import type { RightsView } from '@rowhouse/snapshot-store';
import type { ChangeTracker } from '../changes/change-tracker.js';
import { expiredKey, invalidKey } from './read-credential.js';
import type { DatedRecord, SharedRecords } from './shared-records.js';
import type { Tenant, TenantDatabase } from './tenant.js';
import {
  toPublicView,
  toRightsView,
  toTenantDatabase,
  createServerRecords,
  type ConnectionBudget,
} from './to-tenant.js';
import { createUnknownKeys } from './unknown-keys.js';

/** Maps key hashes and database ids to the tenants and databases that this process serves. */
export interface TenantDirectory {
  /**
   * Returns the tenant from memory, or null. Does no I/O.
   *
   * @throws AppError `auth.expired_key` when the known key has expired
   */
  find(keyHash: string): Tenant | null;
  /**
   * Resolves a key through Redis and the platform database. `address` is the client whose misses are limited,
   * or null for a key that was already accepted.
   *
   * @throws AppError 401 for an unknown or expired key, 429 after too many misses, 503 when lookups are
   *   overloaded
   */
  resolve(keyHash: string, address: string | null): Promise<Tenant>;
  /** Returns null when the database does not exist. */
  findDatabase(databaseId: string): Promise<TenantDatabase | null>;
  /**
   * Waits until a move allows writes again, and returns the database at its current location.
   *
   * @throws AppError `db.unavailable` when that takes more than ten seconds or the database is gone
   */
  awaitPlacement(database: TenantDatabase): Promise<TenantDatabase>;
  /**
   * Returns the current rights of the key for which `view` was created, or the current public view.
   *
   * @throws AppError when the key is no longer valid
   */
  readCurrentView(databaseId: string, view: RightsView): Promise<RightsView>;
  /** Returns whether a change-log entry of the database was noted within the last ten seconds. */
  hasChangedLately(databaseId: string): boolean;
  /** Adds records that were read before the first request, unless a change to them is known since. */
  adopt(record: DatabaseRecord, keys: readonly UsedKey[], asOfSeq: number): readonly Tenant[];
  /** Handles a change to anything but the snapshot: outdated records are dropped and read again. */
  drop(databaseId: string, kind: ChangeKind): void;
  size(): { readonly keys: number; readonly databases: number };
  /** Returns how often a key was not in memory. */
  misses(): number;
}

export interface TenantDirectoryOptions {
  readonly directory: GatewayDirectory;
  readonly shared: SharedRecords;
  readonly changeTracker: ChangeTracker;
  readonly secrets: SecretBox;
  /** The clock by which keys expire. It follows the platform database, not this machine. */
  readonly clock: Pick<ServerClock, 'nowMs'>;
  readonly budget: ConnectionBudget;
  /**
   * Returns the tables of a live schema that run code of the tenant, such as triggers. A statement on such a
   * table may change settings of its session.
   */
  readonly codeTables: (databaseId: string) => readonly string[];
  /**
   * Called when the accounts or the location of the database may have changed. Open sessions of these
   * accounts must not be used again.
   */
  readonly onMoved: (database: TenantDatabase) => void;
  /** The maximum numbers of keys and databases in memory. The oldest are evicted. */
  readonly keysMax?: number;
  readonly databasesMax?: number;
}

const KEYS_MAX = 50_000;
const DATABASES_MAX = 50_000;
/** The kinds of changes after which open sessions cannot be trusted. */
const MOVING_KINDS: ReadonlySet<ChangeKind> = new Set(['account', 'move', 'suspend']);
/**
 * The maximum time that a write waits while its database moves. A move pauses writes for under two seconds.
 */
const MOVE_WAIT_MS_MAX = 10_000;
const MOVE_CHECK_INTERVAL_MS = 10;
/**
 * How long after an entry of the change log the privileges on the server may still change, in milliseconds.
 */
const LATELY_MS = 10_000;
const FETCHES_MAX = 64;
const FETCH_WAIT_MS = 1_000;

export function createTenantDirectory(options: TenantDirectoryOptions): TenantDirectory {
  const { directory, shared, changeTracker, keysMax = KEYS_MAX, databasesMax = DATABASES_MAX } = options;
  const tenants = new Map<string, Tenant>();
  const databases = new Map<string, TenantDatabase>();
  const keysByDatabase = new Map<string, Set<string>>();
  /** The key hash for which each view was created. */
  const viewers = new WeakMap<RightsView, string>();
  const resolving = new Map<string, Promise<Tenant>>();
  const loading = new Map<string, Promise<TenantDatabase | null>>();
  const unknown = createUnknownKeys();
  const servers = createServerRecords();
  let misses = 0;
  const gate = createGate({
    runningMax: FETCHES_MAX,
    waitingMax: 10_000,
    waitMs: FETCH_WAIT_MS,
    toError: () =>
      new AppError('limit.busy', {
        retryAfterSeconds: 1 + Math.round(Math.random()),
        internal: 'too many look-ups at once',
      }),
  });

  function checkExpiry(key: KeyRecord): void {
    if (key.expiresAtMs !== null && key.expiresAtMs <= options.clock.nowMs()) throw expiredKey();
  }

  function find(keyHash: string): Tenant | null {
    const tenant = tenants.get(keyHash);
    if (tenant === undefined) return null;
    if (tenant.key.expiresAtMs !== null) checkExpiry(tenant.key);
    return tenant;
  }

  async function resolve(keyHash: string, address: string | null): Promise<Tenant> {
    const nowMs = performance.now();
    misses += 1;
    if (unknown.isKnownMiss(keyHash, nowMs)) throw invalidKey('known miss');
    let pending = resolving.get(keyHash);
    if (pending === undefined) {
      // A client with too many unknown keys is rejected before it waits in the queue. `readTenant` checks
      // again, because more misses may have been counted in the meantime.
      unknown.checkAddress(address, nowMs);
      pending = gate.run(() => readTenant(keyHash, address)).finally(() => resolving.delete(keyHash));
      resolving.set(keyHash, pending);
    }
    return pending;
  }

  async function readTenant(keyHash: string, address: string | null): Promise<Tenant> {
    unknown.checkAddress(address, performance.now());
    // If something changes during the read, another round follows. Later rounds read the key only from the
    // platform database.
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const found = attempt === 0 ? await readKey(keyHash) : await readKeyAtSource(keyHash);
      if (found === null || found.value.revokedAtMs !== null) return rejectUnknown(keyHash, address);
      checkExpiry(found.value);
      const database = await findDatabase(found.value.databaseId);
      if (database === null) return rejectUnknown(keyHash, address);
      const isCurrent =
        changeTracker.isRecordFresh(found.value.databaseId, found.asOfSeq) &&
        databases.get(found.value.databaseId) === database;
      if (isCurrent) return remember(keyHash, found.value, database);
    }
    throw new AppError('limit.busy', {
      retryAfterSeconds: 1,
      internal: 'the key kept changing while it was read',
    });
  }

  function rejectUnknown(keyHash: string, address: string | null): never {
    unknown.noteMiss(keyHash, address, performance.now());
    throw invalidKey('no such key');
  }

  async function readKey(keyHash: string): Promise<DatedRecord<KeyRecord> | null> {
    const cached = await shared.readKey(keyHash);
    if (cached !== null && changeTracker.isRecordFresh(cached.value.databaseId, cached.asOfSeq))
      return cached;
    return readKeyAtSource(keyHash);
  }

  async function readKeyAtSource(keyHash: string): Promise<DatedRecord<KeyRecord> | null> {
    const asOfSeq = changeTracker.observedSeq();
    const value = await directory.readKey(Buffer.from(keyHash, 'hex'));
    if (value === null) return null;
    shared.writeKey(keyHash, value, asOfSeq);
    return { value, asOfSeq };
  }

  function findDatabase(databaseId: string): Promise<TenantDatabase | null> {
    const known = databases.get(databaseId);
    if (known !== undefined) return Promise.resolve(known);
    let pending = loading.get(databaseId);
    if (pending === undefined) {
      pending = readDatabase(databaseId).finally(() => loading.delete(databaseId));
      loading.set(databaseId, pending);
    }
    return pending;
  }

  async function readDatabase(databaseId: string): Promise<TenantDatabase | null> {
    const cached = await shared.readDatabase(databaseId);
    const isGood = cached !== null && changeTracker.isFresh(databaseId, cached.asOfSeq);
    let asOfSeq = isGood ? cached.asOfSeq : changeTracker.observedSeq();
    let record = isGood ? cached.value : await directory.readDatabase(databaseId);
    for (
      let attempt = 0;
      attempt < 4 && record !== null && !changeTracker.isRecordFresh(databaseId, asOfSeq);
      attempt += 1
    ) {
      asOfSeq = changeTracker.observedSeq();
      record = await directory.readDatabase(databaseId);
    }
    if (record === null) return null;
    if (!isGood) shared.writeDatabase(record, asOfSeq);
    return retainDatabase(record, asOfSeq);
  }

  function retainDatabase(record: DatabaseRecord, asOfSeq: number): TenantDatabase {
    const database = toTenantDatabase(servers.share(record), asOfSeq, {
      secrets: options.secrets,
      budget: options.budget,
      nowMs: options.clock.nowMs(),
      codeTables: options.codeTables,
    });
    const [oldest] = databases.keys();
    if (oldest !== undefined && databases.size >= databasesMax && !databases.has(record.id)) evict(oldest);
    databases.set(record.id, database);
    return database;
  }

  async function awaitPlacement(database: TenantDatabase): Promise<TenantDatabase> {
    const { id } = database.record;
    const endsAt = performance.now() + MOVE_WAIT_MS_MAX;
    while (performance.now() < endsAt) {
      const found = await findDatabase(id);
      if (found === null) break;
      if (!found.placement.isPaused) {
        if (found !== database) database.placement.latest = found;
        return found;
      }
      await pause(MOVE_CHECK_INTERVAL_MS);
      if (databases.get(id) === found && options.clock.nowMs() > (found.record.movingUntilMs ?? 0))
        await readAtSource(id);
    }
    throw new AppError('db.unavailable', { retryAfterSeconds: 1, internal: 'the database is being moved' });
  }

  /**
   * Reads the database's location from the platform database. It is used when a move's time is over, but no
   * entry of the change log has ended the pause.
   */
  async function readAtSource(databaseId: string): Promise<void> {
    const asOfSeq = changeTracker.observedSeq();
    const record = await directory.readDatabase(databaseId);
    if (record !== null && changeTracker.isRecordFresh(databaseId, asOfSeq)) retainDatabase(record, asOfSeq);
  }

  async function readCurrentView(databaseId: string, view: RightsView): Promise<RightsView> {
    const keyHash = viewers.get(view);
    if (keyHash !== undefined) return (find(keyHash) ?? (await resolve(keyHash, null))).view;
    const database = await findDatabase(databaseId);
    if (database === null)
      throw new AppError('db.unavailable', { retryAfterSeconds: 1, internal: 'the database is gone' });
    const current = toPublicView(database.record.settings);
    return current.name === view.name ? view : current;
  }

  function adopt(record: DatabaseRecord, keys: readonly UsedKey[], asOfSeq: number): readonly Tenant[] {
    if (
      databases.has(record.id) ||
      loading.has(record.id) ||
      !changeTracker.isRecordFresh(record.id, asOfSeq)
    )
      return [];
    const database = retainDatabase(record, asOfSeq);
    return keys.map((key) => remember(key.keyHash, key.record, database));
  }

  function remember(keyHash: string, key: KeyRecord, database: TenantDatabase): Tenant {
    const tenant: Tenant = { key, keyHash, database, view: toRightsView(key, database.record.settings) };
    const [oldest] = tenants;
    tenants.set(keyHash, tenant);
    viewers.set(tenant.view, keyHash);
    const keys = keysByDatabase.get(key.databaseId) ?? new Set();
    keysByDatabase.set(key.databaseId, keys.add(keyHash));
    if (oldest !== undefined && tenants.size > keysMax) forget(oldest[0], oldest[1]);
    return tenant;
  }

  /** Removes a key from memory. The database is removed together with its last key. */
  function forget(keyHash: string, tenant: Tenant): void {
    tenants.delete(keyHash);
    const keys = keysByDatabase.get(tenant.key.databaseId);
    keys?.delete(keyHash);
    if (keys?.size === 0) evict(tenant.key.databaseId);
  }

  function forgetKeys(databaseId: string): void {
    for (const keyHash of keysByDatabase.get(databaseId) ?? []) tenants.delete(keyHash);
    keysByDatabase.delete(databaseId);
  }

  /**
   * Removes a database from memory. A later entry of the change log cannot reach requests that still use it.
   * They therefore read its location again before their next write.
   */
  function remove(database: TenantDatabase): void {
    databases.delete(database.record.id);
    database.placement.isOutdated = true;
    database.placement.isPaused = true;
  }

  function evict(databaseId: string): void {
    forgetKeys(databaseId);
    const database = databases.get(databaseId);
    if (database === undefined) return;
    remove(database);
    options.onMoved(database);
  }

  function drop(databaseId: string, kind: ChangeKind): void {
    forgetKeys(databaseId);
    const database = databases.get(databaseId);
    if (kind === 'key' || database === undefined) return;
    remove(database);
    if (MOVING_KINDS.has(kind)) options.onMoved(database);
  }

  return {
    find,
    resolve,
    findDatabase,
    awaitPlacement,
    readCurrentView,
    hasChangedLately: (databaseId) =>
      changeTracker.hasChangedSince(databaseId, performance.now() - LATELY_MS),
    adopt,
    drop,
    size: () => ({ keys: tenants.size, databases: databases.size }),
    misses: () => misses,
  };
}
