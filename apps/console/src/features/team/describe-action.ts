const SUBJECTS: Readonly<Record<string, string>> = {
  account: 'Account',
  auth: 'Sign-in',
  connection: 'Connection string',
  database: 'Database',
  deploy: 'Deploy',
  invitation: 'Invitation',
  key: 'API key',
  language_model: 'Language model',
  member: 'Member',
  migration: 'Migration',
  organization: 'Organization',
  project: 'Project',
  query: 'Query',
  question: 'Question',
  saved_query: 'Saved query',
  schema: 'Schema',
  server: 'Server',
  session: 'Session',
  share: 'Share link',
  synonym: 'Synonym',
  token: 'Access token',
};

/** Texts for actions whose usual description, made of subject and verb, would read badly. */
const PHRASES: Readonly<Record<string, string>> = {
  'auth.signup': 'Signed up',
  'auth.login': 'Signed in',
  'auth.logout': 'Signed out',
  'auth.refused': 'Sign-in failed',
  'account.two_factor_on': 'Account: two-factor authentication turned on',
  'account.two_factor_off': 'Account: two-factor authentication turned off',
  'account.passkey_add': 'Account: passkey added',
  'account.passkey_remove': 'Account: passkey removed',
  'account.passkey_rename': 'Account: passkey renamed',
  'account.recovery_codes': 'Account: recovery codes replaced',
  'organization.two_factor': 'Organization: two-factor requirement changed',
  'session.revoke_others': 'Signed out other devices',
  'connection.session_ended': 'Connection string: session ended',
  'database.load': 'Database: rows loaded',
  'database.load.cancel': 'Database: loading canceled',
  'database.file.delete': 'Backup: delete',
  'database.export': 'Backup: create',
  'database.download': 'Backup: download',
};

/** The kinds of actions by which the audit log can be filtered. */
export const ACTION_KINDS: readonly { value: string; label: string }[] = [
  'auth',
  'connection',
  'database',
  'invitation',
  'key',
  'member',
  'migration',
  'organization',
  'project',
  'schema',
  'share',
  'token',
].map((value) => ({ value, label: SUBJECTS[value] ?? value }));

/** Describes an action in words, for example `key.create` as `API key: create`. */
export function describeAction(action: string): string {
  const phrase = PHRASES[action];
  if (phrase !== undefined) return phrase;
  const [kind = '', ...rest] = action.split('.');
  const subject = SUBJECTS[kind] ?? kind;
  return rest.length === 0 ? subject : `${subject}: ${rest.join(' ').replaceAll('_', ' ')}`;
}

/**
 * Describes the details of an action, for example `name mobile app, role viewer`. The ids of objects are left
 * out, because they are shown elsewhere.
 */
export function describeDetail(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .filter(([name, value]) => name !== 'database_id' && value !== null && value !== undefined)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${describeValue(value)}`)
    .join(', ');
}

/** Describes the value of a detail. A list becomes `read + write`, and an object becomes `posts: read`. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(describeValue).join(' + ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, member]) => `${name}: ${describeValue(member)}`)
      .join('; ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
