import { ButtonLink } from '../../ui/layout/links.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import type { PageLocation } from './pages.js';

interface NoTablesProps {
  readonly location: PageLocation;
  /** The next step after deploying the draft, as the end of a sentence: `see its tables here.` */
  readonly purpose: string;
}

/** A message that is shown in place of tables until a schema with tables is deployed. */
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
