import type { Role } from '@rowhouse/contracts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** The plain text of the email. Every mail program can show plain text, and it loads nothing. */
  readonly text: string;
}

/**
 * Matches characters that mail programs recognize as part of an address: a dot or colon before other text,
 * and an at sign.
 */
const ADDRESS_MARK = /[:@\uff1a\uff20](?=\S)|[.\u3002\uff0e\uff61](?=[^\s.,;!?)])/g;

const NAME_LENGTH_MAX = 80;
const DETAIL_LENGTH_MAX = 500;

/**
 * Shortens a text that a user wrote to one line, and prevents mail programs from turning parts of it into
 * links.
 */
function limit(text: string, lengthMax = NAME_LENGTH_MAX): string {
  return text
    .slice(0, 2 * lengthMax)
    .replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .replaceAll(ADDRESS_MARK, '$& ')
    .trim()
    .slice(0, lengthMax);
}

export function verificationMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Confirm your email address',
    text: `To confirm your address ${to}, open this link within a day:\n\n${url}\n\nIf you did not create an account, ignore this email.\n`,
  };
}

export function resetMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Set a new password',
    text: `Someone asked for a new password for ${to}. To set it, open this link within an hour. It works once:\n\n${url}\n\nIf this was not you, ignore this email. Your password has not changed.\n`,
  };
}

const NOT_YOU =
  'If this was not you, set a new password now: choose "Forgot your password?" on the sign-in page.\n';

export function passwordChangedMail(to: string, keepsTokens: boolean): Mail {
  return {
    to,
    subject: 'Your password was changed',
    text: `The password of ${to} was changed. All other sessions have ended${keepsTokens ? '. Your access tokens stay valid' : ', and all access tokens were revoked'}.\n\nIf this was not you, set a new password now: choose "Forgot your password?" on the sign-in page.\n`,
  };
}

export function twoFactorMail(to: string, isOn: boolean): Mail {
  return isOn
    ? {
        to,
        subject: 'Two-factor authentication is on',
        text: `Signing in as ${to} now needs a code from your authenticator app. Keep your recovery codes in a safe place.\n\n${NOT_YOU}`,
      }
    : {
        to,
        subject: 'Two-factor authentication is off',
        text: `Signing in as ${to} no longer needs a code. Your recovery codes were deleted.\n\n${NOT_YOU}`,
      };
}

export function recoveryCodesMail(to: string): Mail {
  return {
    to,
    subject: 'Your recovery codes were replaced',
    text: `${to} has ten new recovery codes. The earlier ones no longer work.\n\n${NOT_YOU}`,
  };
}

export function recoveryCodeUsedMail(to: string, left: number): Mail {
  return {
    to,
    subject: 'A recovery code was used',
    text: `Someone signed in as ${to} with the password and a recovery code. Unused codes: ${left}.\n\n${NOT_YOU}`,
  };
}

export function passkeyMail(to: string, name: string, isAdded: boolean): Mail {
  return {
    to,
    subject: isAdded ? 'A passkey was added' : 'A passkey was removed',
    text: `The passkey ${limit(name)} ${isAdded ? 'can now sign in as' : 'can no longer sign in as'} ${to}.\n\n${NOT_YOU}`,
  };
}

export function accountDeletedMail(to: string): Mail {
  return {
    to,
    subject: 'Your account was deleted',
    text: `The account ${to} was deleted, with its sessions and access tokens. Data of organizations with other members stays.\n\nIf this was not you, contact the operator of this installation.\n`,
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
    text: `${name === '' ? email : `${limit(name)} (${email})`} invites you to ${organization} as ${invitation.role}. To join with an account for ${to}, open this link:\n\n${invitation.url}\n\nIf you do not want to join, ignore this email.\n`,
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
    // The error may contain values of rows, which anyone may have written.
    text: `${limit(migration.detail, DETAIL_LENGTH_MAX)}\n\nSee what ran and how to continue:\n\n${migration.url}\n\nYou receive this email because you deployed this migration or own the organization. You can turn it off in your account.\n`,
  };
}
