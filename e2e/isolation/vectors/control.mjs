// @ts-check
/**
 * Attempts against the control API: objects of others, calls above one's role, calls of operators, and
 * responses that reveal that something exists.
 */
import { attempt, isLetIn } from '../attempt.mjs';
import { fillIn } from '../stage.mjs';
import { CHILDREN, ENDS, OPERATORS, READS, WRITES } from './control-calls.mjs';

/** @typedef {import('../attempt.mjs').Isolation} Isolation */
/** @typedef {import('./control-calls.mjs').ControlCall} ControlCall */

const RANKS = { viewer: 1, developer: 2, admin: 3, owner: 4 };

/**
 * @param {Isolation} s
 * @param {import('../../support/control.mjs').Control} caller
 * @param {ControlCall} request
 * @param {Record<string, string>} [headers]
 */
async function make(s, caller, request, headers) {
  const path = await fillIn(s, request.path);
  const isText = typeof request.body === 'string';
  const body =
    request.body === undefined
      ? undefined
      : isText
        ? request.body
        : JSON.parse(await fillIn(s, JSON.stringify(request.body)));
  return caller.call(request.method, path, body, {
    ...(isText ? { 'Content-Type': 'application/sql' } : {}),
    ...headers,
  });
}

/**
 * @param {ControlCall} request
 * @param {string} who
 * @param {readonly string[]} guards
 * @param {(s: Isolation) => import('../../support/control.mjs').Control} callerOf
 */
function tryCall(request, who, guards, callerOf) {
  return attempt('control API', guards, `${request.method} ${request.path} by ${who}`, async (s) =>
    isLetIn(await make(s, callerOf(s), request)),
  );
}

/**
 * Returns the path with an invented id of the same form.
 * @param {string} path
 */
function toMissingRoute(path) {
  return path.replaceAll(
    /\{(project|database|migration|connection|organization|fresh key|fresh connection)\}/g,
    (_, name) => `${PREFIXES[name] ?? ''}${'a'.repeat(20)}`,
  );
}

/** @type {Record<string, string>} */
const PREFIXES = {
  project: 'prj_',
  database: 'db_',
  migration: 'mig_',
  connection: 'con_',
  organization: 'org_',
  'fresh key': 'key_',
  'fresh connection': 'con_',
};

/**
 * Returns the response without its request id, which differs each time and reveals nothing.
 * @param {import('../../support/http.mjs').HttpResponse} answer
 */
function withoutChance({ status, json }) {
  return JSON.stringify([status, { ...json, request_id: '' }]);
}

const ALL = [...READS, ...WRITES, ...ENDS];
/**
 * The response for each path is compared with the response for ids that do not exist. A difference would
 * reveal what exists. Paths of an organization are skipped, because the API looks up only the caller's
 * membership there.
 */
const COMPARED = ALL.filter(
  ({ path }) => path !== toMissingRoute(path) && !path.includes('fresh') && !path.includes('{organization}'),
);

export const CONTROL = [
  ...ALL.map((request) =>
    tryCall(request, "an outsider's session", ['membership'], (s) => s.attacker.person.control),
  ),
  ...ALL.map((request) => tryCall(request, "an outsider's token", ['membership'], (s) => s.byToken)),
  ...ALL.filter(({ least }) => RANKS[least] > 1).map((request) =>
    tryCall(request, 'a viewer', ['role'], (s) => /** @type {any} */ (s.members['viewer'])),
  ),
  ...ALL.filter(({ least }) => RANKS[least] > 2).map((request) =>
    tryCall(request, 'a developer', ['role'], (s) => /** @type {any} */ (s.members['developer'])),
  ),
  ...OPERATORS.flatMap((request) => [
    tryCall(request, "an owner's session", ['operator'], (s) => s.victim.person.control),
    tryCall(request, "an owner's token", ['operator'], (s) => s.byToken),
  ]),
  ...CHILDREN.map((request) =>
    tryCall(request, 'the owner of another parent', ['children'], (s) => s.attacker.person.control),
  ),
  ...COMPARED.map((request) =>
    attempt(
      'error texts',
      ['mask'],
      `${request.method} ${request.path} compared with ids that do not exist`,
      async (s) => {
        const caller = s.attacker.person.control;
        const found = withoutChance(await make(s, caller, request));
        return (
          found !== withoutChance(await make(s, caller, { ...request, path: toMissingRoute(request.path) }))
        );
      },
    ),
  ),
];
