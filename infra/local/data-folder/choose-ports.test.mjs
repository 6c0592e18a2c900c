import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choosePorts } from './choose-ports.mjs';
import { findFreePort } from '../processes/free-port.mjs';
import { silentReport } from '../report.mjs';

const taken = createServer();
let takenPort = 0;
beforeAll(async () => {
  takenPort = await findFreePort();
  await new Promise((resolve) => taken.listen(takenPort, '127.0.0.1', () => resolve(undefined)));
});
afterAll(() => taken.close());

describe('choosePorts', () => {
  it('choosePorts returns the port of the previous start', async () => {
    const retainedCount = await findFreePort();
    const state = { ports: { control: retainedCount }, passwords: {} };
    await choosePorts(
      state,
      [{ name: 'control', usual: await findFreePort(new Set([retainedCount])) }],
      silentReport,
    );
    expect(state.ports.control).toBe(retainedCount);
  });

  it('choosePorts returns another port when the usual one is taken', async () => {
    const state = { ports: /** @type {Record<string, number>} */ ({}), passwords: {} };
    await choosePorts(state, [{ name: 'control', usual: takenPort }], silentReport);
    expect(state.ports['control']).not.toBe(takenPort);
    expect(state.ports['control']).toBeGreaterThan(0);
  });

  it('choosePorts throws when a requested port is taken', async () => {
    const state = { ports: {}, passwords: {} };
    await expect(
      choosePorts(state, [{ name: 'control', requested: takenPort }], silentReport),
    ).rejects.toThrow(`Port ${takenPort} (control) is taken`);
  });

  it('choosePorts returns different ports for different names', async () => {
    const item = await findFreePort();
    const state = { ports: { control: item, gateway: item }, passwords: {} };
    await choosePorts(state, [{ name: 'control' }, { name: 'gateway' }], silentReport);
    expect(state.ports.control).toBe(item);
    expect(state.ports.gateway).not.toBe(item);
  });
});
