import type { SecretBox } from '@rowhouse/credentials';
import type { AdminPool } from '@rowhouse/mysql';
import type {
  AuditOutbox,
  DetectStore,
  SoftDeletedStore,
  MigrationJournal,
  MoveJournal,
  RequestPauses,
  RetentionStore,
  ShareStore,
  StepJournal,
  StorageStore,
  TaskJournal,
  TransferStore,
  ValueIndexJournal,
  WorkerDirectory,
} from '@rowhouse/platform-store';
import type { ChangePublisher, ChannelSigner, IgnoredReason } from '@rowhouse/queue';
import type { Logger } from '@rowhouse/runtime';
import type { OwnSessions } from './accounts/sessions/own-sessions.js';
import type { AccountRepairs } from './accounts/repair/repair-account.js';
import type { FailPoint } from './fail-points.js';
import type { PlanCache } from './scratch/plan-cache.js';
import type { ShareSettings } from './shares/bounds.js';
import type { ServerAccess } from './servers/server-access.js';

/** The dependencies of all work in this process. They are created once at start and never change. */
export interface WorkerContext {
  readonly cellId: string;
  /** This worker's name in leases. */
  readonly owner: string;
  readonly logger: Logger;
  readonly platform: AdminPool;
  readonly directory: WorkerDirectory;
  /** The outbox of events for the audit log. */
  readonly audits: AuditOutbox;
  readonly repairs: AccountRepairs;
  /** Sessions of this process for accounts that only workers use. */
  readonly own: OwnSessions;
  readonly tasks: TaskJournal;
  readonly migrations: MigrationJournal;
  readonly steps: StepJournal;
  readonly moves: MoveJournal;
  readonly pauses: RequestPauses;
  readonly softDeleted: SoftDeletedStore;
  readonly detects: DetectStore;
  readonly transfers: TransferStore;
  readonly values: ValueIndexJournal;
  readonly retention: RetentionStore;
  readonly storage: StorageStore;
  readonly shares: ShareStore;
  readonly changes: ChangePublisher;
  /** Signs messages between the cell's processes. */
  readonly signer: ChannelSigner;
  readonly countIgnored: (reason: IgnoredReason) => void;
  readonly box: SecretBox;
  readonly access: ServerAccess;
  readonly planCache: PlanCache;
  /** True when no migration may start or be taken over. Tasks continue. */
  readonly isDdlLocked: boolean;
  /** The maximum time in milliseconds that writes wait while a database moves to another server. */
  readonly movePauseMs: number;
  /** The interval in milliseconds between two sweeps of a server's accounts. */
  readonly accountSweepMs: number;
  /** The limits of direct connections on a server. */
  readonly shareSettings: ShareSettings;
  readonly failPoint: FailPoint;
}

/** The dependencies for finding databases and opening sessions on their servers. */
export type DatabaseAccess = Pick<WorkerContext, 'access' | 'directory'>;

/** The dependencies of tests in scratch databases. */
export type ScratchContext = Pick<WorkerContext, keyof DatabaseAccess | 'failPoint' | 'planCache'>;

/** The dependencies of imports, exports and backups. */
export type TransferContext = Pick<WorkerContext, keyof DatabaseAccess | 'failPoint' | 'transfers'>;

/** The dependencies of publishing snapshots to the gateways. */
export type PublishContext = Pick<
  WorkerContext,
  'cellId' | 'changes' | 'failPoint' | 'logger' | 'owner' | 'platform' | 'values'
>;

/** The dependencies of pausing the requests of a database. */
export type PauseContext = Pick<WorkerContext, 'cellId' | 'changes' | 'detects' | 'owner' | 'platform'>;

/** A lease of running work. `signal` aborts when the lease is lost. */
export interface HeldLease {
  readonly signal: AbortSignal;
  /**
   * Throws if the lease is lost, or has expired by this machine's clock. After a stall, the process detects
   * the expiry in this way even before its timers have run.
   */
  assertHeld(): void;
}

/** The lease of jobs that may wait for resources held by other jobs. */
export interface JobLease extends HeldLease {
  /** Sets whether the job waits. While it waits, its slot at this worker is free for other jobs. */
  setWaiting(isWaiting: boolean): void;
}
