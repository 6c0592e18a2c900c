import { z } from 'zod';
import { chosenName, personName } from '../chosen-name.js';
import { findPasswordFault, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../password-rule.js';
import { PLAN_NAMES } from '../plan-limits.js';
import { SCOPES } from '../records.js';
import { toOrigin } from '../to-origin.js';
import { docsPageSettings } from './docs-page-settings.js';

/** The request bodies of the control API as zod schemas. Members are written in snake_case. */
const name = chosenName;
const isoTime = z.iso.datetime({ offset: true });

/** The API document shows these length limits. The password rule below enforces them. */
const password = z
  .string()
  .meta({ minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX })
  .superRefine((text, ctx) => {
    const fault = findPasswordFault(text, null);
    if (fault !== null) ctx.addIssue({ code: 'custom', message: fault });
  });

export const signupRequest = z
  .strictObject({
    email: z.email().max(254),
    password,
    name: personName.optional(),
    organization: name.optional(),
    project: name.optional(),
    starter: z.enum(['blog', 'shop', 'empty']).optional(),
    /** The token of an invitation. Required if sign-up is possible by invitation only. */
    invitation: z.string().max(100).optional(),
  })
  .superRefine(({ password: text, email }, ctx) => {
    const fault = findPasswordFault(text, email);
    if (fault !== null && findPasswordFault(text, null) === null)
      ctx.addIssue({ code: 'custom', path: ['password'], message: fault });
  });

export const loginRequest = z.strictObject({ email: z.string().max(254), password: z.string().max(200) });

const mailedToken = z.string().max(100);

export const updateAccountRequest = z
  .strictObject({ name: personName, wants_notices: z.boolean() })
  .partial();
export const changePasswordRequest = z.strictObject({
  current_password: z.string().max(200),
  new_password: password,
  keep_tokens: z.boolean().optional(),
});
/** The request that deletes an account. `confirm` must be the email address of the account. */
export const deleteAccountRequest = z.strictObject({
  keep_credentials: z.boolean().optional(),
  confirm: z.string().max(254),
  password: z.string().max(200),
});
export const forgotPasswordRequest = z.strictObject({ email: z.string().max(254) });
export const resetPasswordRequest = z.strictObject({ token: mailedToken, password });
export const spendTokenRequest = z.strictObject({ token: mailedToken });

export const createTokenRequest = z.strictObject({ name, expires_at: isoTime.optional() });

/** Validates the engine of a database. */
const engine = z.enum(['mariadb', 'mysql']);

export const createProjectRequest = z.strictObject({
  name,
  organization_id: z.string().max(40).optional(),
  starter: z.enum(['blog', 'shop', 'empty']).optional(),
  engine: engine.optional(),
});

export const updateProjectRequest = z.strictObject({ name });
/** The confirmation of a deletion. `confirm` must be the name of the object to delete. */
export const confirmNameRequest = z.strictObject({ confirm: z.string().max(100) });
/** The request that moves a project. It contains the id of its new organization. */
export const moveProjectRequest = z.strictObject({ organization_id: z.string().max(40) });

/**
 * The request that creates a database. Without `engine`, the engine is that of the project's other databases,
 * or otherwise the operator's default.
 */
export const createDatabaseRequest = z.strictObject({
  environment: z.string().regex(/^[a-z][a-z0-9-]{0,30}$/),
  engine: engine.optional(),
});

const rate = z.strictObject({
  per_second: z.number().positive().max(100_000),
  burst: z.number().int().positive().max(100_000),
});

/** Validates an origin in the form that browsers send, because any other form would never match. */
const origin = z
  .string()
  .max(255)
  .refine((text) => toOrigin(text) === text, 'Write the origin without a path: https://app.example.com.');
const origins = z.array(origin).max(50);

/** Validates the license in an OpenAPI 3.1 document. It has either `identifier` or `url`. */
const license = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    identifier: z
      .string()
      .max(100)
      .regex(
        /^[A-Za-z0-9.+-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.+-]+)*$/,
        'Must be an SPDX expression, such as CC-BY-4.0.',
      )
      .optional(),
    url: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional(),
  })
  .refine(
    ({ identifier, url }) => (identifier === undefined) !== (url === undefined),
    'Send either an SPDX identifier or the URL of the license, not both.',
  );

const rowsExaminedMax = z.int().min(1_000).max(1_000_000_000_000);

/** The maximum number of tables and columns in one list of a setting, which every gateway loads. */
const NAMES_MAX = 10_000;

const columnsByTable = z
  .record(z.string().max(64), z.array(z.string().max(64)))
  .refine(
    (tables) => Object.values(tables).reduce((sum, columns) => sum + 1 + columns.length, 0) <= NAMES_MAX,
    `At most ${NAMES_MAX} tables and columns together.`,
  );

export const updateDatabaseRequest = z.strictObject({
  settings: z
    .strictObject({
      unknown_fields: z.enum(['reject', 'ignore']),
      require_limit: z.boolean(),
      require_if_match: z.array(z.string().max(64)).max(NAMES_MAX),
      docs_enabled: z.boolean(),
      docs_page: docsPageSettings.nullable(),
      license: license.nullable(),
      regex_enabled: z.boolean(),
      time_zone: z.string().max(64),
      hidden_columns: columnsByTable,
      unindexed_columns: columnsByTable,
      allowed_origins: origins.nullable(),
      number_columns: columnsByTable,
      rate: rate.nullable(),
      rows_examined_max: rowsExaminedMax.nullable(),
      end_idle_transactions_after_seconds: z.int().min(1).max(3_600).nullable(),
      language_model: z.boolean(),
      language_model_tokens_per_day: z.int().min(0).max(1_000_000_000).nullable(),
      question_history: z.boolean(),
      backup_every_hours: z.literal([12, 24, 72]).nullable(),
    })
    .partial(),
});

export const createKeyRequest = z.strictObject({
  name,
  scopes: z.array(z.enum(SCOPES)).min(1).optional(),
  tables: z.record(z.string().max(64), z.array(z.enum(['read', 'write', 'delete'])).min(1)).optional(),
  expires_at: isoTime.optional(),
  origins: origins.optional(),
  rate: rate.optional(),
  rows_examined_max: rowsExaminedMax.optional(),
});

/**
 * The request for a console key. With `sql_writes`, the key is for one confirmed statement. It then has the
 * scope `query:write` in addition to the rights of the role.
 */
export const mintSessionKeyRequest = z.strictObject({ sql_writes: z.boolean().optional() }).prefault({});

/**
 * The number of seconds for which the previous credential remains valid. The default is one day, and the
 * maximum is 30 days. With 0, it becomes invalid immediately.
 */
const overlapSeconds = z.number().int().min(0).max(2_592_000).default(86_400);

export const rotateKeyRequest = z
  .strictObject({ overlap_seconds: overlapSeconds, expires_at: isoTime.optional() })
  .prefault({});

export const rotateConnectionRequest = z.strictObject({ overlap_seconds: overlapSeconds }).prefault({});

export const testConnectionRequest = z.strictObject({ password: z.string().min(1).max(200) });

export const createConnectionRequest = z.strictObject({
  name,
  role: z.enum(['owner', 'read-write', 'read-only']),
  expires_at: isoTime.optional(),
});

export const putSchemaRequest = z.strictObject({
  sql: z.string().max(1_048_576),
  mode: z.enum(['replace', 'apply']).optional(),
  base_revision: z.number().int().nonnegative().optional(),
  /**
   * Renames that the text does not express, because it looks like a drop and an addition. The names are those
   * before the rename. Only needed with `replace`.
   */
  renames: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('table'), from: z.string().max(64), to: z.string().max(64) }),
        z.strictObject({
          kind: z.literal('column'),
          table: z.string().max(64),
          from: z.string().max(64),
          to: z.string().max(64),
        }),
      ]),
    )
    .max(200)
    .optional(),
});

export const deployRequest = z.strictObject({
  targets: z
    .array(
      z.strictObject({
        database: z.string().max(40),
        base_snapshot: z.number().int().nonnegative().optional(),
      }),
    )
    .min(1)
    .optional(),
  revision: z.number().int().nonnegative().optional(),
  sql: z.string().max(1_048_576).optional(),
  accept_loss: z.boolean().optional(),
  confirm: z.array(z.string().max(64)).optional(),
});

/** The confirmation of a new plan for a revert, a retry or a promotion. */
export const confirmRequest = z.strictObject({
  accept_loss: z.boolean().optional(),
  confirm: z.array(z.string().max(64)).max(50).optional(),
});

export const promoteRequest = confirmRequest.extend({
  /** The source database, by id or environment. The default is `development`. */
  from: z.string().max(40).optional(),
  to: z.string().max(40).optional(),
  /** The hash of the plan that the caller was shown. A promotion with another plan is rejected. */
  plan: z.string().max(64).optional(),
});

const queryText = z.string().trim().min(1).max(16_384);
const questionText = z.string().trim().min(1).max(4_000);

/** The feedback on an answered question. `sql` is the correct statement if the generated one is wrong. */
export const judgeQuestionRequest = z.strictObject({
  verdict: z.enum(['accepted', 'rejected']),
  sql: queryText.optional(),
});
export const acceptQuestionRequest = z.strictObject({ question: questionText, sql: queryText });
export const createSavedQueryRequest = z.strictObject({
  name,
  query: queryText,
  kind: z.enum(['sql', 'question']).optional(),
});
export const updateSavedQueryRequest = createSavedQueryRequest.partial();
/** Validates a synonym for a table or column. It has at most five words, and at least one letter. */
const phrase = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/\p{L}/u, 'The phrase must contain a letter.')
  .refine((text) => text.split(/\s+/).length <= 5, 'The phrase can have at most five words.');

export const createSynonymRequest = z.strictObject({
  phrase,
  table: z.string().min(1).max(64),
  column: z.string().min(1).max(64).nullable().default(null),
});
export const updateSynonymRequest = z
  .strictObject({ phrase, table: z.string().min(1).max(64), column: z.string().min(1).max(64).nullable() })
  .partial();

/**
 * The request that sets the language model of a project. If `api_key` is absent, the current key remains as
 * long as the address does not change. If it is null, the key is removed.
 */
export const putLanguageModelRequest = z.strictObject({
  base_url: z.string().trim().min(1).max(500),
  model: z.string().trim().min(1).max(200),
  api_key: z.string().trim().min(1).max(1_000).nullable().optional(),
});

const serverHost = z.string().min(1).max(255);
const serverPort = z.number().int().min(1).max(65_535);

export const createServerRequest = z.strictObject({
  name,
  host: serverHost,
  port: serverPort,
  /** MariaDB's `extra_port` or MySQL's `admin_port`, which workers use if `port` is full. */
  admin_port: serverPort.nullable().optional(),
  /** The other nodes of a Galera cluster, in the order in which they are tried. */
  nodes: z
    .array(
      z.strictObject({ host: serverHost, port: serverPort, admin_port: serverPort.nullable().optional() }),
    )
    .max(6)
    .optional(),
  /** The host for clients, if different. `{database}` is replaced with the database's name on the server. */
  public_host: z
    .string()
    .max(255)
    .regex(/^(\{database\}|[^{}])*$/, 'supports only the placeholder {database}')
    .optional(),
  public_port: z.number().int().min(1).max(65_535).optional(),
  tls: z.enum(['off', 'required']).optional(),
  /**
   * How clients connect to the server if that is different: whether they must use TLS, and the certificate
   * authority (PEM) that they may need.
   */
  public_tls: z.enum(['off', 'required']).optional(),
  public_ca: z.string().max(20_000).startsWith('-----BEGIN CERTIFICATE-----').nullable().optional(),
  provisioner: z.strictObject({ user: z.string().max(80), password: z.string().max(200) }),
  observer: z.strictObject({ user: z.string().max(80), password: z.string().max(200) }),
});

/**
 * Changes the settings of a server: the maximum number of databases, their maximum disk space (null: no
 * limit), the maximum number of sessions of direct connections (null: what gateways leave free), whether the
 * server accepts new databases, the organization for which it is reserved (null: any), and the port for
 * workers (null: the regular port).
 */
export const updateServerRequest = z
  .strictObject({
    databases_max: z.int().min(0).max(1_000_000),
    storage_bytes_max: z.int().min(0).nullable(),
    direct_connections_max: z.int().min(0).max(100_000).nullable(),
    state: z.enum(['active', 'draining']),
    organization: z.string().min(1).max(40).nullable(),
    admin_port: serverPort.nullable(),
  })
  .partial();
/**
 * The parameters for removing a member. With `keep_credentials`, the API keys, connections and share links
 * that the member created remain valid.
 */
export const removeMemberQuery = z.strictObject({
  keep_credentials: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
});
export type RemoveMemberQuery = z.infer<typeof removeMemberQuery>;
/** The request that moves a database. It contains the id of the new server. */
export const moveDatabaseRequest = z.strictObject({ server: z.string().min(1).max(40) });
export type MoveDatabaseRequest = z.infer<typeof moveDatabaseRequest>;
export const assignPlanRequest = z.strictObject({ plan: z.enum(PLAN_NAMES) });

/** The parameters of a request for generated code. `snapshot` is the number of an earlier schema. */
export const codeQuery = z.strictObject({ snapshot: z.coerce.number().int().min(1).optional() });
/** The parameters of a request for Python code, which add the versions of the libraries to use. */
export const pythonCodeQuery = codeQuery.extend({
  pydantic: z.enum(['1', '2']).default('2'),
  sqlalchemy: z.enum(['1.4', '2.0']).default('2.0'),
});

export type SignupRequest = z.infer<typeof signupRequest>;
export type LoginRequest = z.infer<typeof loginRequest>;
export type UpdateAccountRequest = z.infer<typeof updateAccountRequest>;
export type ChangePasswordRequest = z.infer<typeof changePasswordRequest>;
export type DeleteAccountRequest = z.infer<typeof deleteAccountRequest>;
export type ForgotPasswordRequest = z.infer<typeof forgotPasswordRequest>;
export type ResetPasswordRequest = z.infer<typeof resetPasswordRequest>;
export type SpendTokenRequest = z.infer<typeof spendTokenRequest>;
export type CreateTokenRequest = z.infer<typeof createTokenRequest>;
export type CreateDatabaseRequest = z.infer<typeof createDatabaseRequest>;
export type CreateProjectRequest = z.infer<typeof createProjectRequest>;
export type UpdateDatabaseRequest = z.infer<typeof updateDatabaseRequest>;
export type CreateKeyRequest = z.infer<typeof createKeyRequest>;
export type MintSessionKeyRequest = z.infer<typeof mintSessionKeyRequest>;
export type RotateKeyRequest = z.infer<typeof rotateKeyRequest>;
export type RotateConnectionRequest = z.infer<typeof rotateConnectionRequest>;
export type TestConnectionRequest = z.infer<typeof testConnectionRequest>;
export type CreateConnectionRequest = z.infer<typeof createConnectionRequest>;
export type PutSchemaRequest = z.infer<typeof putSchemaRequest>;
export type DeployRequest = z.infer<typeof deployRequest>;
export type ConfirmRequest = z.infer<typeof confirmRequest>;
export type PromoteRequest = z.infer<typeof promoteRequest>;
export type JudgeQuestionRequest = z.infer<typeof judgeQuestionRequest>;
export type AcceptQuestionRequest = z.infer<typeof acceptQuestionRequest>;
export type CreateSavedQueryRequest = z.infer<typeof createSavedQueryRequest>;
export type UpdateSavedQueryRequest = z.infer<typeof updateSavedQueryRequest>;
export type PythonCodeQuery = z.infer<typeof pythonCodeQuery>;
export type PutLanguageModelRequest = z.infer<typeof putLanguageModelRequest>;
export type CodeQuery = z.infer<typeof codeQuery>;
export type CreateSynonymRequest = z.infer<typeof createSynonymRequest>;
export type UpdateSynonymRequest = z.infer<typeof updateSynonymRequest>;
export type UpdateServerRequest = z.infer<typeof updateServerRequest>;
export type CreateServerRequest = z.infer<typeof createServerRequest>;
