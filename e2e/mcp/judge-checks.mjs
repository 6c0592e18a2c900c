// @ts-check
/** @typedef {import('./run-conformance.mjs').Check} Check */

/**
 * Scenarios that apply to a server that only has tools. The others need features that only a server written
 * for the suite has, such as tools with fixed names and results, resources, prompts or log levels.
 */
const ABOUT_ANY_SERVER = new Set([
  'server-initialize',
  'ping',
  'tools-list',
  'server-stateless',
  'http-header-validation',
  'dns-rebinding-protection',
  'caching',
  'server-session-lifecycle',
  'server-sse-multiple-streams',
  'server-sse-polling',
  'input-required-result-unsupported-methods',
  'sep-2164-resource-not-found',
]);

/**
 * Checks in these scenarios that also need such features, with the message that the suite reports for them.
 */
const ASKS_FOR_MORE = new Map([
  ['sep-2575-server-rejects-undeclared-capability', /^Not testable/],
  ['sep-2575-missing-capability-http-400', /^Not testable/],
  ['sep-2575-http-server-no-independent-requests-on-stream', /^Not testable/],
  ['sep-2575-server-no-log-without-loglevel', /^Not testable/],
  ['sep-2549-prompts-list-caching-hints', /-32601/],
  ['sep-2549-resources-list-caching-hints', /-32601/],
  ['sep-2549-resources-templates-list-caching-hints', /-32601/],
  // This check is for servers with resources. Without resources, the method does not exist.
  ['sep-2164-error-code', /-32601/],
  ['sep-2164-data-uri', /undefined/],
  // This check is for servers with sessions.
  ['server-sse-multiple-streams-session', /^$/],
  ['server-sse-polling-session', /^$/],
]);

/**
 * Checks of the transport over HTTP. Over stdio there are no statuses, headers or cross-site requests, and a
 * message without a revision counts as one of 2025.
 */
const OVER_HTTP =
  /request-meta-invalid-missing-(meta|protocol-version)$|^sep-2243|^sep-2575-http|http-|header|-404|-400|rebinding|localhost-host|server-unsupported-version/;

/**
 * Selects the findings of a suite that apply.
 * @param {readonly Check[]} checks
 * @param {{ transport: 'http' | 'stdio' }} options
 * @returns {{ passed: Check[], failed: Check[], notHere: Check[] }} `notHere` lists those of a scenario or
 *   transport that does not apply
 */
export function judgeChecks(checks, { transport }) {
  /** @type {{ passed: Check[], failed: Check[], notHere: Check[] }} */
  const judged = { passed: [], failed: [], notHere: [] };
  for (const check of checks) {
    const requestsSent = ASKS_FOR_MORE.get(check.id);
    const isFault = check.status === 'FAILURE' || check.status === 'WARNING';
    if (!ABOUT_ANY_SERVER.has(check.scenario) || check.status === 'SKIPPED' || check.status === 'INFO')
      judged.notHere.push(check);
    else if (
      transport === 'stdio' &&
      (OVER_HTTP.test(check.id) ||
        check.scenario === 'dns-rebinding-protection' ||
        check.scenario === 'http-header-validation')
    )
      judged.notHere.push(check);
    else if (isFault && requestsSent?.test(check.message) === true) judged.notHere.push(check);
    else (isFault ? judged.failed : judged.passed).push(check);
  }
  return judged;
}
