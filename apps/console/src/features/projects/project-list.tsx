import type { ProjectResponse, ProjectItem } from '@rowhouse/contracts';
import { isRoleAtLeast } from '@rowhouse/contracts/roles';
import { IconDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sortDatabases } from '../../data/projects/queries.js';
import { sessionQuery } from '../../data/session/queries.js';
import { Dropdown, DropdownItem } from '../../ui/controls/dropdown.js';
import { HouseGlyph } from '../../ui/theme/house-glyph.js';
import { Tag } from '../../ui/layout/tag.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import { DeleteProjectDialog } from './delete-project-dialog.js';
import classes from './project-list.module.css';
import { RenameProjectDialog } from './rename-project-dialog.js';

export function ProjectList({ projects }: { projects: readonly ProjectItem[] }) {
  const duplicates = findDuplicates(projects);
  const organizations = useQuery(sessionQuery).data?.organizations ?? [];
  const mayRule = (project: ProjectResponse): boolean =>
    organizations.some(
      (organization) =>
        organization.id === project.organization_id && isRoleAtLeast(organization.role, 'admin'),
    );
  const [renaming, setRenaming] = useState<ProjectResponse | null>(null);
  const [deleting, setDeleting] = useState<ProjectResponse | null>(null);
  return (
    <>
      <ul className={classes.list} aria-label="Projects">
        {projects.map((project) => (
          <li key={project.id} className={classes.card}>
            <div className={classes.head}>
              <Link className={classes.name} to="/projects/$projectId" params={{ projectId: project.id }}>
                {project.name}
              </Link>
              {mayRule(project) ? (
                <Dropdown label={`Actions for ${project.name}`} align="end" trigger={<IconDots size={17} />}>
                  <DropdownItem onSelect={() => setRenaming(project)}>Rename</DropdownItem>
                  <DropdownItem tone="brick" onSelect={() => setDeleting(project)}>
                    Delete
                  </DropdownItem>
                </Dropdown>
              ) : null}
            </div>
            <span className={classes.age}>
              {project.last_call_at === null ? (
                <>
                  Created <TimeText iso={project.created_at} />. No API calls yet
                </>
              ) : (
                <>
                  Last called <TimeText iso={project.last_call_at} />
                </>
              )}
              {organizations.length > 1 ? (
                <>
                  {' '}
                  · {organizations.find((organization) => organization.id === project.organization_id)?.name}
                </>
              ) : null}
              {duplicates.has(project.name.toLowerCase()) ? (
                <>
                  {' '}
                  · Same name as another project. ID: <code>{project.id}</code>
                </>
              ) : null}
            </span>
            <ul className={classes.houses} aria-label={`Environments of ${project.name}`}>
              {sortDatabases(project.databases).map((database) => (
                <li key={database.id}>
                  <Link
                    className={classes.house}
                    to="/projects/$projectId/$environment"
                    params={{ projectId: project.id, environment: database.environment }}
                  >
                    <HouseGlyph environment={database.environment} size={18} />
                    <span>{database.environment}</span>
                    <span className={classes.state}>
                      {database.region === null ? null : <span title="Region">{database.region} · </span>}
                      {database.state === 'ready' ? (
                        `version ${database.snapshot_number}`
                      ) : (
                        <Tag tone={database.state === 'failed' ? 'brick' : 'ochre'}>{database.state}</Tag>
                      )}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <RenameProjectDialog project={renaming} onClose={() => setRenaming(null)} />
      <DeleteProjectDialog project={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

/** Returns the names that several projects share, in lower case. */
function findDuplicates(projects: readonly ProjectResponse[]): ReadonlySet<string> {
  const names = projects.map((project) => project.name.toLowerCase());
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}
