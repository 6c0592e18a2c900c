/**
 * All connections to servers with the MySQL protocol: pools, statements, schema introspection and capability
 * probes. This package does not know HTTP, tenants' rights, query plans or the platform's tables.
 */
export {
  CARRY_SQL_MODE,
  openAdminConnection,
  PLATFORM_SQL_MODE,
  toPlatformSqlMode,
  withCarryMode,
  type AdminConnection,
  type AdminTarget,
} from './admin/admin-connection.js';
export { readServerFault, type ServerFault } from './admin/admin-error.js';
export { createAdminPool, type AdminPool } from './admin/admin-pool.js';
export type { AdminRow, AdminSession, AdminValue } from './admin/admin-session.js';
export { aimAddress, isReadOnlyServer, type AimedAddress } from './admin/writable-node-pool.js';
export { adviseServer } from './admin/advise-server.js';
export { makesAccounts, probeCapabilities, readNodeState } from './admin/capabilities.js';
export { createNeighborActivity } from './pool/neighbor-activity.js';
export { GALERA_WAIT, type GaleraState } from './admin/galera-state.js';
export { cutDefiner } from './introspect/cut-definer.js';
export { introspectRoutines, type WithDefinitions } from './introspect/introspect-routines.js';
export { introspectSchema, introspectTable } from './introspect/introspect-schema.js';
export { createTenantPools, type TenantPools } from './pool/tenant-pools.js';
export { createPlatformPool, type PlatformPool, type PlatformPoolOptions } from './admin/platform-pool.js';
export { WritesPausedError, ConnectionLostError, DatabaseFault } from './faults.js';
export { DEFAULT_POOL_OPTIONS, type PoolOptions } from './pool/pool-options.js';
export { type ServerPoolStats } from './pool/server-pool.js';
export { RowLines } from './json/row-lines.js';
export { JsonRows } from './json/json-rows.js';
export { digestLarge, digestLargeSteps, LARGE_BYTES } from './json/large-value.js';
export { returnBytes } from './json/shared-bytes.js';
export type * from './types.js';
export type { RowLayout } from './wire/row-layout.js';
export { quoteName } from '@rowhouse/schema-model';
export { quoteInSlices, quoteLongTexts } from './introspect/quote-long-texts.js';
export { quoteText } from './introspect/quote-text.js';
export { collectRows, ignoreRows, type CollectBounds, type CollectedRows } from './row-sinks.js';
export { HALF_OPEN_LOGINS, LOGIN_COMMANDS, SESSION_AMOUNTS, SESSIONS } from './admin/sessions-table.js';
export { toSchemaSqlMode } from './admin/schema-session.js';
export { toTlsOptions } from './session/to-tls-options.js';
export { toStatementBound } from './session/session-settings.js';
export type { Executor } from './execute/executor.js';
export { checkStatement, runStatements } from './execute/run-statements.js';
export type {
  RunMode,
  RunOptions,
  RunPair,
  RunStatement,
  RunTarget,
  SessionSource,
} from './execute/run-options.js';
export { readTriggerBodies } from './introspect/read-trigger-bodies.js';
export { runStream, type StreamOptions } from './execute/run-stream.js';
export { readPieceName, splitCreateTable, type CreateTableParts } from './introspect/split-create-table.js';
export { respellBody } from './introspect/trigger-text.js';
