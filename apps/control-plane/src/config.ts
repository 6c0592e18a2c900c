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
  publicUrl,
  readConfig,
  secretText,
  urlSecret,
} from '@rowhouse/runtime';
import { z } from 'zod';

/** The environment variables of the control plane. */
export const environmentSchema = z.object({
  ROWHOUSE_CELL: cellName().describe('Name of the cell'),
  PLATFORM_GLOBAL_URL: urlSecret(isPlatformAddress).describe(
    `The platform tables that all cells share: ${PLATFORM_FORM}`,
  ),
  PLATFORM_CELL_URL: urlSecret(isPlatformAddress).describe(`The cell's platform tables: ${PLATFORM_FORM}`),
  REDIS_URL: urlSecret(isRedisAddress).describe(REDIS_MEANS),
  ROWHOUSE_MASTER_KEY: keyMaterial().describe(
    'Encrypts secrets at rest and signs data in Redis: 32 bytes as base64url, the same in every process',
  ),
  ROWHOUSE_MASTER_KEY_PREVIOUS: previousMasterKeys(),
  ROWHOUSE_PEPPER: keyMaterial().describe(
    'Key for hashing API keys and tokens: 32 bytes as base64url, the same in the control plane and gateways',
  ),
  ROWHOUSE_SERVER_PUBLIC_KEY: z
    .string()
    .min(40)
    .describe('Encrypts credentials of database servers for the worker'),
  CONTROL_HOST: z.string().default('127.0.0.1').describe('Address to listen on'),
  CONTROL_PORT: portNumber(8080).describe('Port to listen on; 0 chooses a free port'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('Address of `/livez`, `/readyz` and `/metrics`'),
  METRICS_PORT: portNumber(0).describe('Port of `/livez`, `/readyz` and `/metrics`; 0 chooses a free port'),
  CONTROL_PUBLIC_URL: publicUrl().describe(
    'The URL of the console for browsers; with `https:`, cookies are Secure',
  ),
  GATEWAY_PUBLIC_URL: publicUrl().describe('The URL of the data API for programs'),
  ROWHOUSE_REGION: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .optional()
    .describe(
      'The location of the data of this cell, which the console and the control API show: `Frankfurt`, `eu-central-1`. Without it, none is shown',
    ),
  TRUSTED_PROXIES: networkList().describe(
    'Addresses and networks of trusted proxies, separated by commas. Only their `X-Forwarded-For` is used',
  ),
  CONTROL_ADDRESS_RATE: countNumber(100).describe(
    'Requests per second of one client address (an IPv6 network of 64 bits counts as one), with a burst of ten seconds; 0 for no limit. This machine and trusted proxies are not counted',
  ),
  CONTROL_ADDRESS_CONNECTIONS: countNumber(200).describe(
    'Open connections of one client address (an IPv6 network of 64 bits counts as one); 0 for no limit. This machine and trusted proxies are not counted',
  ),
  PROJECTS_PER_ACCOUNT_MAX: countNumber(100).describe(
    'Projects that one account may create, including deleted ones that can be restored; 0 for no limit',
  ),
  FILES_GIB_MAX: countNumber(200).describe(
    'Space in the platform database for exports, imports and shared copies, in GiB. The projects that one account created can use a quarter of it; 0 for no limit',
  ),
  DATABASES_PER_PROJECT_MAX: countNumber(20).describe(
    'Databases of one project, including deleted ones that can be restored; 0 for no limit',
  ),
  DEFAULT_ENGINE: z
    .enum(['mariadb', 'mysql'])
    .default('mariadb')
    .describe(
      'The engine of new databases if both engines are registered and the request names none: `mariadb` or `mysql`',
    ),
  CONSOLE_DIR: z
    .string()
    .optional()
    .describe('Folder of the built console; without it, no console is served'),
  LOG_LEVEL: logLevel().describe('`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`'),
  SIGNUP: z
    .enum(['open', 'invite', 'closed'])
    .default('open')
    .describe('Who may sign up: `open`, `invite` or `closed`'),
  OWNER_CONNECTIONS: z
    .enum(['on', 'dedicated', 'off'])
    .default('on')
    .describe(
      'Whether direct connections may have the role `owner`: `on`, `dedicated` (only on servers dedicated to the organization) or `off`',
    ),
  ROWHOUSE_OPERATOR_EMAIL: z
    .string()
    .toLowerCase()
    .optional()
    .describe(
      'The account with this address may use `/api/admin` after it has confirmed the address by email',
    ),
  ROWHOUSE_ENV: deployment().describe(
    '`production`, `development` or `test`; outside of production, the limits of sign-up and sign-in are higher',
  ),
  LLM_BASE_URL: z
    .url()
    .optional()
    .describe(
      'URL of a language model with the OpenAI chat protocol. It translates schema changes in words to SQL. Without a model, Rowhouse understands only fixed phrases',
    ),
  LLM_API_KEY: secretText().optional().describe('The API key of the language model'),
  LLM_MODEL: z.string().optional().describe('The name of the language model'),
  LLM_PRIVATE_ADDRESSES: flag().describe(
    '`true` allows language models of projects in private networks and without TLS',
  ),
  LLM_PORTS: z
    .string()
    .regex(/^\d{1,5}(,\d{1,5})*$/, 'Expected ports separated by commas.')
    .default('443')
    .transform((text) => text.split(',').map(Number))
    .describe(
      'Ports that language models of projects can have on the public internet, separated by commas. With `LLM_PRIVATE_ADDRESSES`, every port is allowed',
    ),
  SMTP_URL: urlSecret()
    .optional()
    .describe('The mail server: `smtp://user:password@host:587` or `smtps://…`. Without it, no mail is sent'),
  MAIL_LOG_LINKS: flag().describe(
    '`true` writes mails with their links to the log while `SMTP_URL` is not set. Anyone who reads the log can use the links. Always on with `ROWHOUSE_ENV=development`',
  ),
  MAIL_FROM: z
    .string()
    .min(3)
    .max(320)
    .default('Rowhouse <rowhouse@localhost>')
    .describe('The sender of emails'),
  DDL_LOCKED: flag().describe('`true` rejects schema changes'),
  PARENT_PID: parentPid(),
});

const configSchema = environmentSchema.transform((env) => ({
  cellId: env.ROWHOUSE_CELL,
  globalUrl: env.PLATFORM_GLOBAL_URL,
  cellUrl: env.PLATFORM_CELL_URL,
  redisUrl: env.REDIS_URL,
  masterKey: env.ROWHOUSE_MASTER_KEY,
  previousMasterKeys: env.ROWHOUSE_MASTER_KEY_PREVIOUS,
  pepper: env.ROWHOUSE_PEPPER,
  serverPublicKey: env.ROWHOUSE_SERVER_PUBLIC_KEY,
  host: env.CONTROL_HOST,
  port: env.CONTROL_PORT,
  metricsHost: env.METRICS_HOST,
  metricsPort: env.METRICS_PORT,
  publicUrl: env.CONTROL_PUBLIC_URL,
  gatewayUrl: env.GATEWAY_PUBLIC_URL,
  region: env.ROWHOUSE_REGION ?? null,
  trustedProxies: env.TRUSTED_PROXIES,
  addressRate: env.CONTROL_ADDRESS_RATE,
  addressConnections: env.CONTROL_ADDRESS_CONNECTIONS,
  projectsPerAccountMax: env.PROJECTS_PER_ACCOUNT_MAX,
  databasesPerProjectMax: env.DATABASES_PER_PROJECT_MAX,
  filesGibMax: env.FILES_GIB_MAX,
  defaultEngine: env.DEFAULT_ENGINE,
  consoleDir: env.CONSOLE_DIR,
  logLevel: env.LOG_LEVEL,
  signup: env.SIGNUP,
  ownerConnections: env.OWNER_CONNECTIONS,
  operatorEmail: env.ROWHOUSE_OPERATOR_EMAIL,
  environment: env.ROWHOUSE_ENV,
  languageModel:
    env.LLM_BASE_URL === undefined
      ? null
      : { baseUrl: env.LLM_BASE_URL, apiKey: env.LLM_API_KEY ?? null, model: env.LLM_MODEL ?? 'default' },
  allowsPrivateModels: env.LLM_PRIVATE_ADDRESSES,
  modelPorts: env.LLM_PORTS,
  smtpUrl: env.SMTP_URL ?? null,
  mailFrom: env.MAIL_FROM,
  logsMailLinks: env.MAIL_LOG_LINKS || env.ROWHOUSE_ENV === 'development',
  ddlLocked: env.DDL_LOCKED,
  parentPid: env.PARENT_PID,
}));

export type Config = z.output<typeof configSchema>;

/** Reads and validates the environment. If it is invalid, prints all errors and exits. */
export function readControlPlaneConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(configSchema, env);
}
