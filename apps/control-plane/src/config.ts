import { portNumber, readConfig } from '@rowhouse/runtime';
import { z } from 'zod';
import { cellName, flag, keyMaterial, urlSecret } from './config-values.js';

const origin = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

/** Everything the control plane reads from its environment. */
const environmentSchema = z
  .object({
    ROWHOUSE_CELL: cellName(),
    PLATFORM_GLOBAL_URL: urlSecret(),
    PLATFORM_CELL_URL: urlSecret(),
    REDIS_URL: urlSecret(),
    ROWHOUSE_MASTER_KEY: keyMaterial(),
    ROWHOUSE_PEPPER: keyMaterial(),
    ROWHOUSE_SERVER_PUBLIC_KEY: z.string().min(40),
    CONTROL_HOST: z.string().default('127.0.0.1'),
    CONTROL_PORT: portNumber(8080),
    METRICS_PORT: portNumber(0),
    CONTROL_PUBLIC_URL: origin,
    GATEWAY_PUBLIC_URL: origin,
    CONSOLE_DIR: z.string().optional(),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    SIGNUP: z.enum(['open', 'invite', 'closed']).default('open'),
    ROWHOUSE_OPERATOR_EMAIL: z.string().toLowerCase().optional(),
    ROWHOUSE_ENV: z.enum(['production', 'development', 'test']).default('production'),
    DDL_LOCKED: flag(),
    PARENT_PID: z.coerce.number().int().positive().optional(),
  })
  .transform((env) => ({
    cellId: env.ROWHOUSE_CELL,
    globalUrl: env.PLATFORM_GLOBAL_URL,
    cellUrl: env.PLATFORM_CELL_URL,
    redisUrl: env.REDIS_URL,
    masterKey: env.ROWHOUSE_MASTER_KEY,
    pepper: env.ROWHOUSE_PEPPER,
    serverPublicKey: env.ROWHOUSE_SERVER_PUBLIC_KEY,
    host: env.CONTROL_HOST,
    port: env.CONTROL_PORT,
    metricsPort: env.METRICS_PORT,
    publicUrl: env.CONTROL_PUBLIC_URL,
    gatewayUrl: env.GATEWAY_PUBLIC_URL,
    consoleDir: env.CONSOLE_DIR,
    logLevel: env.LOG_LEVEL,
    signup: env.SIGNUP,
    operatorEmail: env.ROWHOUSE_OPERATOR_EMAIL,
    environment: env.ROWHOUSE_ENV,
    ddlLocked: env.DDL_LOCKED,
    parentPid: env.PARENT_PID,
  }));

export type Config = z.output<typeof environmentSchema>;

/** Reads and checks the environment; ends the process with all problems listed when something is wrong. */
export function readControlPlaneConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(environmentSchema, env);
}
