/** What makes take-overs of sessions hard on purpose, for tests alone. */
export * from './poison-session.js';
export * from './watch-takeovers.js';
