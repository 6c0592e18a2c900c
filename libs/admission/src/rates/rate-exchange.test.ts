import type { RateReport } from '@rowhouse/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startRateExchange } from './rate-exchange.js';
import type { RateUse } from './rate-exchange.js';

describe('the exchange of rates', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function start(uses: readonly RateUse[] = []) {
    const noted: RateUse[] = [];
    const reports: RateReport[] = [];
    const rates = { settleRates: () => uses, noteOthers: (use: RateUse) => noted.push(use) };
    const exchange = startRateExchange({
      rates,
      publish: (report) => reports.push(report),
      gatewayId: 'gw_a',
      epoch: 5,
      onReceived: () => undefined,
    });
    return { exchange, noted, reports };
  }

  it('the rate exchange publishes a numbered report each second if any rate was used', async () => {
    const { exchange, reports } = start([{ id: 'key_1', requested: 3, granted: 2 }]);
    await vi.advanceTimersByTimeAsync(2_100);
    expect(reports).toEqual(
      [1, 2].map((seq) => ({ gateway_id: 'gw_a', epoch: 5, seq, rates: [['key_1', 3, 2]] })),
    );
    exchange.stop();
    const silent = start();
    await vi.advanceTimersByTimeAsync(2_100);
    expect(silent.reports).toEqual([]);
    silent.exchange.stop();
  });

  it('the rate exchange publishes 4,500 rates in three reports', async () => {
    const { exchange, reports } = start(
      Array.from({ length: 4_500 }, (_, index) => ({ id: `key_${index}`, requested: 1, granted: 1 })),
    );
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reports.map(({ seq, rates }) => [seq, rates.length])).toEqual([
      [1, 2_000],
      [2, 2_000],
      [3, 500],
    ]);
    exchange.stop();
  });

  it('the rate exchange counts each report of another gateway once and ignores its own', () => {
    const { exchange, noted } = start();
    const report = (more: Partial<RateReport>): RateReport => ({
      gateway_id: 'gw_b',
      epoch: 1,
      seq: 1,
      rates: [['key_1', 3, 2]],
      ...more,
    });
    exchange.receive(report({}));
    exchange.receive(report({}));
    exchange.receive(report({ gateway_id: 'gw_a', seq: 9 }));
    exchange.receive(report({ seq: 2 }));
    exchange.receive(report({ seq: 1 }));
    exchange.receive(report({ epoch: 2 }));
    exchange.receive(report({ epoch: 1, seq: 99 }));
    exchange.receive(report({ gateway_id: 'gw_c' }));
    expect(noted).toEqual(Array.from({ length: 4 }, () => ({ id: 'key_1', requested: 3, granted: 2 })));
    exchange.stop();
  });
});
