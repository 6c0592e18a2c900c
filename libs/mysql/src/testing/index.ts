/**
 * Test tools for sessions that pass from one account to another. They leave as much state as possible in each
 * session before that.
 */
export * from './poison-session.js';
export * from './watch-takeovers.js';
