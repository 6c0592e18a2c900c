import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { createMcpEndpoint } from '@rowhouse/mcp';
import {
  createGatewayQuestions,
  createGatewayTelemetry,
  createGatewayWarmList,
} from '@rowhouse/platform-store';
import { createChangeSubscriber } from '@rowhouse/queue';
import {
  createAddressReader,
  toKeyRing,
  type EventLog,
  type Logger,
  type ReadinessReport,
  type Registry,
} from '@rowhouse/runtime';
import { connectPlatform, type PlatformConnections } from './compose/connect-platform.js';
import { createLimits } from './compose/create-limits.js';
import { createPools } from './compose/create-pools.js';
import { followCell, type FollowedCell, type Warn } from './compose/follow-cell.js';
import type { GatewayConfig } from './config.js';
import type { DataPlaneServices } from './http/data-plane.js';
import { NO_FAIL_POINTS, type FailPoints } from './idempotency/fail-points.js';
import { createIdempotencySweep } from './idempotency/sweep.js';
import { createModels, type Models } from './questions/models/create-models.js';
import { createLexiconCache } from './questions/vocabulary/lexicon-cache.js';
import { createDigest } from './rest/record-digest.js';
import { createDetection, type Detection } from './schema/detection.js';
import { createObserver, type Observe } from './telemetry/observe.js';
import { watchCaches, watchPools } from './telemetry/state-metrics.js';
import { startTelemetry } from './telemetry/telemetry.js';
import { createCredentialHasher } from './tenant/credential-hasher.js';
import { startWarmUp } from './tenant/warm-up.js';

export interface RunningGateway {
  readonly services: DataPlaneServices;
  readonly observe: Observe;
  readiness(): ReadinessReport;
  /** Settles once the busiest databases are in memory. */
  readonly warmedUp: Promise<void>;
  /** Releases the lease, flushes telemetry and closes every connection. Call it after the last request. */
  stop(): Promise<void>;
}

const SWEEP_INTERVAL_MS = 60_000;
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
  const warn: Warn = (part) => (error) => logger.warn({ part, err: error }, 'a background step failed');
  const platform = connectPlatform(config, registry);
  const { pools, leases, scheduler } = createPools(config, platform, warn('connection leases'));
  const cell = await followCell(config, platform, pools, logger, warn);
  const limits = createLimits(config, platform, scheduler, logger, registry);
  const subscriber = createChangeSubscriber({
    ...platform.channel,
    onEntry: (entry) => cell.follower.receive(entry),
    onGap: () => cell.follower.catchUp(),
  });
  const telemetry = startTelemetry(
    createGatewayTelemetry(platform.pool, platform.cellId),
    warn('telemetry'),
    (databaseId) => cell.vocabularies.noteWrite(databaseId),
  );
  const models = createCellModels(config, platform, warn('questions'));
  watchPools(registry, pools);
  watchCaches(registry, cell.tenants, cell.schemas);
  const sweeper = setInterval(() => [limits, models].forEach((part) => part.sweep()), SWEEP_INTERVAL_MS);
  const services: DataPlaneServices = {
    ...createKeys(config),
    ...limits,
    pools,
    scheduler,
    models,
    directory: platform.directory,
    schemas: cell.schemas,
    prepared: cell.prepared,
    tenants: cell.tenants,
    vocabularies: cell.vocabularies,
    clockWatchdog: cell.clockWatchdog,
    publicUrl: config.publicUrl,
    consoleUrl: config.consoleUrl,
    readAddress: createAddressReader(config.trustedProxies),
    onDefect: (error) => logger.error({ err: error }, 'a request could not be completed'),
    failPoints: await createFailPoints(config),
    idempotencySweep: createIdempotencySweep(pools, warn('idempotency sweep')),
    detection: createCellDetection(platform, cell, warn('detection')),
    lexicons: createLexiconCache(scheduler),
    mcp: createMcpEndpoint(warn('mcp')),
    queryGate: (databaseId) => limits.queryGates.of(databaseId),
    isChangeLogStale: () => cell.follower.isChangeLogStale(),
    isChangeLogLost: () => cell.follower.isChangeLogLost(),
  };
  // The code of the MCP endpoint is loaded while the gateway waits for the platform database.
  await Promise.all([cell.leased, services.mcp.load()]);
  const warmUp = startWarmUp({
    list: createGatewayWarmList(platform.pool, platform.cellId),
    tenants: cell.tenants,
    schemas: cell.schemas,
    changeTracker: cell.follower.changeTracker,
    onFault: warn('warm-up'),
  });
  return {
    services,
    warmedUp: warmUp.done,
    observe: createObserver(events, registry, telemetry),
    readiness(): ReadinessReport {
      if (cell.follower.isChangeLogStale()) return { change_log: 'the change log could not be read for 2 s' };
      return warmUp.isFinished() ? {} : { warm_up: 'the busiest databases are being loaded' };
    },
    async stop() {
      clearInterval(sweeper);
      warmUp.stop();
      await Promise.all([
        ...[cell, limits, leases, telemetry, models].map((part) => part.stop()),
        ...[subscriber, platform.publisher].map((part) => part.close()),
        pools.close(POOL_DRAIN_MS),
      ]);
      await platform.close();
      events.close();
    },
  };
}

/**
 * Derives the keys of hashes, cursors and record tags. They are the same in every gateway of the deployment.
 */
function createKeys(config: GatewayConfig): Pick<DataPlaneServices, 'hashKey' | 'cursorKey' | 'digest'> {
  const [masterKey] = toKeyRing(config.masterKey, config.previousMasterKeys);
  const derive = (purpose: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), purpose, 32)));
  return {
    hashKey: createCredentialHasher(createSecretKey(config.pepper.reveal(), 'base64url')),
    cursorKey: derive('rowhouse cursors'),
    digest: createDigest(derive('rowhouse record tags')),
  };
}

async function createFailPoints({ environment }: GatewayConfig): Promise<FailPoints> {
  return environment === 'test'
    ? (await import('./testing/fail-points.js')).createFailPoints()
    : NO_FAIL_POINTS;
}

function createCellDetection(
  { publisher, changes }: PlatformConnections,
  { schemas }: FollowedCell,
  onFault: (error: unknown) => void,
): Detection {
  return createDetection({
    request(databaseId) {
      void publisher.requestDetection(databaseId);
      changes.requestDetection(databaseId).catch(onFault);
    },
    waitForNewer: (databaseId, number, timeoutMs) => schemas.waitForNewer(databaseId, number, timeoutMs),
  });
}

function createCellModels(
  { languageModel: settings, models: limits }: GatewayConfig,
  { pool, cellId, shared, box }: PlatformConnections,
  onFault: (error: unknown) => void,
): Models {
  return createModels({
    settings,
    limits,
    store: createGatewayQuestions(pool, cellId),
    shared,
    box,
    onFault,
  });
}
