import type {
  DeployResponse,
  MigrationResponse,
  MigrationState,
  ProjectResponse,
  SeedResponse,
} from '@rowhouse/contracts';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { sendRequest } from '../../data/client/send-request.js';
import { hasEnded, migrationQuery } from '../../data/migrations/queries.js';
import { projectQuery, sortDatabases } from '../../data/projects/queries.js';
import { showFailure } from '../../ui/notices/show-failure.js';
import type { SchemaView } from '../schema/schema-search.js';
import { keepDraft } from '../schema/editor/use-persisted-draft.js';
import type { StarterInput } from './beginnings.js';

/** A new project. `migrations` are those that still deploy its starter. */
type NewProject = Pick<ProjectResponse, 'id' | 'databases'> & {
  readonly migrations?: readonly Pick<MigrationResponse, 'id' | 'database'>[] | undefined;
};

/**
 * The maximum time that the form waits for the deploy. A deploy that takes longer is shown on the overview
 * page.
 */
const WAITED_MS = 15_000;
const ASKED_EVERY_MS = 400;

/**
 * Creates the first tables of a new project from the form's input, and the sample rows of a ready-made schema.
 * Returns the view of the schema page on which work remains, or null if none does. SQL generated from a description must be reviewed on that page,
 * and rejected SQL can be fixed there.
 */
export function useBeginSchema(): (project: NewProject, input: StarterInput) => Promise<SchemaView | null> {
  const queryClient = useQueryClient();
  return async (project, { kind, text }) => {
    if (kind === 'blog' || kind === 'shop') {
      await insertStarterRows(queryClient, project, kind).catch((error: unknown) =>
        showFailure('Your project is ready, but its sample rows couldn’t be added', error),
      );
      return null;
    }
    if (text.trim() === '' || (kind !== 'sql' && kind !== 'describe')) return null;
    if (kind === 'describe') {
      keepDraft(`${project.id}-words`, text);
      return 'describe';
    }
    try {
      return await deployFirst(queryClient, project, text);
    } catch (error) {
      keepDraft(`${project.id}-statements`, text);
      showFailure('Your project is ready, but its tables couldn’t be created', error);
      return 'sql';
    }
  };
}

/**
 * Deploys the schema to the project's first database and waits, so that the page that opens next already
 * shows the tables.
 */
async function deployFirst(
  queryClient: QueryClient,
  project: NewProject,
  sql: string,
): Promise<SchemaView | null> {
  const [first] = sortDatabases(project.databases);
  const { migrations } = await sendRequest<DeployResponse>('POST', `/api/projects/${project.id}/deploy`, {
    sql,
    ...(first ? { targets: [{ database: first.id }] } : {}),
  });
  const [migration] = migrations;
  // An error is ignored here. The migration continues even if its state cannot be read.
  const state =
    migration === undefined
      ? 'published'
      : await waitUntilEnded(queryClient, migration.id).catch((): MigrationState => 'queued');
  await queryClient.prefetchQuery({ ...projectQuery(project.id), staleTime: 0 });
  return hasEnded(state) && state !== 'published' ? 'deploy' : null;
}

/** Waits for the starter and inserts its sample rows into the first database. */
async function insertStarterRows(
  queryClient: QueryClient,
  project: NewProject,
  starter: 'blog' | 'shop',
): Promise<void> {
  const [first] = sortDatabases(project.databases);
  if (first === undefined) return;
  const migration = project.migrations?.find(({ database }) => database === first.id);
  if (migration !== undefined) await waitUntilEnded(queryClient, migration.id);
  await sendRequest<SeedResponse>('POST', `/api/databases/${first.id}/seed`, { starter });
}

async function waitUntilEnded(queryClient: QueryClient, migrationId: string): Promise<MigrationState> {
  for (let waitedMs = 0; ; waitedMs += ASKED_EVERY_MS) {
    const { state } = await queryClient.fetchQuery(migrationQuery(migrationId));
    if (hasEnded(state) || waitedMs >= WAITED_MS) return state;
    await new Promise((resolve) => setTimeout(resolve, ASKED_EVERY_MS));
  }
}
