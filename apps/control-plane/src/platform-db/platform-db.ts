import type { DataSource, EntityManager } from 'typeorm';

const ATTEMPTS_MAX = 4;

/**
 * The two halves of the platform database. They may lie on different servers: nothing may join them,
 * and no transaction spans them. Where both are written, global rows come first.
 */
export class PlatformDb {
  constructor(
    readonly global: DataSource,
    readonly cell: DataSource,
    readonly cellId: string,
  ) {}

  globalTransaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return runTransaction(this.global, work);
  }

  cellTransaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return runTransaction(this.cell, work);
  }
}

/** InnoDB may choose any transaction as a deadlock's victim; its work is whole and is done again. */
async function runTransaction<T>(source: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await source.transaction(work);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ER_LOCK_DEADLOCK' || attempt >= ATTEMPTS_MAX) throw error;
    }
  }
}
