import { createSecretKey, hkdfSync } from 'node:crypto';
import { QUESTION_KINDS, type ChangeEntry } from '@rowhouse/contracts';
import { createMessageSigner, createSecretBox, deriveRecordKey } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { createMcpEndpoint } from '@rowhouse/mcp';
import { createPlatformPool, createTenantPools, DEFAULT_POOL_OPTIONS, type PoolOptions, type TenantPools } from '@rowhouse/mysql';
import { createGatewayChanges, createGatewayDirectory, createGatewayQuestions, createGatewayTelemetry, createGatewayWarmList, createGatewayWords, createServerLeases, type ServerLeases } from '@rowhouse/platform-store';
import { connectRedis, countIgnored, createChangePublisher, createChangeSubscriber, createRateChannel } from '@rowhouse/queue';
import { Counter, createAddressRates, createAddressReader, createGateMap, createId, startServerClock, toKeyRing, type AddressRates, type EventLog, type Logger, type ReadinessReport, type Registry } from '@rowhouse/runtime';
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
import { createLoopTurns, type LoopTurns } from './pipeline/loop-turns.js';
import { createObserver, type Observe } from './pipeline/observe.js';
import { createStreams } from './pipeline/streams/streams.js';
import { startTelemetry } from './telemetry/telemetry.js';
import { createAnswerBytes } from './tenant/answer-bytes.js';
import { createAdmission } from './tenant/admission.js';
import { createRefusalPace } from './tenant/refusal-pace.js';
import { createCredentialHasher } from './tenant/credential-hasher.js';
import { createAccountRepairs } from './tenant/account-repairs.js';
import { startConnectionLeases, type ConnectionLeases } from './tenant/connection-leases.js';
import { startChangeFollower } from './tenant/change-follower.js';
import type { ChangeMemory } from './tenant/change-memory.js';
import { joinRates } from './tenant/join-rates.js';
import { startLeaseKeeper, type LeaseKeeper, type LeaseKeeperOptions } from './tenant/lease-keeper.js';
import { startPulse } from './tenant/pulse.js';
import { startRateExchange } from './tenant/rate-exchange.js';
import { createSharedRecords } from './tenant/shared-records.js';
import { createTenantDirectory } from './tenant/tenant-directory.js';
import { startWarmUp } from './tenant/warm-up.js';
import { watchCaches } from './telemetry/watch-caches.js';
import { watchPools } from './telemetry/watch-pools.js';
import { createLexiconCache } from './words/lexicon-cache.js';
import { createValueReader } from './words/read-values.js';
import { createWordStore } from './words/word-store.js';

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
export async function createGateway(config: GatewayConfig, logger: Logger, registry: Registry, events: EventLog): Promise<RunningGateway> {
  const { cellId } = config;
  const masterKeys = toKeyRing(config.masterKey, config.previousMasterKeys);
  const [masterKey] = masterKeys;
  const warn = (part: string) => (error: unknown) => logger.warn({ part, err: error }, 'a background step failed');
  const platform = createPlatformPool(config.platformUrl.reveal(), { connectionsMax: 8, connectTimeoutMs: 1_000, statementTimeoutMs: 1_500 });
  const directory = createGatewayDirectory(platform, cellId);
  const changes = createGatewayChanges(platform, cellId);
  const redis = connectRedis(config.redisUrl.reveal(), 'gateway');
  const channel = { redisUrl: config.redisUrl.reveal(), cellId, signer: createMessageSigner(masterKeys) };
  const publisher = createChangePublisher(channel);
  const box = createSecretBox(masterKeys);
  const shared = createSharedRecords(redis, { recordKey: deriveRecordKey(masterKey), box, cellId });
  const self = { gatewayId: config.gatewayId ?? createId('gw'), epoch: Date.now() };
  const { pools, connections, turns, bodies } = createPools(config, createServerLeases(platform, { cellId, holder: self.gatewayId }), warn('connection leases'), (account) => accountRepairs.await(account.databaseId ?? ''));
  watchPools(registry, pools);

  const poke = (): void => lease?.poke();
  let lease: LeaseKeeper | null = null;
  const [follower, clock] = await Promise.all([
    startChangeFollower({ changes, apply: (entry) => apply(entry), onApplied: poke, onFault: warn('change log') }),
    startServerClock({ readTimeMs: () => changes.readTimeMs(), onFault: warn('clock') }),
  ]);
  const { memory } = follower;

  const { schemas, prepared } = createSchemaStores({ directory, shared, memory, logger, onExceptions: poke, catchUp: () => follower.readNow() });
  // The lease is written while the other parts are created, and awaited before anything is served.
  const leasing = beginLease({ ...self, changes, address: config.publicUrl, onFault: warn('lease') }, memory, [schemas, prepared]);
  const pulse = startPulse({ catchUp: () => Promise.all([follower.readNow(), clock.sync()]).then(() => schemas.settle()), onFault: warn('catching up') });
  const tenants = createTenantDirectory({
    directory, shared, memory,
    secrets: box, clock,
    budget: config,
    codeTables: (databaseId) => schemas.codeTables(databaseId),
    onMoved(database) {
      for (const account of database.record.accounts) pools.forgetAccount(database.server.id, account.userName);
    },
  });

  watchCaches(registry, tenants, schemas);

  const words = createWordStore({ source: createGatewayWords(platform, cellId), readValues: createValueReader(pools, shared), hurry: (databaseId) => void publisher.requestValues(databaseId), onFault: warn('question words') });

  function apply(entry: ChangeEntry): void {
    words.drop(entry.database_id, entry.kind);
    if (QUESTION_KINDS.has(entry.kind)) return;
    if (entry.kind === 'prepared') prepared.note(entry.database_id);
    else if (entry.kind === 'pause') {
      schemas.notePause(entry.database_id);
      prepared.drop(entry.database_id, Number.MAX_SAFE_INTEGER);
    }
    else if (entry.kind === 'snapshot') {
      schemas.noteSnapshot(entry.database_id, entry.version);
      prepared.drop(entry.database_id, entry.version);
    } else tenants.drop(entry.database_id, entry.kind);
  }

  const [admission, refusals, accountRepairs] = [createAdmission([config.publicUrl, config.consoleUrl].flatMap((url) => (url === undefined ? [] : [new URL(url).origin]))), createRefusalPace(), createAccountRepairs(publisher, changes)];
  const addresses = limitAddresses(config, registry);
  const load = createLoadGuard({ registry, onShed: (facts) => logger.warn(facts, 'requests were refused: there are more than this process can answer') });
  const detection = createDetection({
    request(databaseId) {
      void publisher.requestDetection(databaseId);
      changes.requestDetection(databaseId).catch(warn('detection'));
    },
    waitForNewer: (databaseId, number, timeoutMs) => schemas.waitForNewer(databaseId, number, timeoutMs),
  });
  const queryGates = createGateMap({
    runningMax: LIMITS.queriesPerDatabaseMax, waitingMax: 64, waitMs: 1_000,
    toError: () => new AppError('limit.concurrency', { retryAfterSeconds: 1, detail: `At most ${LIMITS.queriesPerDatabaseMax} queries run at once on a database.` }),
  });

  const onIgnored = countIgnored(registry);
  const subscriber = createChangeSubscriber({ ...channel, onEntry: (entry) => follower.hear(entry), onGap: () => follower.catchUp(), onIgnored });
  const elsewhere = new Counter({ name: 'gateway_rate_granted_elsewhere_total', help: 'Requests under a rate that other gateways have let through', registers: [registry] });
  const rates = startRateExchange({ ...self, admission: addresses === null ? admission : joinRates(admission, addresses), publish: (report) => rateChannel.publish(report), onHeard: (granted) => elsewhere.inc(granted) });
  const rateChannel = createRateChannel({ ...channel, onReport: (report) => rates.hear(report), onIgnored });
  const telemetry = startTelemetry(createGatewayTelemetry(platform, cellId), warn('telemetry'), (databaseId) => words.noteWrite(databaseId));
  const models = createModels({ settings: config.languageModel, limits: config.models, store: createGatewayQuestions(platform, cellId), shared, box, onFault: warn('questions') });
  const sweeper = setInterval(() => [admission, refusals, queryGates, bodies, models, addresses].forEach((part) => part?.sweep()), SWEEP_INTERVAL_MS);

  const gateway: Gateway = {
    failPoints: config.environment === 'test' ? (await import('./testing/fail-points.js')).createFailPoints() : NO_FAIL_POINTS,
    idempotencySweep: createIdempotencySweep(pools, warn('idempotency sweep')),
    hashKey: createCredentialHasher(createSecretKey(config.pepper.reveal(), 'base64url')),
    readAddress: createAddressReader(config.trustedProxies),
    publicUrl: config.publicUrl, consoleUrl: config.consoleUrl,
    cursorKey: createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'rowhouse cursors', 32))),
    digest: createDigest(createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'rowhouse record tags', 32)))),
    tenants, admission, refusals, addresses, load, schemas, prepared, pulse, pools, words, detection, directory, models, lexicons: createLexiconCache(turns),
    streams: createStreams(registry), turns, bodies, costs: createQueryCosts({ rowsExaminedMax: config.rowsExaminedMax, registry }),
    mcp: createMcpEndpoint(warn('mcp')),
    queryGate: (databaseId) => queryGates.of(databaseId),
    answerBytes: createAnswerBytes({ processBytesMax: LIMITS.queryBytesPerProcessMax, databaseBytesMax: LIMITS.queryBytesPerDatabaseMax }),
    isFenced: () => follower.isFenced(),
    isBlind: () => follower.isBlind(),
  };
  // The MCP endpoint loads while the platform database responds.
  [lease] = await Promise.all([leasing, gateway.mcp.load()]);
  const warmUp = startWarmUp({ list: createGatewayWarmList(platform, cellId), tenants, schemas, memory, onFault: warn('warm-up') });
  return {
    gateway,
    warmedUp: warmUp.done,
    observe: createObserver(events, registry, telemetry),
    readiness(): ReadinessReport {
      if (follower.isFenced()) return { change_log: 'nothing was heard of the change log for 2 s' };
      return warmUp.isOver() ? {} : { warm_up: 'the busiest databases are being loaded' };
    },
    async stop() {
      clearInterval(sweeper);
      follower.stop();
      pulse.stop();
      load.stop();
      clock.stop();
      rates.stop();
      warmUp.stop();
      words.stop();
      await Promise.all([subscriber.close(), publisher.close(), rateChannel.close(), lease?.stop(), connections.stop(), telemetry.stop(), models.stop(), pools.close(POOL_DRAIN_MS)]);
      redis.disconnect();
      await platform.close();
      events.close();
    },
  };
}

/** Starts the lease. Its rejection reaches the caller even when the caller awaits it later. */
function beginLease(options: Omit<LeaseKeeperOptions, 'readState'>, memory: ChangeMemory, stores: readonly { exceptions(): readonly string[] }[]): Promise<LeaseKeeper> {
  const readState = (): ReturnType<LeaseKeeperOptions['readState']> => ({ appliedThroughSeq: memory.appliedSeq(), exceptions: [...new Set(stores.flatMap((store) => store.exceptions()))] });
  const leasing = startLeaseKeeper({ ...options, readState });
  leasing.catch(() => undefined);
  return leasing;
}

/** Returns null when addresses are not limited. */
function limitAddresses({ addressRate: perSecond, trustedProxies: trustedNetworks }: GatewayConfig, registry: Registry): AddressRates | null {
  const refused = new Counter({ name: 'gateway_address_limited_total', help: 'Requests refused for the rate of their address', registers: [registry] });
  return perSecond === 0 ? null : createAddressRates({ perSecond, burst: perSecond * ADDRESS_BURST_SECONDS, trustedNetworks, onRefused: () => refused.inc() });
}

/** Creates the session pools for tenants' servers, and the leases that limit them. */
function createPools(config: GatewayConfig, leases: ServerLeases, onFault: (error: unknown) => void, onRefused: NonNullable<PoolOptions['onRefused']>): { pools: TenantPools; connections: ConnectionLeases; turns: LoopTurns; bodies: LargeBodies } {
  const turns = createLoopTurns();
  const { serverConnectionsFloor: connectionsFloor, serverConnectionsMax: connectionsMax, answersReadBy, writesTogether } = config;
  const pools = createTenantPools({ ...DEFAULT_POOL_OPTIONS, turns, answersReadBy, writesTogether, statementMsMax: LIMITS.statementMsMax, connectionsFloor, onRefused, onPressure: (serverId) => connections.press(serverId) });
  const connections = startConnectionLeases({ pools, leases, connectionsFloor, connectionsMax, onFault });
  return { pools, connections, turns, bodies: createLargeBodies(turns) };
}
