/**
 * All connections to servers with the MySQL protocol: pools, statements, schema introspection and capability
 * probes. This package contains nothing about HTTP, tenants' rights, query plans or the platform's tables.
 */
export {
  CARRY_SQL_MODE,
  openAdminConnection,
  PLATFORM_SQL_MODE,
  toPlatformSqlMode,
  toSchemaSqlMode,
  withCarryMode,
  type AdminConnection,
  type AdminTarget,
} from './admin/admin-connection.js';
export { createAdminPool, type AdminPool } from './admin/admin-pool.js';
export {
  readServerFault,
  type AdminRow,
  type AdminSession,
  type AdminValue,
  type ServerFault,
} from './admin/admin-session.js';
export { adviseServer } from './admin/advise-server.js';
export { makesAccounts, probeCapabilities, readNodeState } from './admin/capabilities.js';
export { GALERA_WAIT, type GaleraState } from './admin/galera-state.js';
export { createPlatformPool, type PlatformPool, type PlatformPoolOptions } from './admin/platform-pool.js';
export { HALF_OPEN_LOGINS, LOGIN_COMMANDS, SESSION_AMOUNTS, SESSIONS } from './admin/sessions-table.js';
export { aimAddress, isReadOnlyServer, type AimedAddress } from './admin/writable-node-pool.js';
export type { Executor } from './execute/executor.js';
export type {
  RunMode,
  RunOptions,
  RunPair,
  RunStatement,
  RunTarget,
  SessionSource,
} from './execute/run-options.js';
export { checkStatement, runStatements } from './execute/run-statements.js';
export { runStream, type StreamOptions } from './execute/run-stream.js';
export {
  ConnectionLostError,
  DatabaseFault,
  isDuplicateKey,
  isRowLocked,
  WritesPausedError,
} from './faults.js';
export { introspectRoutines, type WithDefinitions } from './introspect/introspect-routines.js';
export { introspectSchema, introspectTable } from './introspect/introspect-schema.js';
export { quoteInSlices, quoteLongTexts, quoteText } from './introspect/quote-texts.js';
export { readTriggerBodies } from './introspect/read-trigger-bodies.js';
export { readPieceName, splitCreateTable, type CreateTableParts } from './introspect/split-create-table.js';
export { cutDefiner, respellBody } from './introspect/trigger-text.js';
export { returnBytes } from './json/byte-buffer.js';
export { JsonRows } from './json/json-rows.js';
export { digestLarge, digestLargeSteps, LARGE_BYTES } from './json/large-value.js';
export { RowLines } from './json/row-lines.js';
export { DEFAULT_POOL_OPTIONS, type PoolOptions } from './pool/pool-options.js';
export { createTenantPools, type TenantPools } from './pool/tenant-pools.js';
export { collectRows, ignoreRows, type CollectBounds, type CollectedRows } from './row-sinks.js';
export { toTlsOptions } from './session/driver-connection.js';
export { toStatementBound } from './session/session-settings.js';
export type * from './types.js';
export type { RowLayout } from './wire/row-layout.js';
export { quoteName } from '@rowhouse/schema-model';
