/**
 * Owns what tests lean on: the run's servers, throw-away databases, cases over HTTP; the OpenAPI linter apart, as `testkit/lint-open-api`.
 * Must not be imported by anything that ships, and knows nothing of the product's inside.
 */
export * from './http-case.js';
export * from './inherit-environment.js';
export * from './test-database.js';
export * from './start-other-server.js';
export * from './start-redis-group.js';
export * from './test-servers.js';
export * from './test-matrix.js';
export * from './tcp-proxy.js';
export * from './model-server/model-case.js';
export * from './model-server/model-server.js';
export * from './break-sql.js';
export * from './read-gold-schemas.js';
