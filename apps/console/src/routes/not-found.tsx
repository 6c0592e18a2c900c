import { EmptyState } from '../ui/empty-state.js';
import { ButtonLink } from '../ui/links.js';
import { Page } from '../ui/page.js';

export function NotFoundScreen() {
  return (
    <Page title="No such address">
      <EmptyState title="Nobody lives here" action={<ButtonLink to="/projects">All projects</ButtonLink>}>
        This address leads nowhere. The link may be old, or the project may be gone.
      </EmptyState>
    </Page>
  );
}
