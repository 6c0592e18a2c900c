import { createRoute } from '@tanstack/react-router';
import { readApiSearch } from './features/api-docs/api-search.js';
import { readConnectSearch } from './features/connect/connect-search.js';
import { readDataSearch } from './features/rows/data-search.js';
import { readSchemaSearch } from './features/schema/schema-search.js';
import { readCodeSearch } from './features/code/code-search.js';
import { readLogSearch } from './features/logs/log-search.js';
import { readSettingsSearch } from './features/settings/settings-search.js';
import { readTeamSearch } from './features/team/team-search.js';
import { isUsageSpan, type UsageSpan } from './features/usage/usage-spans.js';
import { readCreate, page } from './frame-routes.js';
import { lazyScreen } from './lazy-screen.js';

const overview = createRoute({
  getParentRoute: () => page,
  path: '/',
  component: lazyScreen(() => import('./routes/project/overview.js'), 'OverviewScreen'),
});
const schema = createRoute({
  getParentRoute: () => page,
  path: '/schema',
  validateSearch: readSchemaSearch,
  component: lazyScreen(() => import('./routes/project/schema.js'), 'SchemaScreen'),
});
const migrations = createRoute({
  getParentRoute: () => page,
  path: '/migrations',
  validateSearch: (search): { of?: 'all' } => (search['of'] === 'all' ? { of: 'all' } : {}),
  component: lazyScreen(() => import('./routes/project/migrations.js'), 'MigrationsScreen'),
});
const migration = createRoute({
  getParentRoute: () => page,
  path: '/migrations/$migrationId',
  component: lazyScreen(() => import('./routes/project/migration.js'), 'MigrationScreen'),
});
const keys = createRoute({
  getParentRoute: () => page,
  path: '/keys',
  validateSearch: readCreate,
  component: lazyScreen(() => import('./routes/project/keys.js'), 'KeysScreen'),
});
const connect = createRoute({
  getParentRoute: () => page,
  path: '/connect',
  validateSearch: readConnectSearch,
  component: lazyScreen(() => import('./routes/project/connect.js'), 'ConnectScreen'),
});
const api = createRoute({
  getParentRoute: () => page,
  path: '/api',
  validateSearch: readApiSearch,
  component: lazyScreen(() => import('./routes/project/api.js'), 'ApiScreen'),
});
const apiTable = createRoute({
  getParentRoute: () => page,
  path: '/api/$table',
  validateSearch: readApiSearch,
  component: lazyScreen(() => import('./routes/project/api.js'), 'ApiScreen'),
});
const data = createRoute({
  getParentRoute: () => page,
  path: '/data',
  component: lazyScreen(() => import('./routes/project/data.js'), 'DataScreen'),
});
const dataTable = createRoute({
  getParentRoute: () => page,
  path: '/data/$table',
  validateSearch: readDataSearch,
  component: lazyScreen(() => import('./routes/project/data.js'), 'DataScreen'),
});
const query = createRoute({
  getParentRoute: () => page,
  path: '/query',
  validateSearch: (search): { saved?: string } =>
    typeof search['saved'] === 'string' ? { saved: search['saved'] } : {},
  component: lazyScreen(() => import('./routes/project/query.js'), 'QueryScreen'),
});
const backups = createRoute({
  getParentRoute: () => page,
  path: '/backups',
  component: lazyScreen(() => import('./routes/project/backups.js'), 'BackupsScreen'),
});
const synonyms = createRoute({
  getParentRoute: () => page,
  path: '/synonyms',
  component: lazyScreen(() => import('./routes/project/synonyms.js'), 'SynonymsScreen'),
});
const settings = createRoute({
  getParentRoute: () => page,
  path: '/settings',
  validateSearch: readSettingsSearch,
  component: lazyScreen(() => import('./routes/project/settings.js'), 'SettingsScreen'),
});
const code = createRoute({
  getParentRoute: () => page,
  path: '/code',
  validateSearch: readCodeSearch,
  component: lazyScreen(() => import('./routes/project/code.js'), 'CodeScreen'),
});
const logs = createRoute({
  getParentRoute: () => page,
  path: '/logs',
  validateSearch: readLogSearch,
  component: lazyScreen(() => import('./routes/project/logs.js'), 'LogsScreen'),
});
const usage = createRoute({
  getParentRoute: () => page,
  path: '/usage',
  validateSearch: (search): { span?: UsageSpan; by?: 'key' | 'table' } => ({
    ...(isUsageSpan(search['span']) ? { span: search['span'] } : {}),
    ...(search['by'] === 'key' || search['by'] === 'table' ? { by: search['by'] } : {}),
  }),
  component: lazyScreen(() => import('./routes/project/usage.js'), 'UsageScreen'),
});
const team = createRoute({
  getParentRoute: () => page,
  path: '/team',
  validateSearch: readTeamSearch,
  component: lazyScreen(() => import('./routes/project/team.js'), 'TeamScreen'),
});

/**
 * The pages of a project, one per line. Filters, tabs and open dialogs are search parameters, so that URLs
 * can be shared.
 */
export const PAGE_ROUTES = [
  overview,
  data,
  dataTable,
  query,
  backups,
  synonyms,
  schema,
  migrations,
  migration,
  connect,
  keys,
  api,
  apiTable,
  code,
  logs,
  usage,
  team,
  settings,
] as const;
