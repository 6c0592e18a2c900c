/**
 * Owns the shapes that cross a process boundary: control API, tasks, wake-ups, Redis names, the change log.
 * Must not do I/O or hold behaviour beyond naming and checking.
 */
export * from './change-log.js';
export { chosenName } from './chosen-name.js';
export * from './control-api.js';
export type * from './control-api-answers.js';
export * from './jobs.js';
export * from './migration.js';
export * from './moves.js';
export { findPasswordFault } from './password-rule.js';
export * from './plans.js';
export * from './platform-address.js';
export * from './rate-report.js';
export * from './records.js';
export * from './redis-address.js';
export * from './redis-keys.js';
export { isRoleAtLeast } from './roles.js';
export * from './schema-edits.js';
export * from './secret-purposes.js';
export * from './side-schema.js';
export type * from './tasks.js';
export * from './transfers.js';
