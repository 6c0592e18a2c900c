import { describe, expect, it } from 'vitest';
import { readGaleraState } from './galera-state.js';

const rowsOf = (ready: string, state: string, status: string): [string, string][] => [
  ['wsrep_ready', ready],
  ['wsrep_local_state', state],
  ['wsrep_cluster_status', status],
  ['wsrep_cluster_state_uuid', 'u-1'],
  ['wsrep_gcomm_uuid', 'n-1'],
  ['wsrep_cluster_size', '3'],
];

describe('readGaleraState', () => {
  it('readGaleraState returns synced for an up-to-date node, and donor for a donor', () => {
    expect(readGaleraState(rowsOf('ON', '4', 'Primary'))).toEqual({
      kind: 'synced',
      clusterId: 'u-1',
      nodeId: 'n-1',
      clusterSize: 3,
    });
    expect(readGaleraState(rowsOf('ON', '2', 'Primary')).kind).toBe('donor');
  });
  it('readGaleraState returns away for a joining node and for a node without quorum', () => {
    expect(readGaleraState(rowsOf('OFF', '4', 'Primary')).kind).toBe('away');
    expect(readGaleraState(rowsOf('ON', '1', 'Primary')).kind).toBe('away');
    expect(readGaleraState(rowsOf('ON', '4', 'non-Primary')).kind).toBe('away');
    expect(readGaleraState([])).toEqual({ kind: 'away', clusterId: '', nodeId: '', clusterSize: 0 });
  });
});
