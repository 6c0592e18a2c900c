import { portNumber, readConfig, secretText, type Secret } from '@rowhouse/runtime';
import { z } from 'zod';

function urlSecret(): z.ZodType<Secret> {
  return secretText().refine((secret) => URL.canParse(secret.reveal()), 'is not an address');
}

/** 32 bytes as base64url. */
function keyMaterial(): z.ZodType<Secret> {
  return secretText().refine((secret) => Buffer.from(secret.reveal(), 'base64url').length === 32, 'must be 32 bytes as base64url');
}

const positive = (fallback: number): z.ZodType<number> => z.coerce.number().int().positive().default(fallback) as z.ZodType<number>;

/** Everything the gateway reads from its environment. */
const environmentSchema = z
  .object({
    ROWHOUSE_CELL: z.string().regex(/^[a-z][a-z0-9]{0,14}$/).default('c1'),
    PLATFORM_CELL_URL: urlSecret(),
    REDIS_URL: urlSecret(),
    ROWHOUSE_MASTER_KEY: keyMaterial(),
    ROWHOUSE_PEPPER: keyMaterial(),
    GATEWAY_HOST: z.string().default('127.0.0.1'),
    GATEWAY_PORT: portNumber(4100),
    METRICS_PORT: portNumber(0),
    GATEWAY_PUBLIC_URL: z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, '')),
    GATEWAY_ID: z.string().regex(/^[A-Za-z0-9_-]{1,40}$/).optional(),
    GATEWAY_SERVER_CONNECTIONS: positive(100),
    GATEWAY_TENANT_CONNECTIONS: positive(4),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    ROWHOUSE_ENV: z.string().default('production'),
    LLM_BASE_URL: z.url().optional(),
    LLM_API_KEY: secretText().optional(),
    LLM_MODEL: z.string().optional(),
    PARENT_PID: z.coerce.number().int().positive().optional(),
  })
  .transform((env) => ({
    cellId: env.ROWHOUSE_CELL,
    platformUrl: env.PLATFORM_CELL_URL,
    redisUrl: env.REDIS_URL,
    masterKey: env.ROWHOUSE_MASTER_KEY,
    pepper: env.ROWHOUSE_PEPPER,
    host: env.GATEWAY_HOST,
    port: env.GATEWAY_PORT,
    metricsPort: env.METRICS_PORT,
    publicUrl: env.GATEWAY_PUBLIC_URL,
    gatewayId: env.GATEWAY_ID,
    /** Of this process on each database server, at most what the server's row allows. */
    serverConnectionsMax: env.GATEWAY_SERVER_CONNECTIONS,
    tenantConnectionsMax: env.GATEWAY_TENANT_CONNECTIONS,
    logLevel: env.LOG_LEVEL,
    environment: env.ROWHOUSE_ENV,
    languageModel: env.LLM_BASE_URL === undefined ? null : { baseUrl: env.LLM_BASE_URL, apiKey: env.LLM_API_KEY ?? null, model: env.LLM_MODEL ?? null },
    parentPid: env.PARENT_PID,
  }));

export type GatewayConfig = z.output<typeof environmentSchema>;

/** Reads and checks the environment; ends the process with all problems listed when something is wrong. */
export function readGatewayConfig(env: NodeJS.ProcessEnv = process.env): GatewayConfig {
  return readConfig(environmentSchema, env);
}
