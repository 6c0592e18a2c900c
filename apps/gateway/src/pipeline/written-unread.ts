import type { DatabaseFault } from '@rowhouse/mysql';

/** A change that has committed, and whose record could not be read back: it must not be made again. */
export class WrittenUnread extends Error {
  constructor(readonly fault: DatabaseFault) {
    super(fault.sqlMessage);
    this.name = 'WrittenUnread';
  }
}
