/** Test tools that make taking over sessions as hard as possible. */
export * from './poison-session.js';
export * from './watch-takeovers.js';
