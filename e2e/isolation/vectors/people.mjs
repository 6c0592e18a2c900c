// @ts-check
/** Attempts with sessions, tokens, invitations and links that were meant for others or have ended. */
import { openControl, signIn, uniqueEmail } from '../../support/control.mjs';
import { attempt, isLetIn } from '../attempt.mjs';

/** @typedef {import('../attempt.mjs').Isolation} Isolation */

/**
 * Requests that a page of another person sends from the victim's browser. The cookie is sent along, but the
 * token is not.
 * @type {readonly (readonly [method: string, path: string, body?: unknown])[]}
 */
const FORGED = [
  ['POST', '/api/tokens', { name: 'forged' }],
  ['POST', '/api/organizations', { name: 'forged' }],
  ['PATCH', '/api/organizations/{organization}', { name: 'forged' }],
  ['POST', '/api/organizations/{organization}/invitations', { email: 'forged@example.test', role: 'viewer' }],
  ['PATCH', '/api/projects/{project}', { name: 'forged' }],
  ['POST', '/api/projects/{project}/share', {}],
  ['PUT', '/api/projects/{project}/schema', { sql: '', mode: 'apply' }],
  ['POST', '/api/projects/{project}/synonyms', { phrase: 'forged', table: 'users' }],
  ['PATCH', '/api/databases/{database}', { settings: { require_limit: false } }],
  ['POST', '/api/databases/{database}/keys', { name: 'forged' }],
  ['POST', '/api/databases/{database}/connections', { name: 'forged', role: 'owner' }],
  ['POST', '/api/databases/{database}/export', {}],
  ['POST', '/api/databases/{database}/session-key'],
  ['POST', '/api/databases/{database}/saved-queries', { name: 'forged', query: 'SELECT 1' }],
];

const CSRF = FORGED.flatMap(([method, path, body]) =>
  [
    ['without a token', {}],
    ['with the token of another session', null],
  ].map(([how, headers]) =>
    attempt('forged requests', ['csrf'], `${method} ${path} ${String(how)}`, async (s) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
        String(s.ids[/** @type {keyof typeof s.ids} */ (name)]),
      );
      const control = openControl(s.environment.control);
      control.state.cookie = s.victim.person.control.state.cookie;
      return isLetIn(
        await control.call(
          method,
          filled,
          body,
          headers === null ? { 'X-CSRF-Token': s.attacker.person.control.state.csrf } : {},
        ),
      );
    }),
  ),
);

/** Credentials of people who have left. */
const OVER = [
  attempt('sessions', ['session'], 'a session after its logout', async (s) => {
    const control = await signIn(s.environment.control, s.victim.person);
    const { cookie } = control.state;
    await control.call('POST', '/api/auth/logout');
    const thief = openControl(s.environment.control);
    thief.state.cookie = cookie;
    return (await thief.call('GET', '/api/projects')).status === 200;
  }),
  attempt('sessions', ['session'], 'a session that its owner has ended', async (s) => {
    const control = await signIn(s.environment.control, s.victim.person);
    const sessions = await control.call('GET', '/api/sessions');
    const current = sessions.json.items.find((/** @type {any} */ item) => item.is_current);
    await s.victim.person.control.call('DELETE', `/api/sessions/${current.id}`);
    return (await control.call('GET', '/api/projects')).status === 200;
  }),
  attempt('sessions', ['token'], 'a token that was revoked', async (s) => {
    const created = (await s.victim.person.control.call('POST', '/api/tokens', { name: 'ended' })).json;
    await s.victim.person.control.call('DELETE', `/api/tokens/${created.id}`);
    return (
      (await openControl(s.environment.control, { token: created.token }).call('GET', '/api/projects'))
        .status === 200
    );
  }),
  attempt('sessions', ['own things'], "ending another's token", async (s) =>
    isLetIn(await s.attacker.person.control.call('DELETE', `/api/tokens/${s.victimToken.id}`)),
  ),
  attempt('sessions', ['own things'], "ending another's session", async (s) => {
    const control = await signIn(s.environment.control, s.victim.person);
    const sessions = await control.call('GET', '/api/sessions');
    return isLetIn(
      await s.attacker.person.control.call(
        'DELETE',
        `/api/sessions/${sessions.json.items.find((/** @type {any} */ item) => item.is_current).id}`,
      ),
    );
  }),
];

const INVITED = ['viewer', 'developer', 'admin'].map((role) =>
  attempt('invitations', ['invitation'], `an invitation as ${role} for another person`, async (s) => {
    const { answer, control } = s.victim.person;
    const invited = await control.call('POST', `/api/organizations/${answer.organization.id}/invitations`, {
      email: uniqueEmail('meant'),
      role,
    });
    const accepted = await s.attacker.person.control.call('POST', '/api/invitations/accept', {
      token: invited.json.token,
    });
    if (accepted.status >= 300) return false;
    // The attacker leaves again, so that the next attempt begins as an outsider.
    await control.call(
      'DELETE',
      `/api/organizations/${answer.organization.id}/members/${s.attacker.person.answer.account.id}`,
    );
    return true;
  }),
);

const LINKS = ['GET', 'POST'].flatMap((method) => [
  attempt('share links', ['share'], `${method} of a link that was ended`, async (s) => {
    const { control, projectId } = s.victim.person;
    const link = await control.call('POST', `/api/projects/${projectId}/share`, {});
    await control.call('DELETE', `/api/projects/${projectId}/shares/${link.json.id}`);
    return isLetIn(
      await s.attacker.person.control.call(
        method,
        `/api/clone/${link.json.token}`,
        method === 'POST' ? {} : undefined,
      ),
    );
  }),
]);

export const PEOPLE = [...CSRF, ...OVER, ...INVITED, ...LINKS];
