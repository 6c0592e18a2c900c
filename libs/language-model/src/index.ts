/**
 * Owns the talk with a server that speaks the OpenAI chat protocol: what it can do, its faults, one deadline over all of it.
 * Must not know what is asked, tenants, budgets or SQL; neither question nor answer nor key is logged.
 */
export { createModelClient, type ModelClient } from './create-model-client.js';
export { findAddressFault } from './find-address-fault.js';
export { openDeadline, type Deadline } from './deadline.js';
export { isPromptTooLong } from './model-fault.js';
export type * from './types.js';
