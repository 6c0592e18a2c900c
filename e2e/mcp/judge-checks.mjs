// @ts-check
/** @typedef {import('./run-conformance.mjs').Check} Check */

/**
 * Scenarios that say something of a server with tools alone. All others ask for what only a server made for the suite has:
 * tools with fixed names and answers, resources, prompts, completions, log levels, input that a tool asks for, tasks, skills.
 */
const ABOUT_ANY_SERVER = new Set([
  'server-initialize', 'ping', 'tools-list', 'server-stateless', 'http-header-validation', 'dns-rebinding-protection', 'caching',
  'server-session-lifecycle', 'server-sse-multiple-streams', 'server-sse-polling', 'input-required-result-unsupported-methods', 'sep-2164-resource-not-found',
]);

/** Checks of them that ask for such things too, and how the suite says so. */
const ASKS_FOR_MORE = new Map([
  ['sep-2575-server-rejects-undeclared-capability', /^Not testable/],
  ['sep-2575-missing-capability-http-400', /^Not testable/],
  ['sep-2575-http-server-no-independent-requests-on-stream', /^Not testable/],
  ['sep-2575-server-no-log-without-loglevel', /^Not testable/],
  ['sep-2549-prompts-list-caching-hints', /-32601/],
  ['sep-2549-resources-list-caching-hints', /-32601/],
  ['sep-2549-resources-templates-list-caching-hints', /-32601/],
  // Of servers with resources: here the method is not there at all.
  ['sep-2164-error-code', /-32601/],
  ['sep-2164-data-uri', /undefined/],
  // Of servers that keep sessions.
  ['server-sse-multiple-streams-session', /^$/],
  ['server-sse-polling-session', /^$/],
]);

/** Of the transport over HTTP: over stdio there are no statuses, headers or pages of other sites, and a message that claims no revision is one of 2025. */
const OVER_HTTP = /request-meta-invalid-missing-(meta|protocol-version)$|^sep-2243|^sep-2575-http|http-|header|-404|-400|rebinding|localhost-host|server-unsupported-version/;

/**
 * What counts among the findings of a suite.
 *
 * @param {readonly Check[]} checks
 * @param {{ transport: 'http' | 'stdio' }} options
 * @returns {{ passed: Check[], failed: Check[], notHere: Check[] }} `notHere`: of a scenario or a transport that does not apply
 */
export function judgeChecks(checks, { transport }) {
  /** @type {{ passed: Check[], failed: Check[], notHere: Check[] }} */
  const judged = { passed: [], failed: [], notHere: [] };
  for (const check of checks) {
    const asks = ASKS_FOR_MORE.get(check.id);
    const isFault = check.status === 'FAILURE' || check.status === 'WARNING';
    if (!ABOUT_ANY_SERVER.has(check.scenario) || check.status === 'SKIPPED' || check.status === 'INFO') judged.notHere.push(check);
    else if (transport === 'stdio' && (OVER_HTTP.test(check.id) || check.scenario === 'dns-rebinding-protection' || check.scenario === 'http-header-validation')) judged.notHere.push(check);
    else if (isFault && asks?.test(check.message) === true) judged.notHere.push(check);
    else (isFault ? judged.failed : judged.passed).push(check);
  }
  return judged;
}
