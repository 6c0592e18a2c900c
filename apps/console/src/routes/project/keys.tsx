import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { keysQuery } from '../../data/keys/queries.js';
import { membersQuery } from '../../data/team/queries.js';
import { KeyList } from '../../features/keys/key-list.js';
import { useCurrentDatabase, useMay } from '../../features/shell/current-database.js';
import { RoleNote } from '../../features/shell/role-note.js';
import { headingOf } from '../../first/page-headings.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { lazyDialog } from '../../ui/dialogs/lazy-dialog.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { AwaitedRows } from '../../ui/loading/skeleton.js';

const CreateKeyDialog = lazyDialog(() =>
  import('../../features/keys/create-key-dialog.js').then((module) => module.CreateKeyDialog),
);

const route = getRouteApi('/signed-in/projects/$projectId/$environment/keys');

export function KeysScreen() {
  const { project, database } = useCurrentDatabase();
  const mayChange = useMay(project, 'developer');
  const members = useQuery(membersQuery(project.organization_id)).data ?? [];
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const keys = useQuery(keysQuery(database.id));
  const setCreating = (isOpen: boolean): void =>
    void navigate({ search: isOpen ? { create: true } : {}, replace: !isOpen });
  const newButton = !mayChange ? undefined : (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      New key
    </Button>
  );
  return (
    <Page {...headingOf('keys', database.environment)} actions={newButton}>
      <RoleNote project={project} least="developer" toDo="create, rotate or revoke keys" />
      {keys.isPending ? <AwaitedRows rows={4} /> : null}
      <QueryErrorNotice title="Couldn’t load API keys" query={keys} />
      {keys.data?.length === 0 ? (
        <EmptyState title="No keys yet" action={newButton}>
          Create a key to call the {database.environment} API.
        </EmptyState>
      ) : null}
      {keys.data && keys.data.length > 0 ? (
        <Later instead={<AwaitedRows rows={4} />}>
          <Panel flush label="Keys">
            <KeyList database={database} keys={keys.data} members={members} mayChange={mayChange} />
          </Panel>
        </Later>
      ) : null}
      <CreateKeyDialog
        database={database}
        opened={create === true && mayChange}
        onClose={() => setCreating(false)}
      />
    </Page>
  );
}
