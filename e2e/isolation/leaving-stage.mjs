// @ts-check
/**
 * Provides people, organizations and projects for attempts to delete or move an account, an organization or a
 * project.
 */
import { expectStatus, openProject, signUp } from '../support/control.mjs';
import { openApi } from '../support/http.mjs';

/**
 * @typedef {import('./stage.mjs').Isolation} Isolation
 * @typedef {import('./stage.mjs').IsolatedTenant} IsolatedTenant
 * @typedef {import('../support/control.mjs').Control} Control
 * @typedef {import('../support/control.mjs').TestUser & { id: string }} FormerMember
 * @typedef {{ id: string, database: string }} SpareProject
 */

/**
 * Creates a person without projects, so that nothing prevents the deletion of the account.
 * @param {Isolation} s
 * @returns {Promise<FormerMember>}
 */
export async function openFormerMember(s) {
  const user = await signUp(s.environment.control, {
    name: 'former-member',
    starter: 'empty',
    project: 'Gone',
  });
  expectStatus(
    await user.control.call('DELETE', `/api/projects/${user.projectId}`, { confirm: 'Gone' }),
    [204],
    'delete the project of the former member',
  );
  return { ...user, id: user.answer.account.id };
}

/**
 * @param {Control} caller
 * @param {{ email: string, password: string }} person
 * @param {{ confirm?: string, password?: string }} [input]
 * @param {Record<string, string>} [headers]
 */
export function deleteAccount(caller, { email, password }, input = {}, headers) {
  return caller.call('DELETE', '/api/me', { confirm: email, password, ...input }, headers);
}

/** @param {Control} owner @param {string} [name] @returns {Promise<string>} its id */
export async function openOrganization(owner, name = 'Another') {
  const created = await owner.call('POST', '/api/organizations', { name });
  expectStatus(created, [200, 201], 'make an organization');
  return created.json.id;
}

/**
 * Invites a person to an organization and accepts the invitation.
 * @param {Control} owner
 * @param {string} organization
 * @param {{ email: string, control: Control }} guest
 * @param {string} role
 */
export async function invite(owner, organization, guest, role) {
  const invited = await owner.call('POST', `/api/organizations/${organization}/invitations`, {
    email: guest.email,
    role,
  });
  expectStatus(invited, [201], `invite as ${role}`);
  expectStatus(
    await guest.control.call('POST', '/api/invitations/accept', { token: invited.json.token }),
    [200],
    `join as ${role}`,
  );
}

/**
 * Runs `callback` while the attacker is a member of one of the victim's organizations, and ends the
 * membership afterwards.
 * @template T
 * @param {Isolation} s
 * @param {string} organization
 * @param {string} role
 * @param {() => Promise<T>} callback
 */
export async function asMember(s, organization, role, callback) {
  const { control } = s.victim.person;
  await invite(control, organization, s.attacker.person, role);
  try {
    return await callback();
  } finally {
    expectStatus(
      await control.call(
        'DELETE',
        `/api/organizations/${organization}/members/${s.attacker.person.answer.account.id}`,
      ),
      [204],
      'take the member out again',
    );
  }
}

/** @param {Isolation} s @param {string} sql @param {unknown[]} values @returns {Promise<any[]>} */
async function rows(s, sql, values) {
  const [found] = await s.platform.query(sql, values);
  return /** @type {any[]} */ (found);
}

/** @param {Isolation} s @param {'account' | 'organization'} kind @param {string} id */
export async function isRemoved(s, kind, id) {
  return (await rows(s, `SELECT id FROM rowhouse_global.${kind} WHERE id = ?`, [id])).length === 0;
}

/**
 * Returns whether the organization has members.
 * @param {Isolation} s
 * @param {string} organization
 */
export async function hasMembers(s, organization) {
  return (
    (
      await rows(s, 'SELECT account_id FROM rowhouse_global.membership WHERE organization_id = ?', [
        organization,
      ])
    ).length > 0
  );
}

/** @param {Isolation} s @param {string} project @returns {Promise<string>} */
export async function organizationOf(s, project) {
  return (await rows(s, 'SELECT organization_id FROM rowhouse_global.project WHERE id = ?', [project]))[0]
    ?.organization_id;
}

/** @type {WeakMap<IsolatedTenant, Promise<SpareProject>>} */
const spares = new WeakMap();

/**
 * Returns a project of the tenant for attempts that move it. Moves the project back to the tenant's first
 * organization if an earlier attempt has moved it.
 * @param {Isolation} s
 * @param {IsolatedTenant} tenant
 */
export async function spareProject(s, tenant) {
  const found =
    spares.get(tenant) ??
    openProject(tenant.person, { name: 'Spare' }).then(({ projectId, development }) => ({
      id: projectId,
      database: development.id,
    }));
  spares.set(tenant, found);
  const project = await found;
  await s.platform.query('UPDATE rowhouse_global.project SET organization_id = ? WHERE id = ?', [
    tenant.person.answer.organization.id,
    project.id,
  ]);
  return project;
}

/**
 * Returns whether a gateway still accepts a revoked key after all gateways had time to learn of the
 * revocation.
 * @param {Isolation} s
 * @param {string} secret
 */
export async function isKeyStillAccepted(s, secret) {
  const api = openApi(s.base, secret);
  for (const endsAtMs = performance.now() + 3_000; performance.now() < endsAtMs;) {
    if ((await api.get('/schema')).status === 401) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return (await api.get('/schema')).status === 200;
}
