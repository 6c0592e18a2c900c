import type { RateReport } from '@rowhouse/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RateUse } from './admission.js';
import { startRateExchange } from './rate-exchange.js';

describe('the exchange of rates', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function start(uses: readonly RateUse[] = []) {
    const noted: RateUse[] = [];
    const reports: RateReport[] = [];
    const admission = { settleRates: () => uses, noteOthers: (use: RateUse) => noted.push(use) };
    const exchange = startRateExchange({
      admission,
      publish: (report) => reports.push(report),
      gatewayId: 'gw_a',
      epoch: 5,
      onHeard: () => undefined,
    });
    return { exchange, noted, told: reports };
  }

  it('a numbered report is sent once a second, and none when there is nothing to report', async () => {
    const { exchange, told: reports } = start([{ id: 'key_1', asked: 3, granted: 2 }]);
    await vi.advanceTimersByTimeAsync(2_100);
    expect(reports).toEqual(
      [1, 2].map((seq) => ({ gateway_id: 'gw_a', epoch: 5, seq, rates: [['key_1', 3, 2]] })),
    );
    exchange.stop();
    const silent = start();
    await vi.advanceTimersByTimeAsync(2_100);
    expect(silent.told).toEqual([]);
    silent.exchange.stop();
  });

  it('a large report is sent in parts', async () => {
    const { exchange, told: reports } = start(
      Array.from({ length: 4_500 }, (_, index) => ({ id: `key_${index}`, asked: 1, granted: 1 })),
    );
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reports.map(({ seq, rates }) => [seq, rates.length])).toEqual([
      [1, 2_000],
      [2, 2_000],
      [3, 500],
    ]);
    exchange.stop();
  });

  it("each report of another gateway counts once, and the gateway's own never", () => {
    const { exchange, noted } = start();
    const report = (more: Partial<RateReport>): RateReport => ({
      gateway_id: 'gw_b',
      epoch: 1,
      seq: 1,
      rates: [['key_1', 3, 2]],
      ...more,
    });
    exchange.hear(report({}));
    exchange.hear(report({}));
    exchange.hear(report({ gateway_id: 'gw_a', seq: 9 }));
    exchange.hear(report({ seq: 2 }));
    exchange.hear(report({ seq: 1 }));
    exchange.hear(report({ epoch: 2 }));
    exchange.hear(report({ epoch: 1, seq: 99 }));
    exchange.hear(report({ gateway_id: 'gw_c' }));
    expect(noted).toEqual(Array.from({ length: 4 }, () => ({ id: 'key_1', asked: 3, granted: 2 })));
    exchange.stop();
  });
});
