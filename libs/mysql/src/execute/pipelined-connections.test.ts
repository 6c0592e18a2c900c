import { describe, expect, it } from 'vitest';
import { createPipelinedConnections } from './pipelined-connections.js';
import { makeFakeSession } from '../testing/fake-session.js';
import { TEST_ACCOUNT, TEST_SERVER } from '../testing/pool-fixtures.js';
import type { PipelinedConnectionBase } from '../wire/pipelined-connection.js';

/** Creates pipelined connections that never become idle, and counts the sessions that they request. */
function open({ isAlone }: { isAlone: boolean }) {
  const opened = {
    nowMs: 0,
    isAlone,
    acquired: 0,
    use: (): Promise<string> =>
      pipelines.use(TEST_SERVER, TEST_ACCOUNT, 1_000, () => Promise.resolve('done')),
  };
  const pipelines = createPipelinedConnections<PipelinedConnectionBase>(
    {
      acquire(server) {
        opened.acquired += 1;
        return Promise.resolve(makeFakeSession({ server }));
      },
      release: () => undefined,
      isAlone: () => opened.isAlone,
      open: () => ({ depth: () => 0, oldestMs: () => Number.POSITIVE_INFINITY, fail: () => undefined }),
      statementMsMax: 1_000,
      depthMax: 64,
    },
    () => opened.nowMs,
  );
  return opened;
}

describe('a pipelined connection that is always busy', () => {
  it('a busy pipelined connection is replaced after 100 ms while other tenants are active', async () => {
    const opened = open({ isAlone: false });
    await opened.use();
    opened.nowMs = 99;
    await opened.use();
    expect(opened.acquired).toBe(1);
    opened.nowMs = 100;
    await opened.use();
    expect(opened.acquired).toBe(2);
  });

  it('a busy pipelined connection stays open for 500 ms while its tenant is alone', async () => {
    const opened = open({ isAlone: true });
    await opened.use();
    opened.nowMs = 400;
    await opened.use();
    expect(opened.acquired).toBe(1);
    opened.isAlone = false;
    await opened.use();
    expect(opened.acquired).toBe(2);
  });

  it('a busy pipelined connection is replaced after 500 ms even if its tenant is alone', async () => {
    const opened = open({ isAlone: true });
    await opened.use();
    opened.nowMs = 500;
    await opened.use();
    expect(opened.acquired).toBe(2);
  });
});
