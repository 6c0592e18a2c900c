// @ts-check
/**
 * Attempts to delete an account or an organization, or to give a project away: by people without the right,
 * with expired credentials, and at the same time as another call.
 */
import { openControl, signIn } from '../../support/control.mjs';
import { attempt } from '../attempt.mjs';
import {
  asMember,
  deleteAccount,
  hasMembers,
  invite,
  isRemoved,
  organizationOf,
  openFormerMember,
  openOrganization,
  isKeyStillAccepted,
  spareProject,
} from '../leaving-stage.mjs';

/** @typedef {import('../attempt.mjs').Isolation} Isolation */
/** @typedef {import('../../support/control.mjs').Control} Control */
/** @typedef {import('../leaving-stage.mjs').FormerMember} FormerMember */

const ROUNDS = 12;

/**
 * Returns a client that sends another person's cookie with the given CSRF token, which may be missing or
 * belong to another session.
 * @param {Isolation} s
 * @param {Control} of
 * @param {string} csrf
 */
function forge(s, of, csrf) {
  const control = openControl(s.environment.control);
  control.state.cookie = of.state.cookie;
  return { control, headers: csrf === '' ? undefined : { 'X-CSRF-Token': csrf } };
}

/**
 * Credentials that an attacker may have kept from a session or token of the user.
 * @type {readonly (readonly [string, string[], (s: Isolation, user: { email: string, password: string, control: Control }) => Promise<{ control: Control, headers?: Record<string, string> | undefined }>])[]}
 */
const STOLEN = [
  ['a page elsewhere, without a token', ['csrf'], async (s, user) => forge(s, user.control, '')],
  [
    'a page elsewhere, with the token of its own session',
    ['csrf'],
    async (s, user) => forge(s, user.control, s.attacker.person.control.state.csrf),
  ],
  [
    'a session after its logout',
    ['session'],
    async (s, user) => {
      const control = await signIn(s.environment.control, user);
      const { cookie, csrf } = control.state;
      await control.call('POST', '/api/auth/logout');
      const thief = openControl(s.environment.control);
      Object.assign(thief.state, { cookie, csrf });
      return { control: thief };
    },
  ],
  [
    'a token that was revoked',
    ['token'],
    async (s, user) => {
      const created = (await user.control.call('POST', '/api/tokens', { name: 'ended' })).json;
      await user.control.call('DELETE', `/api/tokens/${created.id}`);
      return { control: openControl(s.environment.control, { token: created.token }) };
    },
  ],
];

const ACCOUNTS = [
  ...STOLEN.map(([who, guards, take]) =>
    attempt('ends of accounts', guards, `by ${who}, the password known`, async (s) => {
      const formerMember = await openFormerMember(s);
      const { control, headers } = await take(s, formerMember);
      await deleteAccount(control, formerMember, {}, headers);
      return isRemoved(s, 'account', formerMember.id);
    }),
  ),
  attempt('ends of accounts', ['password'], 'by an open session, with a guessed password', async (s) => {
    const formerMember = await openFormerMember(s);
    await deleteAccount(formerMember.control, formerMember, { password: 'a good guess' });
    return isRemoved(s, 'account', formerMember.id);
  }),
  attempt(
    'ends of accounts',
    ['guesses'],
    'by an open session, with the correct password at the twelfth guess',
    async (s) => {
      const formerMember = await openFormerMember(s);
      for (let guess = 1; guess < 12; guess += 1)
        await deleteAccount(formerMember.control, formerMember, { password: `guess number ${guess}` });
      await deleteAccount(formerMember.control, formerMember);
      return isRemoved(s, 'account', formerMember.id);
    },
  ),
  attempt('ends of accounts', ['typed names'], "by its own session, another's address typed", async (s) => {
    const formerMember = await openFormerMember(s);
    await deleteAccount(formerMember.control, formerMember, { confirm: s.victim.person.email });
    return isRemoved(s, 'account', formerMember.id);
  }),
  attempt(
    'ends of accounts',
    ['last owner'],
    'of the only owner of an organization with other members',
    async (s) => {
      const formerMember = await openFormerMember(s);
      const organization = await openOrganization(formerMember.control);
      await invite(formerMember.control, organization, s.attacker.person, 'viewer');
      await deleteAccount(formerMember.control, formerMember);
      return isRemoved(s, 'account', formerMember.id);
    },
  ),
  attempt('ends of accounts', ['inviter'], 'an invitation by a removed member', (s) =>
    withFormerMember(s, 'admin', async (formerMember, organization) => {
      const invited = await formerMember.control.call(
        'POST',
        `/api/organizations/${organization}/invitations`,
        { email: s.attacker.person.email, role: 'admin' },
      );
      await deleteAccount(formerMember.control, formerMember);
      const accepted = await s.attacker.person.control.call('POST', '/api/invitations/accept', {
        token: invited.json.token,
      });
      return accepted.status < 300;
    }),
  ),
  attempt('ends of accounts', ['keys of before'], 'a console key of a removed member', (s) =>
    withFormerMember(s, 'developer', async (formerMember) => {
      const minted = await formerMember.control.call(
        'POST',
        `/api/databases/${s.victim.person.development.id}/session-key`,
      );
      await deleteAccount(formerMember.control, formerMember);
      return isKeyStillAccepted(s, minted.json.secret);
    }),
  ),
];

/**
 * Runs `callback` with a member of the victim's organization who is about to leave.
 * @param {Isolation} s
 * @param {string} role
 * @param {(formerMember: FormerMember, organization: string) => Promise<boolean>} callback
 */
async function withFormerMember(s, role, callback) {
  const formerMember = await openFormerMember(s);
  const { control, answer } = s.victim.person;
  await invite(control, answer.organization.id, formerMember, role);
  const isIn = await callback(formerMember, answer.organization.id);
  for (const id of [formerMember.id, s.attacker.person.answer.account.id])
    await control.call('DELETE', `/api/organizations/${answer.organization.id}/members/${id}`);
  return isIn;
}

const NAME = 'To be deleted';

/**
 * @param {Control} caller
 * @param {string} id
 * @param {string} [confirm]
 * @param {Record<string, string>} [headers]
 */
const deleteOrganization = (caller, id, confirm = NAME, headers) =>
  caller.call('DELETE', `/api/organizations/${id}`, { confirm }, headers);

/**
 * @param {string} who
 * @param {readonly string[]} guards
 * @param {(s: Isolation, id: string) => Promise<unknown>} run
 */
const endOrganization = (who, guards, run) =>
  attempt('ends of organizations', guards, who, async (s) => {
    const id = await openOrganization(s.victim.person.control, NAME);
    await run(s, id);
    return isRemoved(s, 'organization', id);
  });

const ORGANIZATIONS = [
  endOrganization("by an outsider's session", ['membership'], (s, id) =>
    deleteOrganization(s.attacker.person.control, id),
  ),
  endOrganization("by an outsider's token", ['membership'], (s, id) => deleteOrganization(s.byToken, id)),
  ...['viewer', 'developer', 'admin'].map((role) =>
    endOrganization(`by a member as ${role}`, ['role'], async (s, id) => {
      await invite(s.victim.person.control, id, s.attacker.person, role);
      await deleteOrganization(s.attacker.person.control, id);
    }),
  ),
  endOrganization('by a former owner', ['membership'], (s, id) =>
    asMember(s, id, 'owner', () => Promise.resolve()).then(() =>
      deleteOrganization(s.attacker.person.control, id),
    ),
  ),
  ...STOLEN.map(([who, guards, take]) =>
    endOrganization(`by ${who}`, guards, async (s, id) => {
      const { control, headers } = await take(s, s.victim.person);
      await deleteOrganization(control, id, NAME, headers);
    }),
  ),
  endOrganization('by a session left open, another name typed', ['typed names'], (s, id) =>
    deleteOrganization(s.victim.person.control, id, 'victim and co'),
  ),
  endOrganization(
    'that still has a project, which would then be out of reach',
    ['projects inside'],
    async (s, id) => {
      const project = await spareProject(s, s.victim);
      await s.victim.person.control.call('POST', `/api/projects/${project.id}/move`, { organization_id: id });
      await deleteOrganization(s.victim.person.control, id);
    },
  ),
  attempt('ends of organizations', ['locks'], 'while a project is moved into it', async (s) => {
    const { control } = s.victim.person;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [project, id] = [await spareProject(s, s.victim), await openOrganization(control, NAME)];
      await Promise.all([
        control.call('POST', `/api/projects/${project.id}/move`, { organization_id: id }),
        deleteOrganization(control, id),
      ]);
      if ((await isRemoved(s, 'organization', id)) && (await organizationOf(s, project.id)) === id)
        return true;
    }
    return false;
  }),
  attempt('ends of organizations', ['locks'], 'while somebody joins it', async (s) => {
    const { control } = s.victim.person;
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await openOrganization(control, NAME);
      const invited = await control.call('POST', `/api/organizations/${id}/invitations`, {
        email: s.attacker.person.email,
        role: 'viewer',
      });
      await Promise.all([
        s.attacker.person.control.call('POST', '/api/invitations/accept', { token: invited.json.token }),
        deleteOrganization(control, id),
      ]);
      if ((await isRemoved(s, 'organization', id)) && (await hasMembers(s, id))) return true;
    }
    return false;
  }),
];

/**
 * @param {Control} caller
 * @param {string} project
 * @param {string} to
 * @param {Record<string, string>} [headers]
 */
const move = (caller, project, to, headers) =>
  caller.call('POST', `/api/projects/${project}/move`, { organization_id: to }, headers);

/**
 * Creates an attempt to move the victim's project into the attacker's organization.
 * @param {string} who
 * @param {readonly string[]} guards
 * @param {(s: Isolation, project: string, to: string) => Promise<unknown>} run
 */
const takeProject = (who, guards, run) =>
  attempt('moves of projects', guards, who, async (s) => {
    const project = await spareProject(s, s.victim);
    const to = s.attacker.person.answer.organization.id;
    await run(s, project.id, to);
    return (await organizationOf(s, project.id)) === to;
  });

/**
 * Creates an attempt to move the attacker's project into the victim's organization.
 * @param {string} who
 * @param {readonly string[]} guards
 * @param {(s: Isolation, project: string, to: string) => Promise<unknown>} run
 */
const plantProject = (who, guards, run) =>
  attempt('moves of projects', guards, who, async (s) => {
    const project = await spareProject(s, s.attacker);
    const to = s.victim.person.answer.organization.id;
    await run(s, project.id, to);
    return (await organizationOf(s, project.id)) === to;
  });

const PROJECTS = [
  takeProject("by an outsider's session", ['membership'], (s, project, to) =>
    move(s.attacker.person.control, project, to),
  ),
  takeProject("by an outsider's token", ['membership'], (s, project, to) => move(s.byToken, project, to)),
  ...['viewer', 'developer', 'admin'].map((role) =>
    takeProject(`by a member as ${role}, to an organization of its own`, ['role'], (s, project, to) =>
      asMember(s, s.victim.person.answer.organization.id, role, () =>
        move(s.attacker.person.control, project, to),
      ),
    ),
  ),
  takeProject('by a former owner', ['membership'], (s, project, to) =>
    asMember(s, s.victim.person.answer.organization.id, 'owner', () => Promise.resolve()).then(() =>
      move(s.attacker.person.control, project, to),
    ),
  ),
  plantProject("into an outsider's organization", ['role there'], (s, project, to) =>
    move(s.attacker.person.control, project, to),
  ),
  ...['viewer', 'developer', 'admin'].map((role) =>
    plantProject(`into an organization of others by its ${role}`, ['role there'], (s, project, to) =>
      asMember(s, to, role, () => move(s.attacker.person.control, project, to)),
    ),
  ),
  ...STOLEN.map(([who, guards, take]) =>
    attempt('moves of projects', guards, `by ${who}`, async (s) => {
      const { control: own } = s.victim.person;
      const [project, to] = [await spareProject(s, s.victim), await openOrganization(own)];
      const { control, headers } = await take(s, s.victim.person);
      await move(control, project.id, to, headers);
      return (await organizationOf(s, project.id)) === to;
    }),
  ),
  attempt(
    'moves of projects',
    ['role there'],
    'the responses for an existing and a missing organization',
    async (s) => {
      const project = await spareProject(s, s.attacker);
      const tell = async (/** @type {string} */ to) => {
        const { status, json } = await move(s.attacker.person.control, project.id, to);
        return JSON.stringify([status, json?.code, json?.detail]);
      };
      return (await tell(s.victim.person.answer.organization.id)) !== (await tell(`org_${'a'.repeat(20)}`));
    },
  ),
  attempt(
    'moves of projects',
    ['keys of before'],
    'a console key of a member of the previous organization',
    (s) =>
      retainKey(s, async (mint, give) => {
        const minted = await mint();
        await give();
        return minted.json.secret;
      }),
  ),
  attempt(
    'moves of projects',
    ['keys of before', 'late keys'],
    'a console key that a member of the previous organization requests during the move',
    (s) => retainKey(s, async (mint, give) => (await Promise.all([mint(), give()]))[0].json.secret),
  ),
  attempt(
    'moves of projects',
    ['trail'],
    'the audit log of the previous organization, by an owner of the new one',
    async (s) => {
      const { control } = s.victim.person;
      const [project, to] = [await spareProject(s, s.victim), await openOrganization(control)];
      await invite(control, to, s.attacker.person, 'owner');
      await move(control, project.id, to);
      const trail = await s.attacker.person.control.call('GET', `/api/projects/${project.id}/audit?limit=50`);
      return trail.json.items.some(
        (/** @type {{ action: string }} */ item) => item.action !== 'project.move',
      );
    },
  ),
];

/**
 * Returns whether a developer of the organization that a project leaves still reads it.
 * @param {Isolation} s
 * @param {(mint: () => Promise<import('../../support/http.mjs').HttpResponse>, give: () => Promise<unknown>) => Promise<string | undefined>} run
 */
async function retainKey(s, run) {
  const { control, answer } = s.victim.person;
  const [project, to] = [await spareProject(s, s.victim), await openOrganization(control)];
  return asMember(s, answer.organization.id, 'developer', async () => {
    const secret = await run(
      () => s.attacker.person.control.call('POST', `/api/databases/${project.database}/session-key`),
      () => move(control, project.id, to),
    );
    return secret !== undefined && isKeyStillAccepted(s, secret);
  });
}

export const LEAVING = [...ACCOUNTS, ...ORGANIZATIONS, ...PROJECTS];
