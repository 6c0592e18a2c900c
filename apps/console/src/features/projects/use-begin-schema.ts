import type { DeployAnswer, ProjectAnswer } from '@rowhouse/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../../data/client/send-request.js';
import { migrationKeys } from '../../data/migrations/keys.js';
import { sortDatabases } from '../../data/projects/queries.js';
import { showFailure } from '../../ui/show-failure.js';
import type { SchemaView } from '../schema/schema-search.js';
import { keepDraft } from '../schema/use-kept-draft.js';
import type { BeginningWish } from './beginnings.js';

type NewProject = Pick<ProjectAnswer, 'id' | 'databases'>;

/** Gives a new project its first tables as was wished. Answers the view of the schema room where the rest is done: words are looked at as SQL first, SQL that was refused is mended there. Null: there is nothing left to do. */
export function useBeginSchema(): (project: NewProject, wish: BeginningWish) => Promise<SchemaView | null> {
  const queryClient = useQueryClient();
  return async (project, { kind, text }) => {
    if (text.trim() === '' || (kind !== 'sql' && kind !== 'words')) return null;
    if (kind === 'words') {
      keepDraft(`${project.id}-words`, text);
      return 'words';
    }
    const [first] = sortDatabases(project.databases);
    try {
      const { migrations } = await sendRequest<DeployAnswer>('POST', `/api/projects/${project.id}/deploy`, { sql: text, ...(first ? { targets: [{ database: first.id }] } : {}) });
      for (const migration of migrations) queryClient.setQueryData(migrationKeys.one(migration.id), migration);
      return null;
    } catch (error) {
      keepDraft(`${project.id}-statements`, text);
      showFailure('The project is there, its tables are not yet', error);
      return 'sql';
    }
  };
}
