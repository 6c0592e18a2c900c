import { beforeAll, describe, expect, it } from 'vitest';
import { signUp, type TestUser } from '../../support/control.mjs';
import { send } from '../../support/http.mjs';
import { digestRows, prepareRows, readRows, sendRows } from '../../support/schemas/many-rows.mjs';
import { readProduct } from '../../support/product.mjs';
import { readMemory, watchMemory } from '../../support/watch-memory.mjs';

/**
 * The number of rows in this short version of the suite. It is large enough that a gateway holding all rows
 * in memory would be noticed. `pnpm test:long streams` sends a million.
 */
const ROWS = 12_000;
const NOTE_LENGTH = 10_000;
const GROWTH_MIB_MAX = 80;

describe(`streams of ${ROWS} records of ${NOTE_LENGTH} bytes`, () => {
  const product = readProduct();
  const metricsUrl = product.metricsUrls['gateway'] ?? '';
  let user: TestUser;
  let target: { base: string; key: string };

  beforeAll(async () => {
    user = await signUp(product.control, { starter: 'empty' });
    target = await prepareRows(user, product.gateways[0], ROWS, NOTE_LENGTH);
    // A first stream lets the young generation of the heap grow to its usual size. It has a quarter of the
    // rows, too few to hide the memory of a whole stream.
    await readRows(target, { format: 'csv', path: `/many?limit=${ROWS / 4}` });
    await sendRows(target, {
      format: 'ndjson',
      count: ROWS / 4,
      noteLength: NOTE_LENGTH,
      prefer: 'on-error=stop,tx=rollback',
    });
  });

  async function grow<T>(callback: () => Promise<T>): Promise<[T, number]> {
    const before = await readMemory(metricsUrl);
    const watch = watchMemory(metricsUrl);
    const outcome = await callback();
    const { peak } = await watch.stop();
    return [outcome, peak.rss - before.rss];
  }

  it.each(['ndjson', 'csv'] as const)(
    'the gateway streams all rows as %s without buffering them, even to a slow client',
    async (format) => {
      const [fast, growth] = await grow(() => readRows(target, { format }));
      expect(fast).toMatchObject({
        status: 200,
        rows: ROWS,
        isComplete: true,
        digest: digestRows(format, ROWS, NOTE_LENGTH),
      });
      expect(growth).toBeLessThan(GROWTH_MIB_MAX);
      const [slow, slowGrowth] = await grow(() =>
        readRows(target, { format, bytesPerSecondMax: 40_000_000 }),
      );
      expect(slow).toMatchObject({ rows: ROWS, isComplete: true, digest: fast.digest });
      expect(slowGrowth).toBeLessThan(GROWTH_MIB_MAX);
    },
  );

  it('the gateway imports all rows without buffering them', async () => {
    const [stored, growth] = await grow(() =>
      sendRows(target, { format: 'ndjson', count: ROWS, noteLength: NOTE_LENGTH, prefer: 'on-error=stop' }),
    );
    expect(stored).toMatchObject({ status: 200, report: [{ committed: ROWS, failed: 0, last_line: ROWS }] });
    expect(growth).toBeLessThan(GROWTH_MIB_MAX);
    const back = await readRows(target, { format: 'csv', path: '/received' });
    expect(back.digest).toBe(digestRows('csv', ROWS, NOTE_LENGTH));
  });

  it('a stream contains rows of its own database only', async () => {
    const other = await signUp(product.control, { name: 'eve', starter: 'blog' });
    const headers = { Authorization: `Bearer ${other.key}`, Accept: 'text/csv' };
    expect((await send(target.base, 'GET', '/v1/-/many', { headers })).status).toBe(404);
    const upload = await send(target.base, 'POST', '/v1/-/received', {
      headers: { Authorization: `Bearer ${other.key}`, 'Content-Type': 'text/csv', Prefer: 'on-error=stop' },
      body: 'id,code,amount\n0,x,1\n',
    });
    expect(upload.status).toBe(404);
  });
});
