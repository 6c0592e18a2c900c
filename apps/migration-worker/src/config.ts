import { isPlatformAddress, isRedisAddress, PLATFORM_FORM, REDIS_MEANS } from '@rowhouse/contracts';
import {
  cellName,
  createId,
  deployment,
  flag,
  keyMaterial,
  logLevel,
  parentPid,
  portNumber,
  previousMasterKeys,
  readConfig,
  secretText,
  urlSecret,
  type Secret,
} from '@rowhouse/runtime';
import { z } from 'zod';
import type { ShareSettings } from './shares/bounds.js';

/** The environment variables of the worker. */
export const environmentSchema = z.object({
  ROWHOUSE_CELL: cellName().describe('Name of the cell'),
  PLATFORM_CELL_URL: urlSecret(isPlatformAddress).describe(`The cell's platform tables: ${PLATFORM_FORM}`),
  REDIS_URL: urlSecret(isRedisAddress).describe(REDIS_MEANS),
  ROWHOUSE_MASTER_KEY: keyMaterial().describe(
    'Encrypts secrets at rest and signs data in Redis: 32 bytes as base64url, the same in every process',
  ),
  ROWHOUSE_MASTER_KEY_PREVIOUS: previousMasterKeys(),
  ROWHOUSE_SERVER_PRIVATE_KEY: secretText().describe(
    'Decrypts credentials of database servers; no other process has it',
  ),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address of `/livez`, `/readyz` and `/metrics`'),
  METRICS_PORT: portNumber(0).describe('Port of `/livez`, `/readyz` and `/metrics`; 0 chooses a free port'),
  LOG_LEVEL: logLevel().describe('`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`'),
  ROWHOUSE_ENV: deployment().describe(
    '`production`, `development` or `test`; only `test` allows fail points',
  ),
  WORKER_ID: z.string().max(64).optional().describe('Name in leases. Without it, each start has a new name'),
  PARENT_PID: parentPid(),
  FAIL_POINTS: z
    .string()
    .optional()
    .describe('For tests only: the names of points at which the process ends'),
  FAIL_POINT_FILE: z.string().optional().describe('For tests only: a file that names the next fail point'),
  MOVE_PAUSE_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(8_000)
    .default(1_500)
    .describe(
      'Maximum milliseconds for which writes wait while a database moves to another server. An attempt that takes longer is undone',
    ),
  ACCOUNT_SWEEP_MS: z.coerce
    .number()
    .int()
    .min(250)
    .max(3_600_000)
    .default(60_000)
    .describe("Milliseconds between two checks of a server's platform accounts"),
  DIRECT_MEMORY_MB: z.coerce
    .number()
    .int()
    .min(256)
    .max(1_048_576)
    .default(4_096)
    .describe(
      'Memory in MiB of all direct sessions on a server node. An organization may use two fifths of it, a database one fifth and a session one eighth',
    ),
  DIRECT_TEMP_DISK_MB: z.coerce
    .number()
    .int()
    .min(256)
    .max(1_048_576)
    .default(8_192)
    .describe(
      'Disk space in MiB for temporary tables of all direct sessions on a server node, divided like ' +
        '`DIRECT_MEMORY_MB`. Applies to MySQL only',
    ),
  DIRECT_STATEMENTS_PER_PROCESSOR: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(2)
    .describe(
      'Statements of an organization over direct connections that may run for more than four seconds, for each processor of the server (at least 4). Applies if other organizations have connection users there and the worker cannot lower the priority of threads; 0 for no limit',
    ),
  DIRECT_IDLE_TRANSACTION_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(600)
    .describe('Seconds after which a direct session that is idle in a transaction is ended'),
  DIRECT_TRANSACTION_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .max(604_800)
    .default(14_400)
    .describe('Seconds after which a direct session with an open transaction is ended'),
  DDL_LOCKED: flag().describe('`true` leaves queued migrations in the queue'),
});

const configSchema = environmentSchema.superRefine((env, ctx) => {
  for (const name of ['FAIL_POINTS', 'FAIL_POINT_FILE'] as const) {
    if (env[name] === undefined || env.ROWHOUSE_ENV === 'test') continue;
    ctx.addIssue({
      code: 'custom',
      path: [name],
      message: 'fail points are for tests: ROWHOUSE_ENV must be test',
    });
  }
});

export interface Config {
  readonly cellId: string;
  readonly platformUrl: Secret;
  readonly redisUrl: Secret;
  /** The key that encrypts secrets: 32 bytes in base64url. */
  readonly masterKey: Secret;
  /** Previous keys, which only decrypt and never encrypt. */
  readonly previousMasterKeys: readonly Secret[];
  /** The private key as DER in base64url. It decrypts the credentials of servers. */
  readonly serverPrivateKey: Secret;
  readonly metricsHost: string;
  readonly metricsPort: number;
  readonly logLevel: string;
  readonly workerId: string;
  readonly parentPid: number | undefined;
  /** Whether the operator has locked DDL. Queued migrations then stay queued. */
  readonly isDdlLocked: boolean;
  readonly movePauseMs: number;
  readonly accountSweepMs: number;
  readonly shareSettings: ShareSettings;
  /** Names of points at which the process ends immediately. Empty outside tests. */
  readonly failPoints: ReadonlySet<string>;
  readonly failPointFile: string | undefined;
}

/**
 * Reads the configuration. If the environment is invalid, lists all problems on stderr and exits with code
 * 78.
 */
export function readWorkerConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const read = readConfig(configSchema, env);
  return {
    cellId: read.ROWHOUSE_CELL,
    platformUrl: read.PLATFORM_CELL_URL,
    redisUrl: read.REDIS_URL,
    masterKey: read.ROWHOUSE_MASTER_KEY,
    previousMasterKeys: read.ROWHOUSE_MASTER_KEY_PREVIOUS,
    serverPrivateKey: read.ROWHOUSE_SERVER_PRIVATE_KEY,
    metricsHost: read.METRICS_HOST,
    metricsPort: read.METRICS_PORT,
    logLevel: read.LOG_LEVEL,
    workerId: read.WORKER_ID ?? createId('wrk'),
    parentPid: read.PARENT_PID,
    isDdlLocked: read.DDL_LOCKED,
    movePauseMs: read.MOVE_PAUSE_MS,
    accountSweepMs: read.ACCOUNT_SWEEP_MS,
    shareSettings: {
      memoryMb: read.DIRECT_MEMORY_MB,
      tempDiskMb: read.DIRECT_TEMP_DISK_MB,
      statementsPerProcessor: read.DIRECT_STATEMENTS_PER_PROCESSOR,
      idleTransactionSeconds: read.DIRECT_IDLE_TRANSACTION_SECONDS,
      transactionSeconds: read.DIRECT_TRANSACTION_SECONDS,
    },
    failPointFile: read.FAIL_POINT_FILE,
    failPoints: new Set(
      (read.FAIL_POINTS ?? '')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    ),
  };
}
