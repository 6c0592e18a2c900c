import { isDeepStrictEqual } from 'node:util';
import type { DatabaseRecord, ServerRecord } from '@rowhouse/contracts';

/**
 * Shares server records in memory. One server has thousands of databases, and the record of each contains the
 * whole server record.
 */
export interface ServerRecords {
  /** Returns the record with the shared server object, if the server records are equal. */
  share(record: DatabaseRecord): DatabaseRecord;
}

export function createServerRecords(): ServerRecords {
  /** The last server record read, by id. */
  const known = new Map<string, ServerRecord>();
  return {
    share(record) {
      const server = known.get(record.server.id);
      if (server !== undefined && isDeepStrictEqual(server, record.server)) return { ...record, server };
      known.set(record.server.id, record.server);
      return record;
    },
  };
}
