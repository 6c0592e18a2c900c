import { RATE_REPORT_INTERVAL_MS, type RateReport } from '@rowhouse/contracts';
import type { RateChannel } from '@rowhouse/queue';
import type { SharedRates } from './join-rates.js';

/** Exchanges rates with the other gateways once a second. No request ever waits for it. */
export interface RateExchange {
  hear(report: RateReport): void;
  stop(): void;
}

export interface RateExchangeOptions {
  readonly admission: SharedRates;
  readonly publish: RateChannel['publish'];
  readonly gatewayId: string;
  readonly epoch: number;
  /** Receives the number of requests that another gateway has admitted since its previous report. */
  readonly onHeard: (granted: number) => void;
}

const ENTRIES_PER_REPORT_MAX = 2_000;
const GATEWAYS_MAX = 1_000;

export function startRateExchange(options: RateExchangeOptions): RateExchange {
  const { admission, gatewayId, epoch } = options;
  /** The last report of each gateway, so that a repeated report is not counted twice. */
  const received = new Map<string, { readonly epoch: number; readonly seq: number }>();
  let seq = 0;

  function tell(): void {
    const uses = admission.settleRates();
    for (let start = 0; start < uses.length; start += ENTRIES_PER_REPORT_MAX) {
      seq += 1;
      const rates = uses
        .slice(start, start + ENTRIES_PER_REPORT_MAX)
        .map(({ id, asked: requestCount, granted }) => [id, requestCount, granted] as const);
      options.publish({ gateway_id: gatewayId, epoch, seq, rates });
    }
  }

  function isNew(report: RateReport): boolean {
    const last = received.get(report.gateway_id);
    return (
      last === undefined ||
      report.epoch > last.epoch ||
      (report.epoch === last.epoch && report.seq > last.seq)
    );
  }

  const timer = setInterval(tell, RATE_REPORT_INTERVAL_MS);
  timer.unref();
  return {
    hear(report) {
      if (report.gateway_id === gatewayId || !isNew(report)) return;
      if (received.size >= GATEWAYS_MAX) received.clear();
      received.set(report.gateway_id, { epoch: report.epoch, seq: report.seq });
      let grantedInAll = 0;
      for (const [id, requestCount, granted] of report.rates) {
        admission.noteOthers({ id, asked: requestCount, granted });
        grantedInAll += granted;
      }
      options.onHeard(grantedInAll);
    },
    stop: () => clearInterval(timer),
  };
}
