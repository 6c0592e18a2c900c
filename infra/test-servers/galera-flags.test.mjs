import { describe, expect, it } from 'vitest';
import { listGaleraFlags, readRecoveredPosition } from './galera-flags.mjs';

const nodes = [1, 2, 3].map((index) => ({
  name: `n${index}`,
  groupPort: 100 + index,
  transferPort: 200 + index,
}));
const input = { provider: '/lib/galera.so', cluster: 'c', nodes, isFirst: false, position: null };

describe('listGaleraFlags', () => {
  it('listGaleraFlags names the other nodes, binds loopback and gives each node its own ports', () => {
    const flags = nodes.map((node) => listGaleraFlags({ ...input, node }));
    expect(flags[0]).toEqual(
      expect.arrayContaining([
        '--wsrep-provider=/lib/galera.so',
        '--wsrep-cluster-address=gcomm://127.0.0.1:102,127.0.0.1:103',
        '--wsrep-node-name=n1',
      ]),
    );
    expect(flags.flat().join(' ')).not.toContain('0.0.0.0');
    const listening = flags.map((item) => /listen_addr=tcp:\/\/127\.0\.0\.1:(\d+)/.exec(item.join(' '))?.[1]);
    expect(listening).toEqual(['101', '102', '103']);
  });
  it('listGaleraFlags starts a cluster only on the first node and passes on a known position', () => {
    const [node] = nodes;
    if (node === undefined) throw new Error('three nodes are needed');
    expect(listGaleraFlags({ ...input, node })).not.toContain('--wsrep-new-cluster');
    expect(listGaleraFlags({ ...input, node, isFirst: true, position: 'u:4' })).toEqual(
      expect.arrayContaining(['--wsrep-new-cluster', '--wsrep-start-position=u:4']),
    );
  });
});

describe('readRecoveredPosition', () => {
  it('readRecoveredPosition returns the last position in the log of a Galera node', () => {
    const id = '6f0c1d2e-0000-11ee-8000-0123456789ab';
    expect(
      readRecoveredPosition(
        `x\n2026 [Note] WSREP: Recovered position: ${id}:7\n…\n[Note] WSREP: Recovered position: ${id}:12\n`,
      ),
    ).toBe(`${id}:12`);
    expect(readRecoveredPosition('no such thing')).toBeNull();
  });
});
