import { isPlatformAddress, isRedisAddress, PLATFORM_FORM, REDIS_MEANS } from '@rowhouse/contracts';
import {
  cellName,
  countNumber,
  deployment,
  flag,
  keyMaterial,
  keyMaterialList,
  logLevel,
  networkList,
  portNumber,
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
    'Opens secrets at rest and signs what is in Redis: 32 bytes as base64url, the same in every process',
  ),
  ROWHOUSE_MASTER_KEY_PREVIOUS: keyMaterialList().describe(
    'While the master key is changed: the other ones, parted by commas. They open, and do not seal',
  ),
  ROWHOUSE_PEPPER: keyMaterial().describe(
    'Key of the hashes of API keys: 32 bytes as base64url, the same in control plane and gateways',
  ),
  GATEWAY_HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  GATEWAY_PORT: portNumber(4100).describe('Port to listen on; 0 takes a free one'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address of `/livez`, `/readyz` and `/metrics`'),
  METRICS_PORT: portNumber(0).describe('Their port; 0 takes a free one'),
  GATEWAY_PUBLIC_URL: publicUrl().describe('Where programs find the data API'),
  CONTROL_PUBLIC_URL: publicUrl()
    .optional()
    .describe('Where browsers find the console: its pages may use MCP here'),
  TRUSTED_PROXIES: networkList().describe(
    'Addresses and networks of proxies in front, parted by commas: from them `X-Forwarded-For` is believed',
  ),
  GATEWAY_ID: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,40}$/)
    .optional()
    .describe('Name in the lease row; a new one at each start without it'),
  GATEWAY_SERVER_CONNECTIONS: positiveNumber(100).describe(
    'Connections of this process to one database server, at most; beyond the floor each is leased from what the server allows all gateways',
  ),
  GATEWAY_SERVER_CONNECTIONS_FLOOR: positiveNumber(8).describe('Of them, those that need no lease'),
  GATEWAY_TENANT_CONNECTIONS: positiveNumber(4).describe('Of them for one database'),
  GATEWAY_TENANT_WRITE_CONNECTIONS: positiveNumber(10).describe(
    'Beside these for its writes of single records, while others keep room: such writes wait for the disk, and those that wait together share its work',
  ),
  GATEWAY_WRITES_TOGETHER: z
    .enum(['off', 'on'])
    .default('on')
    .describe(
      'On MariaDB, writes of single records of one moment share a transaction (ADR 0033), for 1.2 to 1.8 times as many a second; `off`: each has one of its own, as on other servers',
    ),
  GATEWAY_ADDRESS_RATE: countNumber(2_000).describe(
    'Requests a second of one client address (of IPv6, one network of 64 bits), with a burst of four seconds; 0: no limit. Neither this machine nor trusted proxies are counted',
  ),
  GATEWAY_ADDRESS_CONNECTIONS: countNumber(1_000).describe(
    'Open connections of one client address (of IPv6, one network of 64 bits); 0: no limit. Neither this machine nor trusted proxies are counted',
  ),
  GATEWAY_ROWS_EXAMINED: positiveNumber(10_000_000).describe(
    'Rows that one statement may be expected to look at, where neither its key nor its database says otherwise; beyond it is refused before it runs',
  ),
  GATEWAY_ANSWERS_READ_BY: z
    .enum(['wire', 'driver'])
    .default('wire')
    .describe(
      'Who turns the answers of database servers into JSON: code of our own, straight from their bytes, or the driver, at about twice the CPU, should a server ever answer in a form that the former misreads',
    ),
  GATEWAY_DRAIN_NOTICE_MS: positiveNumber(400).describe(
    'After SIGTERM: for so long new requests are still served while `/readyz` says 503, so that whoever spreads requests can turn away',
  ),
  GATEWAY_DRAIN_MS: positiveNumber(1_000).describe('After that: for so long requests in flight may go on'),
  LOG_LEVEL: logLevel().describe(
    '`trace`, `debug`, `info` (one line for each request), `warn` (failures of ours alone), `error`, `fatal` or `silent`',
  ),
  ROWHOUSE_ENV: deployment().describe(
    '`production`, `development` or `test`; only tests may have fail points',
  ),
  LLM_BASE_URL: z
    .url()
    .optional()
    .describe(
      'Address of a language model that speaks the OpenAI chat protocol: it is asked what the rules do not understand. Without it questions are read by rules alone',
    ),
  LLM_API_KEY: secretText().optional().describe('Its key'),
  LLM_MODEL: z.string().optional().describe('Its name'),
  LLM_PRIVATE_ADDRESSES: flag().describe(
    '`true`: language models of projects may lie in inner networks, and be asked without TLS',
  ),
  LLM_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(60)
    .default(30)
    .describe('For one question, all tries and repairs together; 60 at most'),
  LLM_TOKENS_PER_DAY: positiveNumber(2_000_000).describe(
    'Of one project at this model, in and out together; a database may be set lower',
  ),
  PARENT_PID: z.coerce.number().int().positive().optional().describe('Ends with this process'),
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
