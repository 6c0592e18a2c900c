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

/** The past tense of the verbs that action names end with. */
const PAST: Readonly<Record<string, string>> = {
  accept: 'accepted',
  cancel: 'canceled',
  change: 'changed',
  clone: 'copied',
  create: 'created',
  delete: 'deleted',
  forget: 'deleted',
  import: 'imported',
  judge: 'rated',
  move: 'moved',
  purge: 'purged',
  register: 'registered',
  remove: 'removed',
  rename: 'renamed',
  restore: 'restored',
  retry: 'retried',
  revert: 'reverted',
  revoke: 'revoked',
  rotate: 'rotated',
  set: 'saved',
  test: 'tested',
  update: 'updated',
  verify: 'verified',
  withdraw: 'revoked',
};

/** Texts for actions whose usual description, made of subject and verb, would read badly. */
const PHRASES: Readonly<Record<string, string>> = {
  'auth.signup': 'Signed up',
  'auth.login': 'Signed in',
  'auth.logout': 'Signed out',
  'auth.refused': 'Sign-in failed',
  'auth.password_change': 'Password changed',
  'auth.password_forgotten': 'Password reset requested',
  'auth.password_reset': 'Password reset',
  'account.verify': 'Email verified',
  'account.two_factor_on': 'Two-factor authentication turned on',
  'account.two_factor_off': 'Two-factor authentication turned off',
  'account.passkey_add': 'Passkey added',
  'account.passkey_remove': 'Passkey removed',
  'account.passkey_rename': 'Passkey renamed',
  'account.recovery_codes': 'Recovery codes replaced',
  'organization.two_factor': 'Two-factor requirement changed',
  'session.revoke': 'Device signed out',
  'session.revoke_others': 'Other devices signed out',
  'connection.session_ended': 'Connection string session ended',
  'database.load': 'Rows imported',
  'database.load.cancel': 'Import canceled',
  'database.file.delete': 'Backup deleted',
  'database.export': 'Backup created',
  'database.download': 'Backup downloaded',
  'database.restore': 'Backup restored',
  'database.seed': 'Sample rows added',
  'database.settings': 'Database settings changed',
  'database.plan': 'Plan changed',
  'database.move_cancel': 'Database move canceled',
  'project.credentials_revoke': 'Project credentials revoked',
  'migration.purge': 'Dropped data deleted',
  'schema.propose': 'Schema change proposed',
  'schema.take': 'Direct changes added to the draft',
  deploy: 'Deployed',
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

/** Describes an action in words, for example `key.create` as `API key created`. */
export function describeAction(action: string): string {
  const phrase = PHRASES[action];
  if (phrase !== undefined) return phrase;
  const [kind = '', ...rest] = action.split('.');
  const subject = SUBJECTS[kind] ?? kind;
  const [verb = ''] = rest;
  const past = rest.length === 1 ? PAST[verb] : undefined;
  if (past !== undefined) return `${subject} ${past}`;
  return rest.length === 0 ? subject : `${subject}: ${rest.join(' ').replaceAll('_', ' ')}`;
}

/**
 * Describes the details of an action, for example `name: mobile app · role: viewer`. The ids of objects are
 * left out, because they are shown elsewhere.
 */
export function describeDetail(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .filter(([name, value]) => name !== 'database_id' && value !== null && value !== undefined)
    .flatMap(([name, value]) => {
      if (name === 'accept_loss') return value === true ? ['data loss confirmed'] : [];
      return [`${name.replaceAll('_', ' ')}: ${describeValue(value)}`];
    })
    .join(' · ');
}

/** Describes the value of a detail. A list becomes `read, write`, and an object becomes `posts (read)`. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(describeValue).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, member]) => `${name.replaceAll('_', ' ')} (${describeValue(member)})`)
      .join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
