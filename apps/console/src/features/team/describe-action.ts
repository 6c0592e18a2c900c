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

/** Actions that read badly as subject and verb. */
const PHRASES: Readonly<Record<string, string>> = {
  'auth.signup': 'Signed up',
  'auth.login': 'Signed in',
  'auth.logout': 'Signed out',
  'auth.refused': 'Sign-in failed',
  'connection.session_ended': 'Connection string: session ended',
  'database.load': 'Database: rows loaded',
  'database.load.cancel': 'Database: loading canceled',
  'database.file.delete': 'Backup: delete',
  'database.export': 'Backup: create',
  'database.download': 'Backup: download',
};

/** The kinds of actions that the audit log can be filtered by. */
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

/** Describes `key.create` as `API key: create`. */
export function describeAction(action: string): string {
  const phrase = PHRASES[action];
  if (phrase !== undefined) return phrase;
  const [kind = '', ...rest] = action.split('.');
  const subject = SUBJECTS[kind] ?? kind;
  return rest.length === 0 ? subject : `${subject}: ${rest.join(' ').replaceAll('_', ' ')}`;
}

/**
 * Describes the readable details of an action, such as `name mobile app, role viewer`. Leaves out the ids of
 * objects that are shown elsewhere.
 */
export function describeDetail(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .filter(([name, value]) => name !== 'database_id' && value !== null && value !== undefined)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${describeValue(value)}`)
    .join(', ');
}

/** Describes lists as `read + write`, and objects as `posts: read`. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(describeValue).join(' + ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, member]) => `${name}: ${describeValue(member)}`)
      .join('; ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
