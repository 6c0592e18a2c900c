/**
 * Owns every connection to a MySQL-protocol server: pools, running statements, describing schemas, probing engines.
 * Must not know HTTP, tenants' rights, plans or the platform's tables.
 */
export { openAdminConnection, PLATFORM_SQL_MODE, type AdminConnection, type AdminRow, type AdminTarget, type AdminValue } from './admin-connection.js';
export { readServerFault, type ServerFault } from './admin-error.js';
export { createAdminPool, parseMysqlUrl, type AdminPool, type AdminSession } from './admin-pool.js';
export { probeCapabilities } from './capabilities.js';
export { type RawColumn } from './introspect-column.js';
export { introspectSchema, type RawTable } from './introspect-schema.js';
export { quoteName, quoteText } from './quote-name.js';
export { joinCreateTable, readPieceName, splitCreateTable, type CreateTableParts } from './split-create-table.js';
