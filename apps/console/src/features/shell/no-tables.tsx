import { ButtonLink } from '../../ui/layout/links.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import type { PageLocation } from './pages.js';

interface NoTablesProps {
  readonly location: PageLocation;
  /** The purpose of deploying the draft, with a period: `see its tables here.` */
  readonly purpose: string;
}

/** Shown in place of tables while no schema with tables is deployed. */
export function NoTables({ location, purpose }: NoTablesProps) {
  return (
    <EmptyState
      title={`No tables in ${location.environment} yet`}
      action={
        <ButtonLink to="/projects/$projectId/$environment/schema" params={location}>
          Open schema
        </ButtonLink>
      }
    >
      Deploy your draft to {location.environment} to {purpose}
    </EmptyState>
  );
}
