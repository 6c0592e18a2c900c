import { DEADLOCK, ROW_CHANGED } from '@rowhouse/errors';
import { startServerClock, type ServerClock } from '@rowhouse/runtime';
import type { DataSource, EntityManager } from 'typeorm';

const ATTEMPTS_MAX = 4;
/**
 * Errors after which a transaction was rolled back: a deadlock, or a row changed since the snapshot. The
 * latter occurs where MariaDB uses snapshot isolation, which is the default from 11.8 on.
 */
const ROLLED_BACK_NUMBERS = new Set<number>([ROW_CHANGED, DEADLOCK]);
/** The machine's own clock, for short-lived commands. */
const OWN_CLOCK = { nowMs: () => Date.now(), stop: () => undefined };

/**
 * The two halves of the platform database. They may be on different servers, so they have no joins and no
 * common transactions. Code that writes to both halves writes to the global half first.
 */
export class PlatformDb {
  readonly #afterCommit = new WeakMap<EntityManager, Set<() => Promise<void>>>();

  constructor(
    readonly global: DataSource,
    readonly cell: DataSource,
    readonly cellId: string,
    private readonly clock: Pick<ServerClock, 'nowMs' | 'stop'> = OWN_CLOCK,
  ) {}

  /**
   * Returns the time of the platform database in milliseconds. This time, and not the machine's, determines
   * validity.
   */
  nowMs(): number {
    return this.clock.nowMs();
  }

  async close(): Promise<void> {
    this.clock.stop();
    await Promise.allSettled([this.global.destroy(), this.cell.destroy()]);
  }

  globalTransaction<T>(callback: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.#runTransaction(this.global, callback);
  }

  cellTransaction<T>(callback: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.#runTransaction(this.cell, callback);
  }

  /**
   * Calls `run` once after the transaction of `manager` has committed. The caller of the transaction waits
   * for `run`. It must not reject, because the change is already made.
   */
  afterCommit(manager: EntityManager, run: () => Promise<void>): void {
    this.#afterCommit.get(manager)?.add(run);
  }

  /** Runs a transaction. InnoDB may roll back any transaction, and its work is then repeated. */
  async #runTransaction<T>(source: DataSource, callback: (manager: EntityManager) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const afterCommit = new Set<() => Promise<void>>();
      let result: T;
      try {
        result = await source.transaction((manager) => {
          this.#afterCommit.set(manager, afterCommit);
          return callback(manager);
        });
      } catch (error) {
        if (!ROLLED_BACK_NUMBERS.has((error as { errno?: number }).errno ?? 0) || attempt >= ATTEMPTS_MAX)
          throw error;
        continue;
      }
      for (const run of afterCommit) await run();
      return result;
    }
  }
}

/** Starts the clock of the cell database, which the gateways use too. */
export function startPlatformClock(
  cell: DataSource,
  onFault: (error: unknown) => void,
): Promise<ServerClock> {
  return startServerClock({
    onFault,
    async readTimeMs() {
      const rows = await cell.query<{ time_ms: number | string }[]>(
        'SELECT ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000) AS time_ms',
      );
      return Number(rows[0]?.time_ms);
    },
  });
}
