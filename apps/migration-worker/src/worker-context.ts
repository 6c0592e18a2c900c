import type { SecretBox } from '@rowhouse/credentials';
import type { AdminPool } from '@rowhouse/mysql';
import type { AuditOutbox, DetectStore, KeptStore, MigrationJournal, MoveJournal, RequestPauses, RetentionStore, ShareStore, StepJournal, StorageStore, TaskJournal, TransferStore, ValueIndexJournal, WorkerDirectory } from '@rowhouse/platform-store';
import type { ChangePublisher, ChannelSigner, IgnoredReason } from '@rowhouse/queue';
import type { Logger } from '@rowhouse/runtime';
import type { OwnSessions } from './accounts/platform-sessions.js';
import type { AccountRepairs } from './accounts/repair-account.js';
import type { FailPoint } from './fail-points.js';
import type { PlanMemory } from './scratch/plan-memory.js';
import type { ShareSettings } from './shares/bounds.js';
import type { ServerAccess } from './servers/server-access.js';

/** What every piece of work gets: made once at start, never changed. */
export interface WorkerContext {
  readonly cellId: string;
  /** This worker's name in leases. */
  readonly owner: string;
  readonly logger: Logger;
  readonly platform: AdminPool;
  readonly directory: WorkerDirectory;
  /** Events for the audit log. */
  readonly audits: AuditOutbox;
  readonly repairs: AccountRepairs;
  /** Sessions of this process as accounts that only workers use. */
  readonly own: OwnSessions;
  readonly tasks: TaskJournal;
  readonly migrations: MigrationJournal;
  readonly steps: StepJournal;
  readonly moves: MoveJournal;
  readonly pauses: RequestPauses;
  readonly kept: KeptStore;
  readonly detects: DetectStore;
  readonly transfers: TransferStore;
  readonly values: ValueIndexJournal;
  readonly retention: RetentionStore;
  readonly storage: StorageStore;
  readonly shares: ShareStore;
  readonly changes: ChangePublisher;
  /** Of messages between the cell's processes. */
  readonly signer: ChannelSigner;
  readonly countIgnored: (reason: IgnoredReason) => void;
  readonly box: SecretBox;
  readonly access: ServerAccess;
  readonly planMemory: PlanMemory;
  /** No migration is begun or taken over; tasks go on. */
  readonly isDdlLocked: boolean;
  /** For how long writes may be held while a database changes its place. */
  readonly movePauseMs: number;
  /** Between two sweeps of a server's accounts. */
  readonly accountSweepMs: number;
  /** What direct connections may take of a server. */
  readonly shareSettings: ShareSettings;
  readonly failPoint: FailPoint;
}

/** Work under a lease: `signal` aborts when the lease is lost. */
export interface HeldLease {
  readonly signal: AbortSignal;
  /**
   * Throws when the lease is lost, or its time has run out by this machine's clock: a process that stood still finds out
   * here, before its timers have run.
   */
  assertHeld(): void;
}

/** The lease of a job that may have to wait for what others hold. */
export interface JobLease extends HeldLease {
  /** Its place at this worker is free for others while it waits. */
  setWaiting(isWaiting: boolean): void;
}
