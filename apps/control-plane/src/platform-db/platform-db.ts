import { startServerClock, type ServerClock } from '@rowhouse/runtime';
import type { DataSource, EntityManager } from 'typeorm';

const ATTEMPTS_MAX = 4;
/** For commands that are over at once. */
const OWN_CLOCK = { nowMs: () => Date.now(), stop: () => undefined };

/**
 * The two halves of the platform database. They may lie on different servers: nothing may join them,
 * and no transaction spans them. Where both are written, global rows come first.
 */
export class PlatformDb {
  constructor(
    readonly global: DataSource,
    readonly cell: DataSource,
    readonly cellId: string,
    private readonly clock: Pick<ServerClock, 'nowMs' | 'stop'> = OWN_CLOCK,
  ) {}

  /** By which what is issued begins and ends: the platform database's time, not this machine's. */
  nowMs(): number {
    return this.clock.nowMs();
  }

  async close(): Promise<void> {
    this.clock.stop();
    await Promise.allSettled([this.global.destroy(), this.cell.destroy()]);
  }

  globalTransaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return runTransaction(this.global, work);
  }

  cellTransaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return runTransaction(this.cell, work);
  }
}

/** The clock of the cell's half: what gateways go by as well. */
export function startPlatformClock(cell: DataSource, onFault: (error: unknown) => void): Promise<ServerClock> {
  return startServerClock({
    onFault,
    async readTimeMs() {
      const rows = await cell.query<{ time_ms: number | string }[]>('SELECT ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000) AS time_ms');
      return Number(rows[0]?.time_ms);
    },
  });
}

/** The victim of a deadlock; what a row that another has changed since the snapshot is refused with where MariaDB isolates snapshots (11.8 unless it is told otherwise). */
const ROLLED_BACK_NUMBERS = new Set([1020, 1213]);

/** InnoDB may choose any transaction to give way; its work is whole and is done again. */
async function runTransaction<T>(source: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await source.transaction(work);
    } catch (error) {
      if (!ROLLED_BACK_NUMBERS.has((error as { errno?: number }).errno ?? 0) || attempt >= ATTEMPTS_MAX) throw error;
    }
  }
}
