/**
 * Test support: the servers of the run, temporary databases and HTTP cases. The OpenAPI linter is exported as
 * `testkit/lint-open-api`. No shipped package may import this, and it does not know the product's internals.
 */
export * from './http-case.js';
export * from './test-servers.js';
export * from './test-database.js';
export * from './tcp-proxy.js';
export * from './model-server/model-case.js';
export * from './model-server/model-server.js';
export * from './break-sql.js';
export * from './read-gold-schemas.js';
export * from './simulate-connection.js';
export * from './mcp-tools.js';
export * from './json-filters.js';
