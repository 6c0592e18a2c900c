import { createSecretKey, hkdfSync } from 'node:crypto';
import { QUESTION_KINDS, type ChangeEntry } from '@rowhouse/contracts';
import { createMessageSigner, createSecretBox, deriveRecordKey } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { createMcpEndpoint } from '@rowhouse/mcp';
import {
  createPlatformPool,
  createTenantPools,
  DEFAULT_POOL_OPTIONS,
  type PoolOptions,
  type TenantPools,
} from '@rowhouse/mysql';
import {
  createGatewayChanges,
  createGatewayDirectory,
  createGatewayQuestions,
  createGatewayTelemetry,
  createGatewayWarmList,
  createGatewayVocabulary,
  createServerLeases,
  type ServerLeases,
} from '@rowhouse/platform-store';
import {
  connectRedis,
  countIgnored,
  createChangePublisher,
  createChangeSubscriber,
  createRateChannel,
} from '@rowhouse/queue';
import {
  Counter,
  createAddressRates,
  createAddressReader,
  createGateMap,
  createId,
  createResponseSlices,
  startServerClock,
  toKeyRing,
  type AddressRates,
  type EventLog,
  type Logger,
  type ReadinessReport,
  type Registry,
} from '@rowhouse/runtime';
import type { GatewayConfig } from './config.js';
import { createSchemaStores } from './create-schema-stores.js';
import { createModels } from './llm/create-models.js';
import { LIMITS } from './limits.js';
import { createQueryCosts } from './pipeline/cost/query-costs.js';
import { createDetection } from './pipeline/detection.js';
import { createDigest } from './pipeline/digest-cells.js';
import { NO_FAIL_POINTS } from './pipeline/fail-points.js';
import type { Gateway } from './pipeline/gateway.js';
import { createIdempotencySweep } from './pipeline/idempotency/sweep.js';
import { createLoadGuard } from './pipeline/load-guard.js';
import { createLargeBodies, type LargeBodies } from './pipeline/large-bodies.js';
import { createEventLoopScheduler, type EventLoopScheduler } from './pipeline/event-loop-scheduler.js';
import { createObserver, type Observe } from './pipeline/observe.js';
import { createStreams } from './pipeline/streams/streams.js';
import { startTelemetry } from './telemetry/telemetry.js';
import { createResponseBytes } from './tenant/response-bytes.js';
import { createAdmission } from './tenant/admission.js';
import { createRejectionThrottle } from './tenant/rejection-throttle.js';
import { createCredentialHasher } from './tenant/credential-hasher.js';
import { createAccountRepairs } from './tenant/account-repairs.js';
import { startConnectionLeases, type ConnectionLeases } from './tenant/connection-leases.js';
import { startChangeFollower } from './tenant/change-follower.js';
import type { ChangeTracker } from './tenant/change-tracker.js';
import { joinRates } from './tenant/join-rates.js';
import { startLeaseRenewer, type LeaseRenewer, type LeaseRenewerOptions } from './tenant/lease-renewer.js';
import { startClockWatchdog } from './tenant/clock-watchdog.js';
import { startRateExchange } from './tenant/rate-exchange.js';
import { createSharedRecords } from './tenant/shared-records.js';
import { createTenantDirectory } from './tenant/tenant-directory.js';
import { startWarmUp } from './tenant/warm-up.js';
import { watchCaches } from './telemetry/watch-caches.js';
import { watchPools } from './telemetry/watch-pools.js';
import { createLexiconCache } from './vocabulary/lexicon-cache.js';
import { createValueReader } from './vocabulary/read-values.js';
import { createVocabularyStore } from './vocabulary/vocabulary-store.js';

export interface RunningGateway {
  readonly gateway: Gateway;
  readonly observe: Observe;
  readiness(): ReadinessReport;
  /** Settles when the busiest databases are in memory. */
  readonly warmedUp: Promise<void>;
  /** Releases the lease, flushes telemetry and closes every connection. Call it after the last request. */
  stop(): Promise<void>;
}

const SWEEP_INTERVAL_MS = 60_000;
/** The burst of an address, in seconds of its rate. */
const ADDRESS_BURST_SECONDS = 4;
const POOL_DRAIN_MS = 300;

/**
 * The composition root: creates all parts and connects them. Rejects when the platform database is
 * unavailable.
 */
export async function createGateway(
  config: GatewayConfig,
  logger: Logger,
  registry: Registry,
  events: EventLog,
): Promise<RunningGateway> {
  const { cellId } = config;
  const masterKeys = toKeyRing(config.masterKey, config.previousMasterKeys);
  const [masterKey] = masterKeys;
  const warn = (part: string) => (error: unknown) =>
    logger.warn({ part, err: error }, 'a background step failed');
  const platform = createPlatformPool(config.platformUrl.reveal(), {
    connectionsMax: 8,
    connectTimeoutMs: 1_000,
    statementTimeoutMs: 1_500,
  });
  const directory = createGatewayDirectory(platform, cellId);
  const changes = createGatewayChanges(platform, cellId);
  const redis = connectRedis(config.redisUrl.reveal(), 'gateway');
  const channel = { redisUrl: config.redisUrl.reveal(), cellId, signer: createMessageSigner(masterKeys) };
  const publisher = createChangePublisher(channel);
  const box = createSecretBox(masterKeys);
  const shared = createSharedRecords(redis, { recordKey: deriveRecordKey(masterKey), box, cellId });
  const self = { gatewayId: config.gatewayId ?? createId('gw'), epoch: Date.now() };
  const { pools, connections, scheduler, bodies } = createPools(
    config,
    createServerLeases(platform, { cellId, holder: self.gatewayId }),
    warn('connection leases'),
    (account) => accountRepairs.await(account.databaseId ?? ''),
  );
  watchPools(registry, pools);

  const poke = (): void => lease?.poke();
  let lease: LeaseRenewer | null = null;
  const [follower, clock] = await Promise.all([
    startChangeFollower({
      changes,
      apply: (entry) => apply(entry),
      onApplied: poke,
      onFault: warn('change log'),
    }),
    startServerClock({ readTimeMs: () => changes.readTimeMs(), onFault: warn('clock') }),
  ]);
  const { memory: changeTracker } = follower;

  const { schemas, prepared } = createSchemaStores({
    directory,
    shared,
    memory: changeTracker,
    logger,
    onExceptions: poke,
    catchUp: () => follower.readNow(),
  });
  // The lease is written while the other parts are created, and awaited before anything is served.
  const leasing = beginLease(
    { ...self, changes, address: config.publicUrl, onFault: warn('lease') },
    changeTracker,
    [schemas, prepared],
  );
  const clockWatchdog = startClockWatchdog({
    catchUp: () => Promise.all([follower.readNow(), clock.sync()]).then(() => schemas.settle()),
    onFault: warn('catching up'),
  });
  const tenants = createTenantDirectory({
    directory,
    shared,
    memory: changeTracker,
    secrets: box,
    clock,
    budget: config,
    codeTables: (databaseId) => schemas.codeTables(databaseId),
    onMoved(database) {
      for (const account of database.record.accounts)
        pools.forgetAccount(database.server.id, account.userName);
    },
  });

  watchCaches(registry, tenants, schemas);

  const vocabularies = createVocabularyStore({
    source: createGatewayVocabulary(platform, cellId),
    readValues: createValueReader(pools, shared),
    hurry: (databaseId) => void publisher.requestValues(databaseId),
    onFault: warn('question words'),
  });

  function apply(entry: ChangeEntry): void {
    vocabularies.drop(entry.database_id, entry.kind);
    if (QUESTION_KINDS.has(entry.kind)) return;
    if (entry.kind === 'prepared') prepared.note(entry.database_id);
    else if (entry.kind === 'pause') {
      schemas.notePause(entry.database_id);
      prepared.drop(entry.database_id, Number.MAX_SAFE_INTEGER);
    } else if (entry.kind === 'snapshot') {
      schemas.noteSnapshot(entry.database_id, entry.version);
      prepared.drop(entry.database_id, entry.version);
    } else tenants.drop(entry.database_id, entry.kind);
  }

  const [admission, rejections, accountRepairs] = [
    createAdmission(
      [config.publicUrl, config.consoleUrl].flatMap((url) =>
        url === undefined ? [] : [new URL(url).origin],
      ),
    ),
    createRejectionThrottle(),
    createAccountRepairs(publisher, changes),
  ];
  const addresses = limitAddresses(config, registry);
  const load = createLoadGuard({
    registry,
    onShed: (details) =>
      logger.warn(details, 'requests were refused: there are more than this process can answer'),
  });
  const detection = createDetection({
    request(databaseId) {
      void publisher.requestDetection(databaseId);
      changes.requestDetection(databaseId).catch(warn('detection'));
    },
    waitForNewer: (databaseId, number, timeoutMs) => schemas.waitForNewer(databaseId, number, timeoutMs),
  });
  const queryGates = createGateMap({
    runningMax: LIMITS.queriesPerDatabaseMax,
    waitingMax: 64,
    waitMs: 1_000,
    toError: () =>
      new AppError('limit.concurrency', {
        retryAfterSeconds: 1,
        detail: `At most ${LIMITS.queriesPerDatabaseMax} queries run at once on a database.`,
      }),
  });

  const onIgnored = countIgnored(registry);
  const subscriber = createChangeSubscriber({
    ...channel,
    onEntry: (entry) => follower.hear(entry),
    onGap: () => follower.catchUp(),
    onIgnored,
  });
  const otherServer = new Counter({
    name: 'gateway_rate_granted_elsewhere_total',
    help: 'Requests under a rate that other gateways have let through',
    registers: [registry],
  });
  const rates = startRateExchange({
    ...self,
    admission: addresses === null ? admission : joinRates(admission, addresses),
    publish: (report) => rateChannel.publish(report),
    onHeard: (granted) => otherServer.inc(granted),
  });
  const rateChannel = createRateChannel({ ...channel, onReport: (report) => rates.hear(report), onIgnored });
  const telemetry = startTelemetry(
    createGatewayTelemetry(platform, cellId),
    warn('telemetry'),
    (databaseId) => vocabularies.noteWrite(databaseId),
  );
  const models = createModels({
    settings: config.languageModel,
    limits: config.models,
    store: createGatewayQuestions(platform, cellId),
    shared,
    box,
    onFault: warn('questions'),
  });
  const sweeper = setInterval(
    () => [admission, rejections, queryGates, bodies, models, addresses].forEach((part) => part?.sweep()),
    SWEEP_INTERVAL_MS,
  );

  const gateway: Gateway = {
    failPoints:
      config.environment === 'test'
        ? (await import('./testing/fail-points.js')).createFailPoints()
        : NO_FAIL_POINTS,
    idempotencySweep: createIdempotencySweep(pools, warn('idempotency sweep')),
    hashKey: createCredentialHasher(createSecretKey(config.pepper.reveal(), 'base64url')),
    readAddress: createAddressReader(config.trustedProxies),
    publicUrl: config.publicUrl,
    consoleUrl: config.consoleUrl,
    cursorKey: createSecretKey(
      Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'rowhouse cursors', 32)),
    ),
    digest: createDigest(
      createSecretKey(
        Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'rowhouse record tags', 32)),
      ),
    ),
    tenants,
    admission,
    refusals: rejections,
    addresses,
    load,
    schemas,
    prepared,
    pulse: clockWatchdog,
    pools,
    words: vocabularies,
    detection,
    directory,
    models,
    lexicons: createLexiconCache(scheduler),
    streams: createStreams(registry),
    turns: scheduler,
    bodies,
    costs: createQueryCosts({ rowsExaminedMax: config.rowsExaminedMax, registry }),
    mcp: createMcpEndpoint(warn('mcp')),
    queryGate: (databaseId) => queryGates.of(databaseId),
    answerBytes: createResponseBytes({
      processBytesMax: LIMITS.queryBytesPerProcessMax,
      databaseBytesMax: LIMITS.queryBytesPerDatabaseMax,
    }),
    isFenced: () => follower.isChangeLogStale(),
    isBlind: () => follower.isChangeLogLost(),
  };
  // The MCP endpoint loads while the platform database responds.
  [lease] = await Promise.all([leasing, gateway.mcp.load()]);
  const warmUp = startWarmUp({
    list: createGatewayWarmList(platform, cellId),
    tenants,
    schemas,
    memory: changeTracker,
    onFault: warn('warm-up'),
  });
  return {
    gateway,
    warmedUp: warmUp.done,
    observe: createObserver(events, registry, telemetry),
    readiness(): ReadinessReport {
      if (follower.isChangeLogStale()) return { change_log: 'nothing was heard of the change log for 2 s' };
      return warmUp.isFinished() ? {} : { warm_up: 'the busiest databases are being loaded' };
    },
    async stop() {
      clearInterval(sweeper);
      follower.stop();
      clockWatchdog.stop();
      load.stop();
      clock.stop();
      rates.stop();
      warmUp.stop();
      vocabularies.stop();
      await Promise.all([
        subscriber.close(),
        publisher.close(),
        rateChannel.close(),
        lease?.stop(),
        connections.stop(),
        telemetry.stop(),
        models.stop(),
        pools.close(POOL_DRAIN_MS),
      ]);
      redis.disconnect();
      await platform.close();
      events.close();
    },
  };
}

/** Starts the lease. Its rejection reaches the caller even when the caller awaits it later. */
function beginLease(
  options: Omit<LeaseRenewerOptions, 'readState'>,
  changeTracker: ChangeTracker,
  stores: readonly { exceptions(): readonly string[] }[],
): Promise<LeaseRenewer> {
  const readState = (): ReturnType<LeaseRenewerOptions['readState']> => ({
    appliedThroughSeq: changeTracker.appliedSeq(),
    exceptions: [...new Set(stores.flatMap((store) => store.exceptions()))],
  });
  const leasing = startLeaseRenewer({ ...options, readState });
  leasing.catch(() => undefined);
  return leasing;
}

/** Returns null when addresses are not limited. */
function limitAddresses(
  { addressRate: perSecond, trustedProxies: trustedNetworks }: GatewayConfig,
  registry: Registry,
): AddressRates | null {
  const rejected = new Counter({
    name: 'gateway_address_limited_total',
    help: 'Requests refused for the rate of their address',
    registers: [registry],
  });
  return perSecond === 0
    ? null
    : createAddressRates({
        perSecond,
        burst: perSecond * ADDRESS_BURST_SECONDS,
        trustedNetworks,
        onRefused: () => rejected.inc(),
      });
}

/** Creates the session pools for tenants' servers, and the leases that limit them. */
function createPools(
  config: GatewayConfig,
  leases: ServerLeases,
  onFault: (error: unknown) => void,
  onRejected: NonNullable<PoolOptions['onRefused']>,
): { pools: TenantPools; connections: ConnectionLeases; scheduler: EventLoopScheduler; bodies: LargeBodies } {
  const scheduler = createEventLoopScheduler();
  const {
    serverConnectionsFloor: connectionsFloor,
    serverConnectionsMax: connectionsMax,
    answersReadBy,
    writesTogether,
  } = config;
  const pools = createTenantPools({
    ...DEFAULT_POOL_OPTIONS,
    paceResponse: (schema, openFlow) => createResponseSlices(scheduler, schema, openFlow),
    answersReadBy,
    writesTogether,
    statementMsMax: LIMITS.statementMsMax,
    connectionsFloor,
    onRefused: onRejected,
    onPressure: (serverId) => connections.press(serverId),
  });
  const connections = startConnectionLeases({ pools, leases, connectionsFloor, connectionsMax, onFault });
  return { pools, connections, scheduler, bodies: createLargeBodies(scheduler) };
}
