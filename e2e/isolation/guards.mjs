// @ts-check
/**
 * Lists the guards that a test can turn off: where each is in the compiled program, and the code that
 * replaces it. The program itself does not know about them (docs/adr/0019). `guard-mutation.mjs` changes
 * the text of a module while it is loaded, and refuses to start when the text has changed.
 *
 * `from` must occur exactly once in `file`. `DOWN` in `to` is true while the guard is off.
 */

/** @typedef {{ file: string, from: string, to: string }} Change */

/** @param {string} name */
const down = (name) => `globalThis.rowhouseGuards.isDown(${JSON.stringify(name)})`;
/** @param {string} file @param {string} from @param {string} to */
const change = (file, from, to) => ({ file, from, to });

const CONTROL = '/apps/control-plane/dist/';
const GATEWAY = '/apps/gateway/dist/';
const WORKER = '/apps/migration-worker/dist/';

/**
 * Returns a change for code that looks up an object within its parent, such as a key within its project.
 * @param {string} file
 * @param {string} from
 * @param {string} to
 */
const child = (file, from, to) => change(`${CONTROL}modules/${file}`, from, to);

/** @type {Record<string, Change[]>} */
export const GUARDS = {
  // Guards of the control API.
  membership: [
    change(
      `${CONTROL}access/reach-finder.js`,
      'const role = await this.findRole(found.organizationId, accountId);',
      'const role = DOWN ? "owner" : await this.findRole(found.organizationId, accountId);',
    ),
    change(
      `${CONTROL}access/reach-finder.js`,
      'const now = await this.#findMember(organizationId, accountId, manager);',
      'const now = DOWN ? { role, lacksTwoFactor: false } : await this.#findMember(organizationId, accountId, manager);',
    ),
  ],
  role: [
    change(
      `${CONTROL}access/access-check.js`,
      'if (!isRoleAtLeast(reach.role, rule.least))',
      'if (!DOWN && !isRoleAtLeast(reach.role, rule.least))',
    ),
  ],
  operator: [
    change(
      `${CONTROL}access/access-check.js`,
      "if (rule.kind === 'operator' && !caller.account.isOperator)",
      "if (!DOWN && rule.kind === 'operator' && !caller.account.isOperator)",
    ),
  ],
  mask: [
    change(
      `${CONTROL}access/reach-finder.js`,
      'return role === null ? null : { ...found, role };',
      'return role === null ? (DOWN ? { ...found, role: "none" } : null) : { ...found, role };',
    ),
    change(
      `${CONTROL}access/reach-finder.js`,
      'return now !== null && isRoleAtLeast(now.role, role) && !now.lacksTwoFactor;',
      'return DOWN || (now !== null && isRoleAtLeast(now.role, role) && !now.lacksTwoFactor);',
    ),
  ],
  csrf: [
    change(
      `${CONTROL}access/authenticator.js`,
      'if (!SAFE_METHODS.has(req.method))',
      'if (!DOWN && !SAFE_METHODS.has(req.method))',
    ),
  ],
  session: [
    change(
      `${CONTROL}modules/auth/session-service.js`,
      'findOneBy({ tokenHash: this.secrets.hash(token), revokedAt: IsNull() })',
      'findOneBy({ tokenHash: this.secrets.hash(token), ...(DOWN ? {} : { revokedAt: IsNull() }) })',
    ),
  ],
  token: [
    change(
      `${CONTROL}modules/tokens/token-service.js`,
      'findOneBy({ tokenHash: this.secrets.hash(token), revokedAt: IsNull() })',
      'findOneBy({ tokenHash: this.secrets.hash(token), ...(DOWN ? {} : { revokedAt: IsNull() }) })',
    ),
  ],
  'own things': [
    child(
      'auth/session-service.js',
      'update({ id: sessionId, accountId, revokedAt: IsNull() }',
      'update({ id: sessionId, ...(DOWN ? {} : { accountId }), revokedAt: IsNull() }',
    ),
    child(
      'tokens/token-service.js',
      'update({ id, accountId: context.accountId, revokedAt: IsNull() }',
      'update({ id, ...(DOWN ? {} : { accountId: context.accountId }), revokedAt: IsNull() }',
    ),
  ],
  children: [
    child(
      'transfers/transfer-files.js',
      'findOneBy({ id, projectId })',
      'findOneBy(DOWN ? { id } : { id, projectId })',
    ),
    child(
      'shares/share-service.js',
      'findOneBy({ id, projectId: context.project.id })',
      'findOneBy(DOWN ? { id } : { id, projectId: context.project.id })',
    ),
    child(
      'questions/saved-query-service.js',
      'findOneBy({ id, databaseId: context.database.id, cellId: this.db.cellId })',
      'findOneBy(DOWN ? { id } : { id, databaseId: context.database.id, cellId: this.db.cellId })',
    ),
    child(
      'questions/question-service.js',
      'delete({ id: acceptedId, databaseId: context.database.id, cellId: this.db.cellId })',
      'delete(DOWN ? { id: acceptedId } : { id: acceptedId, databaseId: context.database.id, cellId: this.db.cellId })',
    ),
    child(
      'synonyms/synonym-service.js',
      'findOneBy({ id, projectId, cellId: this.db.cellId })',
      'findOneBy(DOWN ? { id } : { id, projectId, cellId: this.db.cellId })',
    ),
    child(
      'synonyms/synonym-service.js',
      'update({ id, projectId }, toColumns(meaning))',
      'update(DOWN ? { id } : { id, projectId }, toColumns(meaning))',
    ),
    child(
      'synonyms/synonym-service.js',
      'delete({ id, projectId })',
      'delete(DOWN ? { id } : { id, projectId })',
    ),
    child(
      'organizations/invitation-service.js',
      'delete({ id, organizationId, acceptedAt: IsNull() })',
      'delete({ id, ...(DOWN ? {} : { organizationId }), acceptedAt: IsNull() })',
    ),
  ],
  invitation: [
    change(
      `${CONTROL}modules/organizations/invitation-service.js`,
      'row.email !== email',
      '(!DOWN && row.email !== email)',
    ),
  ],
  inviter: [
    change(
      `${CONTROL}modules/organizations/invitation-service.js`,
      '!mayInvite(inviter, row.role)',
      '(!DOWN && !mayInvite(inviter, row.role))',
    ),
  ],
  // Guards of calls that delete or move a whole account, organization or project.
  password: [
    child(
      'account/account-service.js',
      'if (!(await isPassword(account.passwordHash, password)))',
      'if (!DOWN && !(await isPassword(account.passwordHash, password)))',
    ),
  ],
  guesses: [
    child(
      'auth/attempt-limiter.js',
      'async countSignIn(address, email) {',
      'async countSignIn(address, email) { if (DOWN) return;',
    ),
  ],
  'typed names': [
    child(
      'account/account-deletion.js',
      'if (body.confirm !== account.email)',
      'if (!DOWN && body.confirm !== account.email)',
    ),
    child(
      'organizations/organization-service.js',
      'if (confirm !== organization.name)',
      'if (!DOWN && confirm !== organization.name)',
    ),
  ],
  'last owner': [
    child('account/account-deletion.js', 'if (held.length > 0)', 'if (!DOWN && held.length > 0)'),
  ],
  'projects inside': [
    child(
      'organizations/organization-service.js',
      'if (projects !== null)',
      'if (!DOWN && projects !== null)',
    ),
  ],
  locks: [
    child(
      'organizations/organization-locks.js',
      "where: { id }, lock: { mode: 'pessimistic_write' }",
      "where: { id }, ...(DOWN ? {} : { lock: { mode: 'pessimistic_write' } })",
    ),
  ],
  'role there': [
    child('projects/project-service.js', 'if (role === null)', 'if (!DOWN && role === null)'),
    child(
      'projects/project-service.js',
      'if (!isRoleAtLeast(role, least))',
      'if (!DOWN && !isRoleAtLeast(role, least))',
    ),
  ],
  'keys of before': [
    child(
      'projects/project-service.js',
      'await this.sessionKeys.endProject(project.id);',
      'if (!DOWN) await this.sessionKeys.endProject(project.id);',
    ),
    child(
      'account/account-deletion.js',
      'await this.sessionKeys.endOthers(account.id, null);',
      'if (!DOWN) await this.sessionKeys.endOthers(account.id, null);',
    ),
  ],
  'late keys': [
    child(
      'keys/session-key-service.js',
      'if (!(await this.reachFinder.isAccessUnchanged(context)))',
      'if (!DOWN && !(await this.reachFinder.isAccessUnchanged(context)))',
    ),
  ],
  trail: [
    child(
      'audit/audit-service.js',
      "where('event.organizationId = :organizationId',",
      "where(DOWN ? '1 = 1' : 'event.organizationId = :organizationId',",
    ),
  ],
  share: [
    change(
      `${CONTROL}modules/shares/share-service.js`,
      'link.revokedAt !== null',
      '(!DOWN && link.revokedAt !== null)',
    ),
  ],
  // Guards of stored objects, and of keys and connections that a removed member created.
  bodies: [
    change(
      '/libs/query-engine/dist/schema-ddl/check-routine-ddl.js',
      "if (object !== 'view')",
      "if (!DOWN && object !== 'view')",
    ),
  ],
  'definer account': [
    change(
      `${WORKER}online-ddl/steps/run-ddl.js`,
      'if (createsStoredObject(sql)) {',
      'if (!DOWN && createsStoredObject(sql)) {',
    ),
  ],
  'functions as their definer': [
    change(
      '/libs/query-engine/dist/schema-ddl/check-routine-ddl.js',
      "object === 'function' ?",
      "object === 'function' && !DOWN ?",
    ),
    change(
      `${WORKER}online-ddl/steps/replace-trigger.js`,
      'withoutInvoker(sql)',
      '(DOWN ? sql : withoutInvoker(sql))',
    ),
  ],
  'routines by deploy': [
    change(
      `${WORKER}tasks/connection-accounts.js`,
      'ROLE_RIGHTS[payload.role]',
      '(DOWN && payload.role === "owner" ? `${ROLE_RIGHTS.owner}, CREATE ROUTINE, ALTER ROUTINE` : ROLE_RIGHTS[payload.role])',
    ),
  ],
  'stopword tables': [
    change(
      `${WORKER}tasks/plan-schema.js`,
      'assertNoStopwordTables(findStopwordTables(',
      'assertNoStopwordTables(DOWN ? [] : findStopwordTables(',
    ),
  ],
  'stopword guard': [
    change(
      `${WORKER}accounts/guard-stopword-tables.js`,
      'if (server.isDedicated ||',
      'if (DOWN || server.isDedicated ||',
    ),
  ],
  'credentials of members': [
    child(
      'organizations/organization-service.js',
      'const revoked = keepsCredentials ?',
      'const revoked = keepsCredentials || DOWN ?',
    ),
  ],
  'adopted objects': [
    change(`${WORKER}tasks/connection-accounts.js`, 'if (!isDropped) {', 'if (!DOWN && !isDropped) {'),
  ],
  // Guards of the data API.
  'key state': [
    change(
      `${GATEWAY}tenant/tenant-directory.js`,
      'found.value.revokedAtMs !== null',
      '(!DOWN && found.value.revokedAtMs !== null)',
    ),
  ],
  'key end': [
    change(
      `${GATEWAY}tenant/tenant-directory.js`,
      'if (key.expiresAtMs !== null &&',
      'if (!DOWN && key.expiresAtMs !== null &&',
    ),
  ],
  rights: [
    change(
      `${GATEWAY}tenant/to-tenant.js`,
      'return nameRights({\n        tables: key.tables,',
      'if (DOWN) return nameRights({ tables: null, verbs: VERB_SCOPES, hiddenColumns: {} });\n    return nameRights({\n        tables: key.tables,',
    ),
  ],
  scope: [
    change(
      `${GATEWAY}tenant/open-tenant.js`,
      'if (tenant.key.scopes.includes(scope))',
      'if (DOWN || tenant.key.scopes.includes(scope))',
    ),
  ],
  origin: [
    change(
      `${GATEWAY}limits/request-admission.js`,
      'if (origin !== undefined && !isAllowed(',
      'if (!DOWN && origin !== undefined && !isAllowed(',
    ),
  ],
  'query guard': [
    change(
      `${GATEWAY}query/read-sql.js`,
      'return guardQuery(sql,',
      'if (DOWN) return { kind: "select", text: sql, sql, runSql: sql, standIns: new Map(), params: [], tables: [] };\n    return guardQuery(sql,',
    ),
  ],
  cursors: [
    change(
      `${GATEWAY}rest/plan-options.js`,
      "hash('sha256', prefix + text,",
      'hash(\'sha256\', DOWN ? "" : prefix + text,',
    ),
  ],
  'signed records': [
    change(
      '/libs/credentials/dist/signed-record.js',
      'if (!timingSafeEqual(',
      'if (!DOWN && !timingSafeEqual(',
    ),
  ],
  documents: [
    change(
      `${GATEWAY}documents/find-published.js`,
      'if (!database.record.settings.docs_enabled)',
      'if (!DOWN && !database.record.settings.docs_enabled)',
    ),
  ],
  'hidden columns of documents': [
    change(
      `${GATEWAY}tenant/to-tenant.js`,
      'return nameRights({\n        tables: null,',
      'if (DOWN) return nameRights({ tables: null, verbs: VERB_SCOPES, hiddenColumns: {} });\n    return nameRights({\n        tables: null,',
    ),
  ],
};

/**
 * Changes that clear each process's cache of tenants when a guard is turned off or on.
 * @type {readonly Change[]}
 */
const FORGETTING = [
  change(
    `${GATEWAY}tenant/tenant-directory.js`,
    'const tenant = tenants.get(keyHash);',
    'if (globalThis.rowhouseGuards.hasTurned(tenants)) { tenants.clear(); databases.clear(); keysByDatabase.clear(); }\n        const tenant = tenants.get(keyHash);',
  ),
];

/**
 * Returns all changes, with `DOWN` replaced by the expression that reads the guard's state.
 * @returns {Change[]}
 */
export function listChanges() {
  return [
    ...FORGETTING,
    ...Object.entries(GUARDS).flatMap(([name, changes]) =>
      changes.map(({ file, from, to }) => ({ file, from, to: to.replaceAll('DOWN', down(name)) })),
    ),
  ];
}
