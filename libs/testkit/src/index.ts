/**
 * Support for tests: the servers of a test run, temporary databases and HTTP cases. The OpenAPI linter is
 * exported as `testkit/lint-open-api`. No package that is shipped may import this one. It does not depend on
 * the product's code.
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
