import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { createPlanMemory } from './plan-memory.js';

const server = { id: 'srv_a', engine: 'mariadb', engineVersion: '10.11.19' } as const;
const draft = (name: string) => nameSnapshot({ engine: 'mariadb', tables: [rawTable(name, [rawColumn('id', 'int')])] }, null);

describe('createPlanMemory', () => {
  it('a draft is known only for the server and version that described it', () => {
    const memory = createPlanMemory();
    memory.remember(server, draft('a'));
    expect(memory.knows(server, JSON.parse(JSON.stringify(draft('a'))) as never)).toBe(true);
    expect([memory.knows(server, draft('b')), memory.knows({ ...server, id: 'srv_b' }, draft('a')), memory.knows({ ...server, engineVersion: '11.4.1' }, draft('a'))]).toEqual([false, false, false]);
  });
  it('the least recently used entries are evicted', () => {
    const memory = createPlanMemory();
    memory.rememberTried(server, 'used', []);
    for (let at = 0; at < 199; at += 1) memory.rememberTried(server, `plan ${at}`, []);
    memory.readTried(server, 'used');
    memory.rememberTried(server, 'one more', []);
    expect([memory.readTried(server, 'used'), memory.readTried(server, 'plan 0')]).toEqual([[], undefined]);
  });
});
