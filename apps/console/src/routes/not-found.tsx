import { EmptyState } from '../ui/notices/empty-state.js';
import { ButtonLink } from '../ui/layout/links.js';
import { Page } from '../ui/layout/page.js';

export function NotFoundScreen() {
  return (
    <Page title="No such address">
      <EmptyState title="Nobody lives here" action={<ButtonLink to="/projects">All projects</ButtonLink>}>
        This address leads nowhere. The link may be old, or the project may be gone.
      </EmptyState>
    </Page>
  );
}
