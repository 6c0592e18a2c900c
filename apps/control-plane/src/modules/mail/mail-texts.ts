import type { Role } from '@rowhouse/contracts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text, which every mail program can show and which loads nothing. */
  readonly text: string;
}

/**
 * Characters that mail programs recognize as part of an address: a dot or colon before other text, and an at
 * sign.
 */
const ADDRESS_MARK = /[:@\uff1a\uff20](?=\S)|[.\u3002\uff0e\uff61](?=[^\s.,;!?)])/g;

/**
 * Shortens a chosen name to one line for subjects, and prevents mail programs from turning it into a link.
 */
function limit(name: string): string {
  return name
    .slice(0, 200)
    .replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .replaceAll(ADDRESS_MARK, '$& ')
    .trim()
    .slice(0, 80);
}

export function verificationMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Confirm your e-mail address',
    text: `Open this address within a day to confirm that ${to} is yours:\n\n${url}\n\nIf you have no account here, leave this mail alone.\n`,
  };
}

export function resetMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Set a new password',
    text: `Someone, hopefully you, asked to set a new password for ${to}. This address does it, once, within an hour:\n\n${url}\n\nIf it was not you, leave this mail alone: nothing has changed.\n`,
  };
}

export function passwordChangedMail(to: string, keepsTokens: boolean): Mail {
  return {
    to,
    subject: 'Your password was changed',
    text: `The password of ${to} was changed just now, and every other session was ended${keepsTokens ? '; access tokens were kept' : ' along with every access token'}.\n\nIf it was not you, set a new one at once: on the sign-in page, "Forgot your password?".\n`,
  };
}

export function accountDeletedMail(to: string): Mail {
  return {
    to,
    subject: 'Your account was deleted',
    text: `The account of ${to} was deleted just now, with its sessions and access tokens. What belonged to organizations of others is theirs and stays.\n\nIf it was not you, tell whoever runs this installation.\n`,
  };
}

export function invitationMail(
  to: string,
  invitation: {
    readonly organization: string;
    readonly by: { readonly name: string; readonly email: string };
    readonly role: Role;
    readonly url: string;
  },
): Mail {
  const organization = limit(invitation.organization);
  const { name, email } = invitation.by;
  return {
    to,
    subject: `Invitation to ${organization}`,
    text: `${name === '' ? email : `${limit(name)} (${email})`} invites you to ${organization} as ${invitation.role}. This address lets you join, with an account for ${to}:\n\n${invitation.url}\n\nIf you do not want to, leave this mail alone.\n`,
  };
}

export function failedMigrationMail(
  to: string,
  migration: {
    readonly project: string;
    readonly environment: string;
    readonly state: string;
    readonly detail: string;
    readonly url: string;
  },
): Mail {
  return {
    to,
    subject: `Migration ${migration.state === 'failed' ? 'failed' : 'needs attention'}: ${limit(migration.project)}, ${migration.environment}`,
    text: `${migration.detail}\n\nWhat ran, what was left as it was, and the ways on:\n\n${migration.url}\n\nYou get this because you deployed it or run the organization. It can be switched off in your account.\n`,
  };
}
