import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { createPlanCache } from './plan-cache.js';

const server = { id: 'srv_a', engine: 'mariadb', engineVersion: '10.11.19' } as const;
const draft = (name: string) =>
  nameSnapshot({ engine: 'mariadb', tables: [rawTable(name, [rawColumn('id', 'int')])] }, null);

describe('createPlanMemory', () => {
  it('the plan cache returns a draft only for the server and version it was planned on', () => {
    const planCache = createPlanCache();
    planCache.remember(server, draft('a'));
    expect(planCache.knows(server, JSON.parse(JSON.stringify(draft('a'))) as never)).toBe(true);
    expect([
      planCache.knows(server, draft('b')),
      planCache.knows({ ...server, id: 'srv_b' }, draft('a')),
      planCache.knows({ ...server, engineVersion: '11.4.1' }, draft('a')),
    ]).toEqual([false, false, false]);
  });
  it('the plan cache evicts the least recently used entries', () => {
    const planCache = createPlanCache();
    planCache.rememberTried(server, 'used', []);
    for (let index = 0; index < 199; index += 1) planCache.rememberTried(server, `plan ${index}`, []);
    planCache.readTried(server, 'used');
    planCache.rememberTried(server, 'one more', []);
    expect([planCache.readTried(server, 'used'), planCache.readTried(server, 'plan 0')]).toEqual([
      [],
      undefined,
    ]);
  });
});
