import { QUESTION_KINDS, type ChangeEntry } from '@rowhouse/contracts';
import type { TenantPools } from '@rowhouse/mysql';
import { createGatewayVocabulary } from '@rowhouse/platform-store';
import { startServerClock, type Logger } from '@rowhouse/runtime';
import type { LiveSchemas, PreparedSchemas } from '@rowhouse/snapshot-store';
import { startChangeFollower, type ChangeFollower } from '../changes/change-follower.js';
import { startClockWatchdog, type ClockWatchdog } from '../changes/clock-watchdog.js';
import { createEntryBuffer } from '../changes/entry-buffer.js';
import { startLeaseRenewer, type LeaseRenewer } from '../changes/lease-renewer.js';
import type { GatewayConfig } from '../config.js';
import { createValueReader } from '../questions/vocabulary/read-values.js';
import { createVocabularyStore, type VocabularyStore } from '../questions/vocabulary/vocabulary-store.js';
import { createSchemaStores } from '../schema/create-schema-stores.js';
import { createTenantDirectory, type TenantDirectory } from '../tenant/tenant-directory.js';
import type { PlatformConnections } from './connect-platform.js';

/** Returns a function that logs the failure of one background step. */
export type Warn = (part: string) => (error: unknown) => void;

/** The cached parts of a cell, which follow its change log. */
export interface FollowedCell {
  readonly follower: ChangeFollower;
  readonly clockWatchdog: ClockWatchdog;
  readonly schemas: LiveSchemas;
  readonly prepared: PreparedSchemas;
  readonly tenants: TenantDirectory;
  readonly vocabularies: VocabularyStore;
  /**
   * Settles once the lease of this gateway is written, which must happen before the first request is served.
   */
  readonly leased: Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts to follow the change log of the cell. Rejects when the platform database is unavailable. */
export async function followCell(
  config: GatewayConfig,
  platform: PlatformConnections,
  pools: TenantPools,
  logger: Logger,
  warn: Warn,
): Promise<FollowedCell> {
  const { directory, changes, shared, box } = platform;
  let lease: LeaseRenewer | null = null;
  const renewLease = (): void => lease?.notify();
  // The follower may receive entries before the stores exist. The buffer stores these entries.
  const buffer = createEntryBuffer();
  const [follower, clock] = await Promise.all([
    startChangeFollower({
      changes,
      apply: (entry) => buffer.apply(entry),
      onApplied: renewLease,
      onFault: warn('change log'),
    }),
    startServerClock({ readTimeMs: () => changes.readTimeMs(), onFault: warn('clock') }),
  ]);
  const { changeTracker } = follower;
  const catchUp = (): Promise<void> => follower.readNow();
  const stores = { directory, shared, changeTracker, logger, onExceptions: renewLease, catchUp };
  const { schemas, prepared } = createSchemaStores(stores);
  // The lease is written while the other parts are created. `createGateway` waits for it before it serves
  // requests.
  const leased = startLease(config, platform, follower, [schemas, prepared], warn('lease'));
  leased.then(
    (started) => (lease = started),
    () => undefined,
  );
  const clockWatchdog = startClockWatchdog({
    catchUp: () => Promise.all([catchUp(), clock.sync()]).then(() => schemas.settle()),
    onFault: warn('catching up'),
  });
  const tenants = createTenantDirectory({
    directory,
    shared,
    changeTracker,
    secrets: box,
    clock,
    budget: config,
    codeTables: (databaseId) => schemas.codeTables(databaseId),
    onMoved({ record, server }) {
      for (const account of record.accounts) pools.forgetAccount(server.id, account.userName);
    },
  });
  const vocabularies = createVocabularyStore({
    source: createGatewayVocabulary(platform.pool, platform.cellId),
    readValues: createValueReader(pools, shared),
    requestComparison: (databaseId) => void platform.publisher.requestValues(databaseId),
    onFault: warn('question vocabulary'),
  });
  buffer.connect(createApply({ schemas, prepared, tenants, vocabularies }));
  const parts = { follower, clockWatchdog, schemas, prepared, tenants, vocabularies, leased };
  return {
    ...parts,
    async stop() {
      for (const part of [follower, clockWatchdog, clock, vocabularies]) part.stop();
      await lease?.stop();
    },
  };
}

/** Creates the function that applies an entry of the change log to the parts in memory. */
function createApply({
  schemas,
  prepared,
  tenants,
  vocabularies,
}: Pick<FollowedCell, 'schemas' | 'prepared' | 'tenants' | 'vocabularies'>): (entry: ChangeEntry) => void {
  return ({ database_id: databaseId, kind, version }) => {
    vocabularies.drop(databaseId, kind);
    if (QUESTION_KINDS.has(kind)) return;
    if (kind === 'prepared') prepared.note(databaseId);
    else if (kind === 'pause') {
      schemas.notePause(databaseId);
      prepared.drop(databaseId, Number.MAX_SAFE_INTEGER);
    } else if (kind === 'snapshot') {
      schemas.noteSnapshot(databaseId, version);
      prepared.drop(databaseId, version);
    } else tenants.drop(databaseId, kind);
  };
}

function startLease(
  { publicUrl: address }: GatewayConfig,
  { identity, changes }: PlatformConnections,
  { changeTracker }: ChangeFollower,
  stores: readonly { exceptions(): readonly string[] }[],
  onFault: (error: unknown) => void,
): Promise<LeaseRenewer> {
  return startLeaseRenewer({
    ...identity,
    changes,
    address,
    onFault,
    readState: () => ({
      appliedThroughSeq: changeTracker.appliedSeq(),
      exceptions: [...new Set(stores.flatMap((store) => store.exceptions()))],
    }),
  });
}
