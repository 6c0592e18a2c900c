import { rateChannel, type RateReport } from '@rowhouse/contracts';
import {
  createSignedListener,
  createSignedPublisher,
  isCount,
  type ChannelOptions,
  type IgnoredReason,
  type Message,
} from './signed-channel.js';

/**
 * Exchanges how many requests each gateway of a cell has accepted, so that a rate limit applies to all
 * gateways together.
 */
export interface RateChannel {
  /**
   * Publishes a report. Never throws. While Redis is not available, each gateway counts only its own
   * requests.
   */
  publish(report: RateReport): void;
  close(): Promise<void>;
}

export interface RateChannelOptions extends ChannelOptions {
  /** Called for the reports of all gateways, including this one. */
  readonly onReport: (report: RateReport) => void;
  readonly onIgnored: (reason: IgnoredReason) => void;
}

export function createRateChannel(options: RateChannelOptions): RateChannel {
  const channel = rateChannel(options.cellId);
  const publisher = createSignedPublisher(options, 'rate-publisher');
  const handle = (message: Message): boolean => {
    if (!isRateReport(message)) return false;
    options.onReport(message);
    return true;
  };
  const listener = createSignedListener({
    ...options,
    name: 'rate-subscriber',
    handlers: new Map([[channel, handle]]),
    onReady: () => undefined,
  });
  return {
    publish: (report) => void publisher.publish(channel, report),
    async close() {
      publisher.close();
      listener.close();
    },
  };
}

function isRateReport(message: object): message is RateReport {
  const { gateway_id: gatewayId, epoch, seq, rates } = message as Partial<Record<keyof RateReport, unknown>>;
  return (
    typeof gatewayId === 'string' &&
    isCount(epoch) &&
    isCount(seq) &&
    Array.isArray(rates) &&
    rates.every(isEntry)
  );
}

function isEntry(entry: unknown): boolean {
  return (
    Array.isArray(entry) &&
    entry.length === 3 &&
    typeof entry[0] === 'string' &&
    isCount(entry[1]) &&
    isCount(entry[2])
  );
}
