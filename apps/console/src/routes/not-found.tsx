import { EmptyState } from '../ui/notices/empty-state.js';
import { ButtonLink } from '../ui/layout/links.js';
import { Page } from '../ui/layout/page.js';

export function NotFoundScreen() {
  return (
    <Page title="Page not found">
      <EmptyState title="Nobody lives here" action={<ButtonLink to="/projects">All projects</ButtonLink>}>
        This link may be out of date, or the project may have been deleted.
      </EmptyState>
    </Page>
  );
}

/** The page for a URL that belongs to no part of the console, so the console's frame is not around it. */
export function UnknownAddressScreen() {
  return (
    <main>
      <NotFoundScreen />
    </main>
  );
}
