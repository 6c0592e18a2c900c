/**
 * The client for servers with the OpenAI chat protocol: capabilities, faults, and one deadline for each
 * question. This package does not depend on tenants, budgets or SQL. It never logs questions, answers or
 * keys.
 */
export { createModelClient, type ModelClient } from './create-model-client.js';
export { findAddressFault } from './model-address.js';
export { openDeadline, type Deadline } from './deadline.js';
export { isPromptTooLong } from './model-fault.js';
export type * from './types.js';
