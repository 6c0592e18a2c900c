import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../../data/session/queries.js';
import { DeleteProjectDialog } from '../../features/projects/delete-project-dialog.js';
import { RenameProjectDialog } from '../../features/projects/rename-project-dialog.js';
import { DatabaseSettingsForm } from '../../features/settings/database-settings-form.js';
import { EnvironmentsPanel } from '../../features/settings/environments-panel.js';
import { ModelPanel } from '../../features/settings/model-panel.js';
import classes from '../../features/settings/settings.module.css';
import { useCurrentDatabase, useMay } from '../../features/shell/current-database.js';
import { RoleNote } from '../../features/shell/role-note.js';
import { headingOf } from '../../first/page-headings.js';
import { lazyDialog } from '../../ui/dialogs/lazy-dialog.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';

const MoveProjectDialog = lazyDialog(() =>
  import('../../features/projects/move-project-dialog.js').then((module) => module.MoveProjectDialog),
);

export function SettingsScreen() {
  const { project, database } = useCurrentDatabase();
  const navigate = useNavigate();
  const mayChange = useMay(project, 'developer');
  const mayRule = useMay(project, 'admin');
  const [isRenaming, setRenaming] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const owned = (useQuery(sessionQuery).data?.organizations ?? []).filter(
    (organization) => organization.role === 'owner',
  );
  const others = owned.filter((organization) => organization.id !== project.organization_id);
  const mayMove = others.length > 0 && others.length < owned.length;
  const heading = headingOf('settings', database.environment);
  return (
    <Page {...heading}>
      <RoleNote project={project} least="developer" toDo="change settings" />
      <Panel title="Project">
        <div className={classes.danger}>
          <div>
            <strong>{project.name}</strong>
            <p className="rh-mono">{project.id}</p>
          </div>
          <div className={classes.buttons}>
            {mayMove ? (
              <Button variant="default" onClick={() => setMoving(true)}>
                Move project
              </Button>
            ) : null}
            {mayRule ? (
              <Button variant="default" onClick={() => setRenaming(true)}>
                Rename project
              </Button>
            ) : null}
          </div>
        </div>
      </Panel>
      <EnvironmentsPanel
        project={project}
        mayCreate={mayChange}
        mayDelete={mayRule}
        onDeleted={(deletedResponse) => {
          if (deletedResponse.id === database.id) void navigate({ to: '/projects' });
        }}
      />
      <DatabaseSettingsForm key={database.id} database={database} mayChange={mayChange} />
      <ModelPanel projectId={project.id} mayChange={mayRule} />
      {mayRule ? (
        <Panel title="Delete project" tone="brick">
          <div className={classes.danger}>
            <p>Deletes all databases, API keys and connection strings.</p>
            <Button color="brick" variant="outline" onClick={() => setDeleting(true)}>
              Delete project
            </Button>
          </div>
        </Panel>
      ) : null}
      <MoveProjectDialog
        project={project}
        organizations={others}
        opened={isMoving}
        onClose={() => setMoving(false)}
      />
      <RenameProjectDialog project={isRenaming ? project : null} onClose={() => setRenaming(false)} />
      <DeleteProjectDialog
        project={isDeleting ? project : null}
        onClose={() => setDeleting(false)}
        onDeleted={() => void navigate({ to: '/projects' })}
      />
    </Page>
  );
}
