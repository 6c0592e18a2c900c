/**
 * Defines which modules may import each other. Paths are relative to the root. A package is matched by its
 * sources or its `dist`.
 */

export const PURE = [
  'errors',
  'schema-model',
  'contracts',
  'rest-engine',
  'query-engine',
  'nl-engine',
  'ddl-plan',
  'sample-rows',
  'sql-files',
  'emitters',
];
const PLANNERS = ['rest-engine', 'query-engine', 'nl-engine', 'ddl-plan', 'sample-rows'];
const NODE_LIBRARIES = [
  'credentials',
  'runtime',
  'admission',
  'mysql',
  'snapshot-store',
  'platform-store',
  'queue',
  'language-model',
  'mcp',
];

/** The packages of the workspace that each library may import, besides itself. */
const ALLOWED = {
  errors: [],
  'schema-model': ['errors'],
  // contracts imports only types of ddl-plan, because a stored plan contains the planner's steps.
  contracts: ['errors', 'schema-model', 'ddl-plan'],
  ...Object.fromEntries(PLANNERS.map((name) => [name, ['errors', 'schema-model']])),
  // sql-files checks the exported text with the lexer of query-engine.
  'sql-files': ['errors', 'schema-model', 'query-engine', 'ddl-plan'],
  emitters: ['errors', 'schema-model', 'contracts'],
  runtime: PURE,
  admission: [...PURE, 'runtime'],
  credentials: [...PURE, 'runtime'],
  mysql: ['errors', 'schema-model', 'contracts', 'runtime', 'admission'],
  'snapshot-store': [...PURE, 'runtime'],
  queue: [...PURE, 'runtime'],
  'language-model': [...PURE, 'runtime'],
  'platform-store': [...PURE, 'runtime', 'mysql'],
  mcp: ['errors'],
};

const TEST_FILES = '\\.(test|e2e)\\.(ts|tsx|mjs)$|/src/testing/|^(apps|libs)/[^/]+/test/';
/**
 * Recursive-descent parsers with one grammar rule per file. Their files may import each other in cycles,
 * because values contain values and conditions contain conditions.
 */
const GRAMMARS = '^libs/query-engine/src/guard/read-|^libs/nl-engine/src/grammar/';
const anyOf = (/** @type {readonly string[]} */ names) => `(${names.join('|')})`;
const packagePath = (/** @type {string} */ name) => `(^|/)node_modules/${name}/`;

/** The stages of a request in libs/rest-engine, in order. A stage imports itself and earlier ones. */
const STAGES = ['request', 'values', 'plan', 'import', 'sql', 'response'];
const stages = STAGES.slice(0, -1).map((name, index) => ({
  name: `stage-${name}`,
  comment: `libs/rest-engine/src/${name} imports no later stage: ${STAGES.slice(index + 1).join(', ')}`,
  severity: 'error',
  from: { path: `^libs/rest-engine/src/${name}/`, pathNot: TEST_FILES },
  to: { path: `^libs/rest-engine/src/${anyOf(STAGES.slice(index + 1))}/` },
}));

const arrows = Object.entries(ALLOWED).map(([name, allowed]) => ({
  name: `arrow-${name}`,
  comment: `libs/${name} may import ${allowed.length === 0 ? 'no other package of the workspace' : allowed.join(', ')}`,
  severity: 'error',
  from: { path: `^libs/${name}/`, pathNot: TEST_FILES },
  to: {
    path: '^(libs|apps|infra|e2e|bench)/',
    pathNot: `^libs/${anyOf([name, ...allowed])}/(src|dist|package\\.json)`,
  },
}));

/** @param {string} name @param {string} comment @param {string} target @param {string} homes */
const onlyIn = (name, comment, target, homes) => ({
  name,
  comment,
  severity: 'error',
  from: { path: '^(apps|libs|infra)/', pathNot: `${homes}|${TEST_FILES}` },
  to: { path: target },
});

export const forbidden = [
  ...arrows,
  ...stages,
  {
    name: 'app-to-app',
    comment: 'apps never import apps',
    severity: 'error',
    from: { path: '^apps/([^/]+)/' },
    to: { path: '^apps/([^/]+)/', pathNot: '^apps/$1/' },
  },
  {
    name: 'ships-no-test-code',
    comment: 'the testkit, e2e and bench are for tests only',
    severity: 'error',
    from: { path: '^(apps|libs)/', pathNot: `^libs/testkit/|${TEST_FILES}` },
    to: { path: '^(libs/testkit|infra|e2e|bench)/' },
  },
  {
    name: 'worker-tasks',
    comment: 'only the job loop imports the tasks of the worker; what others share is in a folder below them',
    severity: 'error',
    from: { path: '^apps/migration-worker/src/(?!(jobs|tasks|testing)/)', pathNot: TEST_FILES },
    to: { path: '^apps/migration-worker/src/tasks/' },
  },
  {
    name: 'worker-maintenance',
    comment: 'jobs of the worker do not import its periodic work',
    severity: 'error',
    from: {
      path: '^apps/migration-worker/src/(accounts|jobs|move|online-ddl|scratch|servers|snapshots|tasks|transfer)/',
      pathNot: TEST_FILES,
    },
    to: { path: '^apps/migration-worker/src/maintenance/' },
  },
  {
    name: 'worker-migrations',
    comment: 'tasks and moves do not depend on the run of a migration',
    severity: 'error',
    from: { path: '^apps/migration-worker/src/(move|tasks|transfer)/', pathNot: TEST_FILES },
    to: { path: '^apps/migration-worker/src/online-ddl/(run-|open-run|publish-run)' },
  },
  {
    name: 'launcher-without-build',
    comment: 'the build runs in a process that ends, so that the launcher does not keep its memory',
    severity: 'error',
    from: { path: '^infra/local/product/' },
    to: { path: '^infra/local/(build\\.mjs|build/bundle\\.mjs)$' },
  },
  {
    name: 'launcher-without-test-servers',
    comment: 'what only tests start is not part of the launcher',
    severity: 'error',
    from: { path: '^infra/local/', pathNot: TEST_FILES },
    to: { path: '^infra/test-servers/' },
  },
  {
    name: 'console-is-a-browser',
    comment: 'the console imports pure libraries only',
    severity: 'error',
    from: { path: '^apps/console/src/' },
    to: { path: `^libs/${anyOf(NODE_LIBRARIES)}/` },
  },
  {
    name: 'pure-library-no-node',
    comment: 'a pure library does no I/O: what it needs comes in as an argument',
    severity: 'error',
    from: { path: `^libs/${anyOf(PURE)}/src/`, pathNot: TEST_FILES },
    to: { dependencyTypes: ['core'] },
  },
  onlyIn(
    'mysql2-home',
    'mysql2 is imported by libs/mysql and the launcher only (TypeORM is handed it in one file)',
    packagePath('mysql2'),
    '^libs/mysql/|^infra/local/|^apps/control-plane/src/platform-db/data-sources\\.ts$',
  ),
  onlyIn(
    'typeorm-home',
    'TypeORM stays in the control plane',
    packagePath('(typeorm|@nestjs/typeorm)'),
    '^apps/control-plane/',
  ),
  onlyIn(
    'bullmq-home',
    'BullMQ is imported by libs/queue only',
    packagePath('(bullmq|@nestjs/bullmq)'),
    '^libs/queue/',
  ),
  onlyIn(
    'mcp-home',
    'the protocol package is imported by libs/mcp only',
    packagePath('@modelcontextprotocol'),
    '^libs/mcp/',
  ),
  onlyIn(
    'nest-home',
    'Nest stays in the shells of the apps',
    packagePath('@nestjs'),
    '^apps/(control-plane|gateway)/',
  ),
  onlyIn(
    'openai-home',
    'the language model is spoken to in one library',
    packagePath('openai'),
    '^libs/language-model/',
  ),
  {
    name: 'no-cycle',
    comment:
      'no module imports itself by a detour, not even for types; only the rules of a grammar call each other',
    severity: 'error',
    from: { path: '^(apps|libs|infra)/', pathNot: GRAMMARS },
    to: { circular: true },
  },
  {
    name: 'resolvable',
    comment: 'every import leads somewhere that package.json names',
    severity: 'error',
    from: { path: '^(apps|libs|infra)/', pathNot: '^apps/console/' },
    to: { couldNotResolve: true },
  },
];
