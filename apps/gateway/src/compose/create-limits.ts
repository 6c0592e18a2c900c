import {
  createAddressRates,
  createGateMap,
  createLoadGuard,
  startRateExchange,
  joinRates,
  createRejectionThrottle,
  createResponseMemoryBudget,
  type AddressRates,
  type GateMap,
  type EventLoopScheduler,
  type LoadGuard,
  type RejectionThrottle,
  type ResponseMemoryBudget,
} from '@rowhouse/admission';
import { AppError } from '@rowhouse/errors';
import { createRateChannel } from '@rowhouse/queue';
import { Counter, type Logger, type Registry } from '@rowhouse/runtime';
import type { GatewayConfig } from '../config.js';
import { createQueryCosts, type QueryCosts } from '../cost/query-costs.js';
import { createLargeBodies, type LargeBodies } from '../limits/large-bodies.js';
import { LIMITS } from '../limits/limits.js';
import { createRequestAdmission, type RequestAdmission } from '../limits/request-admission.js';
import { createStreams, type Streams } from '../streams/streams.js';
import type { PlatformConnections } from './connect-platform.js';

export interface Limits {
  readonly admission: RequestAdmission;
  readonly rejectionThrottle: RejectionThrottle;
  /** Null when addresses are not limited. */
  readonly addresses: AddressRates | null;
  readonly loadGuard: LoadGuard;
  readonly queryGates: GateMap;
  readonly largeBodies: LargeBodies;
  readonly responseMemory: ResponseMemoryBudget;
  readonly costs: QueryCosts;
  readonly streams: Streams;
  /** Removes the state of keys, databases and addresses without recent requests. Call it once a minute. */
  sweep(): void;
  stop(): Promise<void>;
}

/** An address may send as many requests at once as its rate allows in this number of seconds. */
const ADDRESS_BURST_SECONDS = 4;

/** Creates everything that limits requests. `docs/explanation/admission.md` lists the limits. */
export function createLimits(
  config: GatewayConfig,
  platform: PlatformConnections,
  scheduler: EventLoopScheduler,
  logger: Logger,
  registry: Registry,
): Limits {
  const ownUrls = [config.publicUrl, config.consoleUrl].filter((url) => url !== undefined);
  const admission = createRequestAdmission(ownUrls.map((url) => new URL(url).origin));
  const rejectionThrottle = createRejectionThrottle();
  const addresses = limitAddresses(config, registry);
  const queryGates = createQueryGates();
  const largeBodies = createLargeBodies(scheduler);
  const loadGuard = createLoadGuard({
    registry,
    onShed: (details) =>
      logger.warn(details, 'requests were rejected, because there are more than this process can serve'),
  });
  const exchange = exchangeRates(platform, admission, addresses, registry);
  return {
    admission,
    rejectionThrottle,
    addresses,
    loadGuard,
    queryGates,
    largeBodies,
    responseMemory: createResponseMemoryBudget({
      processBytesMax: LIMITS.queryBytesPerProcessMax,
      databaseBytesMax: LIMITS.queryBytesPerDatabaseMax,
    }),
    costs: createQueryCosts({ rowsExaminedMax: config.rowsExaminedMax, registry }),
    streams: createStreams(registry),
    sweep() {
      for (const part of [admission, rejectionThrottle, queryGates, largeBodies, addresses]) part?.sweep();
    },
    async stop() {
      loadGuard.stop();
      await exchange.stop();
    },
  };
}

function createQueryGates(): GateMap {
  return createGateMap({
    runningMax: LIMITS.queriesPerDatabaseMax,
    waitingMax: 64,
    waitMs: 1_000,
    toError: () =>
      new AppError('limit.concurrency', {
        retryAfterSeconds: 1,
        detail: `A database can run at most ${LIMITS.queriesPerDatabaseMax} queries at once.`,
      }),
  });
}

/** Creates the rate limits for client addresses. Returns null if addresses are not limited. */
function limitAddresses(
  { addressRate: perSecond, trustedProxies: trustedNetworks }: GatewayConfig,
  registry: Registry,
): AddressRates | null {
  const rejected = new Counter({
    name: 'gateway_address_limited_total',
    help: 'Requests rejected because their client address exceeded its rate',
    registers: [registry],
  });
  return perSecond === 0
    ? null
    : createAddressRates({
        perSecond,
        burst: perSecond * ADDRESS_BURST_SECONDS,
        trustedNetworks,
        onRejected: () => rejected.inc(),
      });
}

/** Exchanges request counts with the other gateways once a second. */
function exchangeRates(
  { channel, identity }: PlatformConnections,
  admission: RequestAdmission,
  addresses: AddressRates | null,
  registry: Registry,
): { stop(): Promise<void> } {
  const grantedElsewhere = new Counter({
    name: 'gateway_rate_granted_elsewhere_total',
    help: 'Requests under a rate limit that other gateways have admitted',
    registers: [registry],
  });
  const exchange = startRateExchange({
    ...identity,
    rates: addresses === null ? admission : joinRates(admission, addresses),
    publish: (report) => rateChannel.publish(report),
    onReceived: (granted) => grantedElsewhere.inc(granted),
  });
  const rateChannel = createRateChannel({
    ...channel,
    onReport: (report) => exchange.receive(report),
  });
  return {
    async stop() {
      exchange.stop();
      await rateChannel.close();
    },
  };
}
