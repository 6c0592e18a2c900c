import type { DatabaseFault } from '@rowhouse/mysql';

/**
 * Thrown when a change was committed but its record could not be read back. The change must not be repeated.
 */
export class UnreadableWriteError extends Error {
  constructor(readonly fault: DatabaseFault) {
    super(fault.sqlMessage);
    this.name = 'WrittenUnread';
  }
}
