/**
 * The data types that processes exchange: the control API, tasks, job notifications, names in Redis and the
 * change log. This package performs no I/O. It contains only types, names and validation.
 */
export * from './constants.js';
export * from './change-log.js';
export { chosenName } from './chosen-name.js';
export * from './control-api/account-requests.js';
export * from './control-api/requests.js';
export type * from './control-api/account-responses.js';
export type * from './control-api/project-responses.js';
export type * from './control-api/question-responses.js';
export type * from './control-api/migration-responses.js';
export type * from './control-api/schema-responses.js';
export type * from './control-api/usage-responses.js';
export * from './tasks.js';
export * from './migration.js';
export { findPasswordFault } from './password-rule.js';
export * from './plan-limits.js';
export * from './platform-address.js';
export * from './rate-report.js';
export * from './records.js';
export * from './redis-address.js';
export * from './redis-keys.js';
export { isRoleAtLeast } from './roles.js';
export * from './schema-edits.js';
export * from './secret-purposes.js';
export * from './side-schema.js';
export { DOCS_LOGO_CHARACTERS_MAX, readImageUrl, type InlineImage } from './image-url.js';
export { toOrigin } from './to-origin.js';
export * from './transfers.js';
