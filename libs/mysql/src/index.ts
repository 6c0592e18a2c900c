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
} from './admin-connection.js';
export { readServerFault, type ServerFault } from './admin-error.js';
export { createAdminPool, type AdminPool } from './admin-pool.js';
export type { AdminRow, AdminSession, AdminValue } from './admin-session.js';
export { aimAddress, isReadOnlyServer, type AimedAddress } from './aim-pool.js';
export { adviseServer } from './advise-server.js';
export { makesAccounts, probeCapabilities, readNodeState } from './capabilities.js';
export { createNeighborActivity } from './neighbor-activity.js';
export { GALERA_WAIT, type GaleraState } from './galera-state.js';
export { cutDefiner } from './cut-definer.js';
export { introspectRoutines, type WithDefinitions } from './introspect-routines.js';
export { introspectSchema, introspectTable } from './introspect-schema.js';
export { createTenantPools, type TenantPools } from './pool.js';
export { createPlatformPool, type PlatformPool, type PlatformPoolOptions } from './pool-platform.js';
export { AccountBlock, ConnectionLostError, DatabaseFault } from './pool-fault.js';
export { DEFAULT_POOL_OPTIONS, type PoolOptions } from './pool-options.js';
export { type ServerPoolStats } from './pool-server.js';
export { RowLines } from './json/row-lines.js';
export { JsonRows } from './json/json-rows.js';
export { digestLarge, digestLargeSteps, LARGE_BYTES } from './json/large-value.js';
export { returnBytes } from './json/shared-bytes.js';
export type * from './pool-types.js';
export type { RowLayout } from './wire/row-layout.js';
export { quoteName } from '@rowhouse/schema-model';
export { quoteInSlices, quoteLongTexts } from './quote-long-texts.js';
export { quoteText } from './quote-text.js';
export { collectRows, ignoreRows, type CollectBounds, type CollectedRows } from './row-sinks.js';
export { HALF_OPEN_LOGINS, LOGIN_COMMANDS, SESSION_AMOUNTS, SESSIONS } from './sessions-table.js';
export { toSchemaSqlMode } from './schema-session.js';
export { toTlsOptions } from './to-tls-options.js';
export { toStatementBound } from './pool-session-settings.js';
export {
  checkStatement,
  runBounded,
  runKeyed,
  runShortWrite,
  runStatements,
  type RunMode,
  type RunOptions,
  type RunPair,
  type RunStatement,
  type RunTarget,
} from './run-statements.js';
export { readTriggerBodies } from './read-trigger-bodies.js';
export { runStream, type StreamOptions } from './run-stream.js';
export { readPieceName, splitCreateTable, type CreateTableParts } from './split-create-table.js';
export { respellBody } from './trigger-text.js';
