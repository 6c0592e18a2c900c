import { RATE_REPORT_INTERVAL_MS, type RateReport } from '@rowhouse/contracts';
import type { AddressRates } from './address-rates.js';
import type { BucketReport } from './token-bucket.js';

/**
 * The requests to which one gateway applied one rate limit. The id is that of an API key, a database or an
 * address.
 */
export interface RateUse extends BucketReport {
  readonly id: string;
}

/** The rate limits whose use gateways report to each other. */
export interface SharedRates {
  /** Returns the use of each rate limit since the previous call. Call it once a second. */
  settleRates(): readonly RateUse[];
  /** Counts the use that another gateway reported. */
  noteOthers(use: RateUse): void;
}

/** The prefix of the ids of addresses. No id of an API key or database begins with it. */
const ADDRESS_PREFIX = 'address ';

/** Exchanges the use of rate limits with the other gateways once a second. Requests never wait for it. */
export interface RateExchange {
  receive(report: RateReport): void;
  stop(): void;
}

export interface RateExchangeOptions {
  readonly rates: SharedRates;
  readonly publish: (report: RateReport) => void;
  readonly gatewayId: string;
  readonly epoch: number;
  /** Called with the number of requests that another gateway has accepted since its previous report. */
  readonly onReceived: (granted: number) => void;
}

const ENTRIES_PER_REPORT_MAX = 2_000;
const GATEWAYS_MAX = 1_000;

export function startRateExchange(options: RateExchangeOptions): RateExchange {
  const { rates, gatewayId, epoch } = options;
  /** The last report of each gateway, so that a report that arrives twice is counted once. */
  const received = new Map<string, { readonly epoch: number; readonly seq: number }>();
  let seq = 0;

  function report(): void {
    const uses = rates.settleRates();
    for (let start = 0; start < uses.length; start += ENTRIES_PER_REPORT_MAX) {
      seq += 1;
      const entries = uses
        .slice(start, start + ENTRIES_PER_REPORT_MAX)
        .map(({ id, requested, granted }) => [id, requested, granted] as const);
      options.publish({ gateway_id: gatewayId, epoch, seq, rates: entries });
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

  const timer = setInterval(report, RATE_REPORT_INTERVAL_MS);
  timer.unref();
  return {
    receive(report) {
      if (report.gateway_id === gatewayId || !isNew(report)) return;
      if (received.size >= GATEWAYS_MAX) received.clear();
      received.set(report.gateway_id, { epoch: report.epoch, seq: report.seq });
      let grantedInAll = 0;
      for (const [id, requested, granted] of report.rates) {
        rates.noteOthers({ id, requested, granted });
        grantedInAll += granted;
      }
      options.onReceived(grantedInAll);
    },
    stop: () => clearInterval(timer),
  };
}

/** Combines the rate limits of API keys and databases with those of client addresses. */
export function joinRates(
  admission: SharedRates,
  addresses: Pick<AddressRates, 'settle' | 'noteOthers'>,
): SharedRates {
  return {
    settleRates: () => [
      ...admission.settleRates(),
      ...addresses.settle().map(({ network, requested, granted }) => ({
        id: ADDRESS_PREFIX + network,
        requested,
        granted,
      })),
    ],
    noteOthers(use) {
      if (use.id.startsWith(ADDRESS_PREFIX))
        addresses.noteOthers(use.id.slice(ADDRESS_PREFIX.length), use.granted);
      else admission.noteOthers(use);
    },
  };
}
