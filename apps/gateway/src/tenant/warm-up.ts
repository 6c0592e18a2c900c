import type { GatewayWarmList } from '@rowhouse/platform-store';
import type { LiveSchemas } from '@rowhouse/snapshot-store';
import type { ChangeTracker } from '../changes/change-tracker.js';
import type { TenantDirectory } from './tenant-directory.js';

/** Loads the busiest databases into memory before the first request needs them. */
export interface WarmUp {
  /** Returns true once all databases are loaded or the deadline has passed. */
  isFinished(): boolean;
  /** Settles when all databases are loaded, even after the deadline. Never rejects. */
  readonly done: Promise<void>;
  /** Prevents further batches from starting. */
  stop(): void;
}

export interface WarmUpOptions {
  readonly list: GatewayWarmList;
  readonly tenants: TenantDirectory;
  readonly schemas: LiveSchemas;
  readonly changeTracker: ChangeTracker;
  readonly onFault: (error: unknown) => void;
}

/**
 * After this time, in milliseconds, the gateway is ready even if its caches are still empty. Loading
 * continues.
 */
const DEADLINE_MS = 1_000;
const BUSY_MINUTES = 10;
const DATABASES_MAX = 2_000;
const BATCH_ROWS = 100;
const KEYS_PER_BATCH_MAX = 1_000;
const KEYS_USED_HOURS = 2;
/** The number of snapshots read concurrently. */
const LOADS_MAX = 16;

export function startWarmUp(options: WarmUpOptions): WarmUp {
  let isFinished = false;
  const finish = (): void => {
    isFinished = true;
  };
  const timer = setTimeout(finish, DEADLINE_MS);
  timer.unref();
  let isStopped = false;
  const done = loadBusiest(options, () => isStopped)
    .catch(options.onFault)
    .finally(() => {
      clearTimeout(timer);
      finish();
    });
  return {
    isFinished: () => isFinished,
    done,
    stop() {
      isStopped = true;
    },
  };
}

async function loadBusiest(options: WarmUpOptions, isStopped: () => boolean): Promise<void> {
  const databaseIds = await options.list.listBusiest(BUSY_MINUTES, DATABASES_MAX);
  for (let start = 0; start < databaseIds.length && !isStopped(); start += BATCH_ROWS)
    await loadBatch(options, databaseIds.slice(start, start + BATCH_ROWS));
}

async function loadBatch(
  { list, tenants, schemas, changeTracker, onFault }: WarmUpOptions,
  databaseIds: readonly string[],
): Promise<void> {
  const asOfSeq = changeTracker.observedSeq();
  const [records, keys] = await Promise.all([
    list.readDatabases(databaseIds),
    list.listUsedKeys(databaseIds, KEYS_USED_HOURS, KEYS_PER_BATCH_MAX),
  ]);
  const waiting = [...records];
  const loadNext = async (): Promise<void> => {
    for (let record = waiting.shift(); record !== undefined; record = waiting.shift()) {
      const { id, snapshotNumber: number, snapshotHash: contentHash } = record;
      const adopted = tenants.adopt(
        record,
        keys.filter((key) => key.record.databaseId === id),
        asOfSeq,
      );
      if (number === 0) continue;
      await schemas
        .load(id, record.requestsPaused === true ? null : { number, contentHash, asOfSeq })
        .catch(onFault);
      // Each set of rights has a separate view of the schema. Using it once builds the view.
      for (const tenant of adopted) schemas.use(id, tenant.view)?.release();
    }
  };
  await Promise.all(Array.from({ length: LOADS_MAX }, loadNext));
}
