import { createEventLog, createLogger, createMetrics, Secret, type Registry } from '@rowhouse/runtime';
import type { GatewayConfig } from '../../src/config.js';
import { createGateway, type RunningGateway } from '../../src/create-gateway.js';
import { createHttpServer, type HttpServer } from '../../src/http/create-http-server.js';

export interface GatewayOptions {
  /** `test` by default. */
  readonly environment?: GatewayConfig['environment'];
  readonly redisUrl?: string;
  /** Another port of the platform database. */
  readonly platformPort?: number;
  readonly logLevel?: GatewayConfig['logLevel'];
  readonly trustedProxies?: readonly string[];
  readonly serverConnectionsMax?: number;
  readonly serverConnectionsFloor?: number;
  readonly tenantConnectionsMax?: number;
  readonly languageModel?: GatewayConfig['languageModel'];
  /** Whether projects' own models may be on private addresses. True by default. */
  readonly allowsPrivateModels?: boolean;
  readonly answersReadBy?: GatewayConfig['answersReadBy'];
  readonly writesTogether?: boolean;
  /** The rate limit for each address. Unlimited by default. */
  readonly addressRate?: number;
  /** The limit of open connections for each address. Unlimited by default. */
  readonly addressConnections?: number;
  /** Defaults to the default of the product. */
  readonly rowsExaminedMax?: number;
}

export interface TestGateway {
  readonly url: string;
  readonly running: RunningGateway;
  /** Returns the sum of a metric over its labels. */
  metric(name: string): Promise<number>;
  /** Returns the log lines of all requests so far, if the log level includes them. */
  events(): readonly string[];
  readonly metrics: Registry;
  stop(): Promise<void>;
}

/** The addresses and secrets of a cell. */
export interface CellSecrets {
  readonly cellId: string;
  readonly platformUrl: string;
  readonly redisUrl: string;
  readonly masterKey: Buffer;
  readonly pepper: Buffer;
}

/** Returns the configuration of a gateway for a cell. */
export function toConfig(
  options: GatewayOptions,
  { cellId, platformUrl, redisUrl, masterKey, pepper }: CellSecrets,
): GatewayConfig {
  return {
    cellId,
    platformUrl: new Secret(platformUrl),
    redisUrl: new Secret(redisUrl),
    masterKey: new Secret(masterKey.toString('base64url')),
    previousMasterKeys: [],
    pepper: new Secret(pepper.toString('base64url')),
    host: '127.0.0.1',
    port: 0,
    metricsHost: '127.0.0.1',
    metricsPort: 0,
    trustedProxies: options.trustedProxies ?? [],
    publicUrl: 'http://127.0.0.1:4100',
    consoleUrl: 'https://console.example.org',
    gatewayId: undefined,
    drain: { noticeMs: 1, inFlightMs: 500 },
    serverConnectionsMax: options.serverConnectionsMax ?? 10,
    serverConnectionsFloor: options.serverConnectionsFloor ?? 4,
    tenantConnectionsMax: options.tenantConnectionsMax ?? 4,
    tenantWritesMax: 10,
    answersReadBy: options.answersReadBy ?? 'wire',
    writesTogether: options.writesTogether ?? true,
    rowsExaminedMax: options.rowsExaminedMax ?? 10_000_000,
    addressRate: options.addressRate ?? 0,
    addressConnections: options.addressConnections ?? 0,
    logLevel: options.logLevel ?? 'silent',
    environment: options.environment ?? 'test',
    languageModel: options.languageModel ?? null,
    models: {
      timeoutMs: 20_000,
      tokensPerDay: 1_000_000_000,
      allowsPrivate: options.allowsPrivateModels ?? true,
    },
    parentPid: undefined,
  };
}

/** Starts a gateway in this process. */
export async function startGateway(config: GatewayConfig): Promise<TestGateway> {
  const registry = createMetrics('gateway');
  const lines: string[] = [];
  const events = createEventLog({
    service: 'gateway',
    level: config.logLevel,
    output: (bytes) => lines.push(bytes.toString()) && bytes.length,
  });
  const running = await createGateway(config, createLogger('gateway', config.logLevel), registry, events);
  const http: HttpServer = await createHttpServer(running.services, running.observe, config, registry);
  const port = await http.listen(0, '127.0.0.1');
  let stopping: Promise<void> | null = null;
  return {
    url: `http://127.0.0.1:${port}`,
    running,
    events() {
      events.flush();
      return lines
        .join('')
        .split('\n')
        .filter((line) => line !== '');
    },
    async metric(name) {
      const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
      return values.reduce((sum, { value }) => sum + value, 0);
    },
    metrics: registry,
    stop: () => (stopping ??= http.close({ noticeMs: 0, inFlightMs: 500 }).then(() => running.stop())),
  };
}
