import { isDeepStrictEqual } from 'node:util';
import type { DatabaseRecord, ServerRecord } from '@rowhouse/contracts';

/** Thousands of databases lie on one server, and the record of each says all of it. */
export interface ServerRecords {
  /** The record with the server as others of it have it in memory, if it says the same. */
  share(record: DatabaseRecord): DatabaseRecord;
}

export function createServerRecords(): ServerRecords {
  /** By id: as it was read last. */
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
