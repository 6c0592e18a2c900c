import type { DatabaseRecord } from '@rowhouse/contracts';
import { describe, expect, it } from 'vitest';
import { createServerRecords } from './to-tenant.js';

function recordOf(id: string, host: string, serverId = 'srv_1'): DatabaseRecord {
  return {
    id,
    server: { id: serverId, host, port: 3306, capabilities: { version: '10.11', advice: ['one'] } },
  } as unknown as DatabaseRecord;
}

describe('server records', () => {
  it('equal records of a database server share one object', () => {
    const { share } = createServerRecords();
    const [databaseRecord, two, moved, back, other] = [
      recordOf('a', 'h1'),
      recordOf('b', 'h1'),
      recordOf('c', 'h2'),
      recordOf('d', 'h1'),
      recordOf('e', 'h1', 'srv_2'),
    ].map(share);
    expect([two?.id, two?.server === databaseRecord?.server]).toEqual(['b', true]);
    expect([moved?.server.host, back?.server.host, back?.server === databaseRecord?.server]).toEqual([
      'h2',
      'h1',
      false,
    ]);
    expect([other?.server.id, share(recordOf('f', 'h1')).server === back?.server]).toEqual(['srv_2', true]);
  });
});
