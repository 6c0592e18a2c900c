import { isPlatformAddress, isRedisAddress, PLATFORM_FORM, REDIS_MEANS } from '@rowhouse/contracts';
import {
  cellName,
  countNumber,
  deployment,
  flag,
  keyMaterial,
  logLevel,
  networkList,
  parentPid,
  portNumber,
  previousMasterKeys,
  positiveNumber,
  publicUrl,
  readConfig,
  secretText,
  urlSecret,
} from '@rowhouse/runtime';
import { z } from 'zod';

/** The environment variables of the gateway. */
export const environmentSchema = z.object({
  ROWHOUSE_CELL: cellName().describe('Name of the cell'),
  PLATFORM_CELL_URL: urlSecret(isPlatformAddress).describe(`The cell's platform tables: ${PLATFORM_FORM}`),
  REDIS_URL: urlSecret(isRedisAddress).describe(REDIS_MEANS),
  ROWHOUSE_MASTER_KEY: keyMaterial().describe(
    'Decrypts secrets at rest and signs data in Redis: 32 bytes as base64url, the same in every process',
  ),
  ROWHOUSE_MASTER_KEY_PREVIOUS: previousMasterKeys(),
  ROWHOUSE_PEPPER: keyMaterial().describe(
    'Key for hashing API keys: 32 bytes as base64url, the same in the control plane and gateways',
  ),
  GATEWAY_HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  GATEWAY_PORT: portNumber(4100).describe('Port to listen on; 0 chooses a free port'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address of `/livez`, `/readyz` and `/metrics`'),
  METRICS_PORT: portNumber(0).describe('Port of `/livez`, `/readyz` and `/metrics`; 0 chooses a free port'),
  GATEWAY_PUBLIC_URL: publicUrl().describe('The URL of the data API for programs'),
  CONTROL_PUBLIC_URL: publicUrl()
    .optional()
    .describe('The URL of the console; its pages may use MCP on this gateway'),
  TRUSTED_PROXIES: networkList().describe(
    'Addresses and networks of trusted proxies, separated by commas. Only their `X-Forwarded-For` is used',
  ),
  GATEWAY_ID: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/)
    .optional()
    .describe('Name in the lease row. Without it, each start has a new name'),
  GATEWAY_SERVER_CONNECTIONS: positiveNumber(100).describe(
    'Maximum connections of this process to one database server. Those above ' +
      'GATEWAY_SERVER_CONNECTIONS_FLOOR are leased from the number that the server allows all ' +
      'gateways',
  ),
  GATEWAY_SERVER_CONNECTIONS_FLOOR: positiveNumber(8).describe(
    'Connections of GATEWAY_SERVER_CONNECTIONS that need no lease',
  ),
  GATEWAY_TENANT_CONNECTIONS: positiveNumber(4).describe(
    'Maximum connections of this process for one database',
  ),
  GATEWAY_TENANT_WRITE_CONNECTIONS: positiveNumber(10).describe(
    'Additional connections of a database for single-record writes, as long as other databases ' +
      'have connections left. These writes wait for the disk and share its work',
  ),
  GATEWAY_WRITES_TOGETHER: z
    .enum(['off', 'on'])
    .default('on')
    .describe(
      'On MariaDB, concurrent single-record writes share a transaction (ADR 0033). With `off`, ' +
        'each has its own, as on MySQL',
    ),
  GATEWAY_ADDRESS_RATE: countNumber(2_000).describe(
    'Requests per second of one client address (an IPv6 network of 64 bits counts as one), with ' +
      'a burst of four seconds; 0 for no limit. This machine and trusted proxies are not counted',
  ),
  GATEWAY_ADDRESS_CONNECTIONS: countNumber(1_000).describe(
    'Open connections of one client address (an IPv6 network of 64 bits counts as one); 0 for ' +
      'no limit. This machine and trusted proxies are not counted',
  ),
  GATEWAY_ROWS_EXAMINED: positiveNumber(10_000_000).describe(
    'Rows that one statement may examine by the plan of the server. A statement above it is ' +
      'rejected. Keys and databases can have another limit',
  ),
  GATEWAY_ANSWERS_READ_BY: z
    .enum(['wire', 'driver'])
    .default('wire')
    .describe(
      'How rows become JSON: `wire` converts the bytes of the database server directly. The ' +
        'driver needs about twice the CPU, and helps if a server sends a form that `wire` ' +
        'misreads',
    ),
  GATEWAY_DRAIN_NOTICE_MS: positiveNumber(400).describe(
    'Milliseconds after SIGTERM in which new requests are served while `/readyz` returns 503, ' +
      'so that load balancers stop sending requests',
  ),
  GATEWAY_DRAIN_MS: positiveNumber(1_000).describe(
    'Milliseconds after `GATEWAY_DRAIN_NOTICE_MS` in which running requests can finish',
  ),
  LOG_LEVEL: logLevel().describe(
    '`trace`, `debug`, `info` (one line for each request), `warn` (only failures of Rowhouse), ' +
      '`error`, `fatal` or `silent`',
  ),
  ROWHOUSE_ENV: deployment().describe(
    '`production`, `development` or `test`; only `test` allows fail points',
  ),
  LLM_BASE_URL: z
    .url()
    .optional()
    .describe(
      'URL of a language model with the OpenAI chat protocol. It translates questions that the ' +
        'rules do not understand. Without it, only rules translate questions',
    ),
  LLM_API_KEY: secretText().optional().describe('The API key of the language model'),
  LLM_MODEL: z.string().optional().describe('The name of the language model'),
  LLM_PRIVATE_ADDRESSES: flag().describe(
    '`true` allows language models of projects in private networks and without TLS',
  ),
  LLM_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(60)
    .default(30)
    .describe('Seconds for one question, with all retries and repairs; at most 60'),
  LLM_TOKENS_PER_DAY: positiveNumber(2_000_000).describe(
    'Input and output tokens of one project per day; a database can have a lower limit',
  ),
  PARENT_PID: parentPid(),
});

const configSchema = environmentSchema.transform((env) => ({
  cellId: env.ROWHOUSE_CELL,
  platformUrl: env.PLATFORM_CELL_URL,
  redisUrl: env.REDIS_URL,
  masterKey: env.ROWHOUSE_MASTER_KEY,
  previousMasterKeys: env.ROWHOUSE_MASTER_KEY_PREVIOUS,
  pepper: env.ROWHOUSE_PEPPER,
  host: env.GATEWAY_HOST,
  port: env.GATEWAY_PORT,
  metricsHost: env.METRICS_HOST,
  metricsPort: env.METRICS_PORT,
  publicUrl: env.GATEWAY_PUBLIC_URL,
  consoleUrl: env.CONTROL_PUBLIC_URL,
  trustedProxies: env.TRUSTED_PROXIES,
  gatewayId: env.GATEWAY_ID,
  serverConnectionsMax: env.GATEWAY_SERVER_CONNECTIONS,
  serverConnectionsFloor: env.GATEWAY_SERVER_CONNECTIONS_FLOOR,
  tenantConnectionsMax: env.GATEWAY_TENANT_CONNECTIONS,
  tenantWritesMax: env.GATEWAY_TENANT_WRITE_CONNECTIONS,
  writesTogether: env.GATEWAY_WRITES_TOGETHER === 'on',
  addressRate: env.GATEWAY_ADDRESS_RATE,
  addressConnections: env.GATEWAY_ADDRESS_CONNECTIONS,
  rowsExaminedMax: env.GATEWAY_ROWS_EXAMINED,
  answersReadBy: env.GATEWAY_ANSWERS_READ_BY,
  drain: { noticeMs: env.GATEWAY_DRAIN_NOTICE_MS, inFlightMs: env.GATEWAY_DRAIN_MS },
  logLevel: env.LOG_LEVEL,
  environment: env.ROWHOUSE_ENV,
  languageModel:
    env.LLM_BASE_URL === undefined
      ? null
      : { baseUrl: env.LLM_BASE_URL, apiKey: env.LLM_API_KEY ?? null, model: env.LLM_MODEL ?? 'default' },
  models: {
    timeoutMs: env.LLM_TIMEOUT_SECONDS * 1_000,
    tokensPerDay: env.LLM_TOKENS_PER_DAY,
    allowsPrivate: env.LLM_PRIVATE_ADDRESSES,
  },
  parentPid: env.PARENT_PID,
}));

export type GatewayConfig = z.output<typeof configSchema>;

/**
 * Reads and validates the environment. When something is wrong, it lists all problems and ends the process.
 */
export function readGatewayConfig(env: NodeJS.ProcessEnv = process.env): GatewayConfig {
  return readConfig(configSchema, env);
}
