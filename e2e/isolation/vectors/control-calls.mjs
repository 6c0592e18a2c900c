// @ts-check
/**
 * Lists every call of the control API that names something of an organization, with the lowest role that may
 * make it and a valid body. `{…}` is filled with the victim's ids. Calls that delete something get a new
 * object to delete.
 */

/** @typedef {{ id: string, least: 'viewer' | 'developer' | 'admin' | 'owner', method: string, path: string, body?: unknown }} ControlCall */

/**
 * @param {string} id
 * @param {ControlCall['least']} least
 * @param {string} line `METHOD /path`
 * @param {unknown} [body]
 * @returns {ControlCall}
 */
function call(id, least, line, body) {
  const index = line.indexOf(' ');
  return {
    id,
    least,
    method: line.slice(0, index),
    path: line.slice(index + 1),
    ...(body === undefined ? {} : { body }),
  };
}

export const LATER = '2031-01-01T00:00:00Z';

/** @type {readonly ControlCall[]} */
export const READS = [
  call('getSchema', 'viewer', 'GET /api/projects/{project}/schema'),
  call('getProject', 'viewer', 'GET /api/projects/{project}'),
  call('listMigrations', 'viewer', 'GET /api/projects/{project}/migrations'),
  call('diffSchema', 'viewer', 'GET /api/projects/{project}/diff?database={database}'),
  call('findDrift', 'viewer', 'GET /api/projects/{project}/drift'),
  call('listDatabases', 'viewer', 'GET /api/projects/{project}/databases'),
  call('listFiles', 'viewer', 'GET /api/projects/{project}/files'),
  call('getFile', 'viewer', 'GET /api/projects/{project}/files/{file}'),
  call('downloadFile', 'developer', 'GET /api/projects/{project}/files/{file}/download'),
  call('listShares', 'viewer', 'GET /api/projects/{project}/shares'),
  call('listSynonyms', 'viewer', 'GET /api/projects/{project}/synonyms'),
  call('getLanguageModel', 'viewer', 'GET /api/projects/{project}/language-model'),
  call('listProjectAudit', 'admin', 'GET /api/projects/{project}/audit'),
  call('getDatabase', 'viewer', 'GET /api/databases/{database}'),
  call('getDeployedSchema', 'viewer', 'GET /api/databases/{database}/schema'),
  call('listSnapshots', 'viewer', 'GET /api/databases/{database}/snapshots'),
  call('getValueIndex', 'viewer', 'GET /api/databases/{database}/value-index'),
  call('listKeys', 'viewer', 'GET /api/databases/{database}/keys'),
  call('listConnections', 'viewer', 'GET /api/databases/{database}/connections'),
  call('listDatabaseMigrations', 'viewer', 'GET /api/databases/{database}/migrations'),
  call('exportMigrations', 'viewer', 'GET /api/databases/{database}/migrations/export'),
  call('listKept', 'viewer', 'GET /api/databases/{database}/kept'),
  call('showQueue', 'viewer', 'GET /api/databases/{database}/queue'),
  call('listUsage', 'viewer', 'GET /api/databases/{database}/usage'),
  call('listRequests', 'developer', 'GET /api/databases/{database}/requests'),
  call('getInsights', 'developer', 'GET /api/databases/{database}/insights'),
  call('getPythonCode', 'viewer', 'GET /api/databases/{database}/code/python'),
  call('getTypeScriptCode', 'viewer', 'GET /api/databases/{database}/code/typescript'),
  call('listQuestions', 'viewer', 'GET /api/databases/{database}/questions'),
  call('listAcceptedQuestions', 'viewer', 'GET /api/databases/{database}/accepted-questions'),
  call('listModelUsage', 'viewer', 'GET /api/databases/{database}/model-usage'),
  call('listSavedQueries', 'viewer', 'GET /api/databases/{database}/saved-queries'),
  call('listLoads', 'viewer', 'GET /api/databases/{database}/loads'),
  call('listDatabaseAudit', 'admin', 'GET /api/databases/{database}/audit'),
  call('getMigration', 'viewer', 'GET /api/migrations/{migration}'),
  call('listMigrationSteps', 'viewer', 'GET /api/migrations/{migration}/steps'),
  call('previewRevert', 'viewer', 'GET /api/migrations/{migration}/revert'),
  call('getOrganization', 'viewer', 'GET /api/organizations/{organization}'),
  call('listMembers', 'viewer', 'GET /api/organizations/{organization}/members'),
  call('listInvitations', 'admin', 'GET /api/organizations/{organization}/invitations'),
  call('listOrganizationAudit', 'admin', 'GET /api/organizations/{organization}/audit'),
];

/**
 * Calls that change something and can be repeated.
 * @type {readonly ControlCall[]}
 */
export const WRITES = [
  call('putSchema', 'developer', 'PUT /api/projects/{project}/schema', {
    sql: 'CREATE TABLE extra (id INT PRIMARY KEY);',
    mode: 'apply',
  }),
  call('editSchema', 'developer', 'POST /api/projects/{project}/schema/edits', { edits: [] }),
  call('proposeSchema', 'developer', 'POST /api/projects/{project}/schema/requests', {
    request: 'add a column nickname to users',
  }),
  call(
    'importDump',
    'developer',
    'POST /api/projects/{project}/schema/import',
    'CREATE TABLE brought (id INT PRIMARY KEY);',
  ),
  call('promoteSchema', 'developer', 'POST /api/projects/{project}/promote', {}),
  call('deploySchema', 'developer', 'POST /api/projects/{project}/deploy', {
    targets: [{ database: '{database}' }],
  }),
  call('createDatabase', 'developer', 'POST /api/projects/{project}/databases', { environment: 'e{unique}' }),
  call('createSynonym', 'developer', 'POST /api/projects/{project}/synonyms', {
    phrase: 'folk{unique}',
    table: 'users',
  }),
  call('updateSynonym', 'developer', 'PATCH /api/projects/{project}/synonyms/{synonym}', {
    phrase: 'crowd{unique}',
  }),
  call('shareProject', 'admin', 'POST /api/projects/{project}/share', {}),
  call('renameProject', 'admin', 'PATCH /api/projects/{project}', { name: 'Renamed' }),
  call('updateDatabase', 'developer', 'PATCH /api/databases/{database}', {
    settings: { require_limit: false },
  }),
  call('createKey', 'developer', 'POST /api/databases/{database}/keys', { name: 'stolen' }),
  call('mintSessionKey', 'viewer', 'POST /api/databases/{database}/session-key'),
  call('createConnection', 'developer', 'POST /api/databases/{database}/connections', {
    name: 'stolen',
    role: 'owner',
  }),
  call('exportDatabase', 'developer', 'POST /api/databases/{database}/export', {}),
  call('acceptQuestion', 'developer', 'POST /api/databases/{database}/accepted-questions', {
    question: 'how many users {unique}',
    sql: 'SELECT COUNT(*) FROM users',
  }),
  call('createSavedQuery', 'developer', 'POST /api/databases/{database}/saved-queries', {
    name: 'q{unique}',
    query: 'SELECT 1',
  }),
  call('updateSavedQuery', 'developer', 'PATCH /api/databases/{database}/saved-queries/{query}', {
    name: 'r{unique}',
  }),
  call('rotateKey', 'developer', 'POST /api/keys/{fresh key}/rotate', {}),
  call('rotateConnection', 'developer', 'POST /api/connections/{connection}/rotate', {}),
  call('testConnection', 'developer', 'POST /api/connections/{connection}/test', { password: 'guessed' }),
  call('renameOrganization', 'admin', 'PATCH /api/organizations/{organization}', { name: 'Renamed' }),
  call('createInvitation', 'admin', 'POST /api/organizations/{organization}/invitations', {
    email: 'mallory{unique}@example.test',
    role: 'viewer',
  }),
];

/**
 * Calls that delete something. Each gets a new object.
 * @type {readonly ControlCall[]}
 */
export const ENDS = [
  call('revokeKey', 'developer', 'DELETE /api/keys/{fresh key}'),
  call('revokeConnection', 'developer', 'DELETE /api/connections/{fresh connection}'),
  call('deleteSynonym', 'developer', 'DELETE /api/projects/{project}/synonyms/{fresh synonym}'),
  call('deleteSavedQuery', 'developer', 'DELETE /api/databases/{database}/saved-queries/{fresh query}'),
  call(
    'forgetAcceptedQuestion',
    'developer',
    'DELETE /api/databases/{database}/accepted-questions/{fresh accepted}',
  ),
  call('revokeShare', 'admin', 'DELETE /api/projects/{project}/shares/{fresh share}'),
  call('deleteFile', 'developer', 'DELETE /api/projects/{project}/files/{fresh file}'),
  call(
    'withdrawInvitation',
    'admin',
    'DELETE /api/organizations/{organization}/invitations/{fresh invitation}',
  ),
];

/**
 * Calls of operators.
 * @type {readonly ControlCall[]}
 */
export const OPERATORS = [
  call('listServers', 'owner', 'GET /api/admin/servers'),
  call('getServer', 'owner', 'GET /api/admin/servers/{server}'),
  call('updateServer', 'owner', 'PATCH /api/admin/servers/{server}', { databases_max: 5_000 }),
  call('probeServer', 'owner', 'POST /api/admin/servers/{server}/probe'),
  call('getDatabasePlan', 'owner', 'GET /api/admin/databases/{database}'),
  call('getQueueBoardPart', 'owner', 'GET /api/admin/queues/api/queues'),
  call('assignPlan', 'owner', 'PATCH /api/admin/databases/{database}', { plan: 'standard' }),
];

/**
 * Calls that name a child of the victim's below a parent of the attacker's own.
 * @type {readonly ControlCall[]}
 */
export const CHILDREN = [
  call('getFile', 'viewer', 'GET /api/projects/{own project}/files/{file}'),
  call('downloadFile', 'developer', 'GET /api/projects/{own project}/files/{file}/download'),
  call('deleteFile', 'developer', 'DELETE /api/projects/{own project}/files/{fresh file}'),
  call('restoreDatabase', 'developer', 'POST /api/databases/{own database}/restore', {
    file: '{file}',
    environment: 'r{unique}',
  }),
  call('revokeShare', 'admin', 'DELETE /api/projects/{own project}/shares/{fresh share}'),
  call('updateSynonym', 'developer', 'PATCH /api/projects/{own project}/synonyms/{synonym}', {
    phrase: 'crowd{unique}',
  }),
  call('deleteSynonym', 'developer', 'DELETE /api/projects/{own project}/synonyms/{fresh synonym}'),
  call('updateSavedQuery', 'developer', 'PATCH /api/databases/{own database}/saved-queries/{query}', {
    name: 's{unique}',
  }),
  call('deleteSavedQuery', 'developer', 'DELETE /api/databases/{own database}/saved-queries/{fresh query}'),
  call(
    'forgetAcceptedQuestion',
    'developer',
    'DELETE /api/databases/{own database}/accepted-questions/{fresh accepted}',
  ),
  call(
    'withdrawInvitation',
    'admin',
    'DELETE /api/organizations/{own organization}/invitations/{fresh invitation}',
  ),
];
