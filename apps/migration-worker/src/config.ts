import { createId, portNumber, readConfig, secretText, type Secret } from '@rowhouse/runtime';
import { z } from 'zod';

const schema = z
  .object({
    ROWHOUSE_CELL: z.string().regex(/^[a-z0-9]{1,16}$/).default('c1'),
    PLATFORM_CELL_URL: secretText(),
    REDIS_URL: secretText(),
    ROWHOUSE_MASTER_KEY: secretText(),
    ROWHOUSE_SERVER_PRIVATE_KEY: secretText(),
    METRICS_HOST: z.string().default('127.0.0.1'),
    METRICS_PORT: portNumber(0),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    ROWHOUSE_ENV: z.enum(['production', 'development', 'test']).default('production'),
    WORKER_ID: z.string().max(64).optional(),
    PARENT_PID: z.coerce.number().int().positive().optional(),
    FAIL_POINTS: z.string().optional(),
    DDL_LOCKED: z.stringbool().default(false),
  })
  .superRefine((env, ctx) => {
    if (env.FAIL_POINTS !== undefined && env.ROWHOUSE_ENV !== 'test') {
      ctx.addIssue({ code: 'custom', path: ['FAIL_POINTS'], message: 'fail points are for tests: ROWHOUSE_ENV must be test' });
    }
  });

export interface Config {
  readonly cellId: string;
  readonly platformUrl: Secret;
  readonly redisUrl: Secret;
  /** base64url, 32 bytes. */
  readonly masterKey: Secret;
  /** base64url DER: opens the servers' credentials. */
  readonly serverPrivateKey: Secret;
  readonly metricsHost: string;
  readonly metricsPort: number;
  readonly logLevel: string;
  readonly workerId: string;
  readonly parentPid: number | undefined;
  /** The operator's switch: queued migrations stay queued. */
  readonly isDdlLocked: boolean;
  /** Names of points at which the process ends at once. Empty outside tests. */
  readonly failPoints: ReadonlySet<string>;
}

/** Exits with 78 and all problems on stderr when the environment does not fit. */
export function readWorkerConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const read = readConfig(schema, env);
  return {
    cellId: read.ROWHOUSE_CELL,
    platformUrl: read.PLATFORM_CELL_URL,
    redisUrl: read.REDIS_URL,
    masterKey: read.ROWHOUSE_MASTER_KEY,
    serverPrivateKey: read.ROWHOUSE_SERVER_PRIVATE_KEY,
    metricsHost: read.METRICS_HOST,
    metricsPort: read.METRICS_PORT,
    logLevel: read.LOG_LEVEL,
    workerId: read.WORKER_ID ?? createId('wrk'),
    parentPid: read.PARENT_PID,
    isDdlLocked: read.DDL_LOCKED,
    failPoints: new Set((read.FAIL_POINTS ?? '').split(',').map((name) => name.trim()).filter((name) => name !== '')),
  };
}
