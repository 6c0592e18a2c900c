import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { sessionQuery } from '../../data/session/queries.js';
import { DeleteProjectDialog } from '../../features/projects/delete-project-dialog.js';
import { RenameProjectDialog } from '../../features/projects/rename-project-dialog.js';
import { DatabaseSettingsForm } from '../../features/settings/database-settings-form.js';
import { EnvironmentsPanel } from '../../features/settings/environments-panel.js';
import { lazyPart } from '../../ui/loading/lazy-part.js';
import { SETTINGS_TABS, type SettingsTab } from '../../features/settings/settings-search.js';
import { ShownSettingsContext, useIsShown } from '../../features/settings/shown-settings.js';
import classes from '../../features/settings/settings.module.css';
import { useCurrentDatabase, useMay } from '../../features/shell/current-database.js';
import { RoleNote } from '../../features/shell/role-note.js';
import { headingOf } from '../../first/page-headings.js';
import { lazyDialog } from '../../ui/dialogs/lazy-dialog.js';
import { SettledInput } from '../../ui/controls/settled-input.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';

/** Only the tab for questions shows this panel, so it is loaded later. */
const ModelPanel = lazyPart(() =>
  import('../../features/settings/model-panel.js').then((module) => module.ModelPanel),
);

const MoveProjectDialog = lazyDialog(() =>
  import('../../features/projects/move-project-dialog.js').then((module) => module.MoveProjectDialog),
);

const route = getRouteApi('/signed-in/projects/$projectId/$environment/settings');

/** The settings of a project and its database, in tabs. A search shows matching settings of all tabs. */
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
  const { tab = 'project', find = '' } = route.useSearch();
  const goTo = route.useNavigate();
  const shown = useMemo(() => ({ tab, find }), [tab, find]);
  const heading = headingOf('settings', database.environment);
  return (
    <Page {...heading}>
      <RoleNote project={project} least="developer" toDo="change settings" />
      <div className={classes.tools}>
        <Tabs
          value={find === '' ? tab : null}
          onChange={(next) =>
            void goTo({ search: { tab: (next ?? 'project') as SettingsTab }, replace: true })
          }
        >
          <Tabs.List aria-label="Settings">
            {Object.entries(SETTINGS_TABS).map(([value, label]) => (
              <Tabs.Tab key={value} value={value}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
        <SettledInput
          size="xs"
          className={classes.find}
          label="Find a setting"
          placeholder="Rate limit"
          value={find}
          onSettle={(next) =>
            void goTo({ search: next.trim() === '' ? { tab } : { tab, find: next.trim() }, replace: true })
          }
        />
      </div>
      <ShownSettingsContext value={shown}>
        {find === '' ? null : <p className={classes.none}>No setting matches “{find}”.</p>}
        <Section tab="project" texts="Project name rename move organization">
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
        </Section>
        <Section tab="project" texts="Environments databases create new delete staging engine">
          <EnvironmentsPanel
            project={project}
            mayCreate={mayChange}
            mayDelete={mayRule}
            onDeleted={(deletedResponse) => {
              if (deletedResponse.id === database.id) void navigate({ to: '/projects' });
            }}
          />
        </Section>
        <DatabaseSettingsForm key={database.id} database={database} mayChange={mayChange} />
        <Section tab="questions" texts="Language model of the project AI OpenAI key">
          <ModelPanel projectId={project.id} mayChange={mayRule} />
        </Section>
        {mayRule ? (
          <Section tab="project" texts="Delete project remove">
            <Panel title="Delete project" tone="brick">
              <div className={classes.danger}>
                <p>Deletes all databases, API keys and connection strings.</p>
                <Button color="brick" variant="outline" onClick={() => setDeleting(true)}>
                  Delete project
                </Button>
              </div>
            </Panel>
          </Section>
        ) : null}
      </ShownSettingsContext>
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

/** A part of the page outside the form. The search of the page also looks at its texts. */
function Section({ tab, texts, children }: { tab: SettingsTab; texts: string; children: ReactNode }) {
  return useIsShown(tab, texts) ? <div className={classes.section}>{children}</div> : null;
}
