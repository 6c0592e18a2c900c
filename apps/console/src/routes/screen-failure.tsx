import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ApiError } from '../data/client/api-error.js';
import { ErrorNotice } from '../ui/notices/error-notice.js';
import { Page } from '../ui/layout/page.js';
import { NotFoundScreen } from './lazy-not-found.js';

/** The page that is shown when a screen fails because of a server error or a defect. */
export function ScreenFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof ApiError && error.status === 404) return <NotFoundScreen />;
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <Page title="Something went wrong">
      <ErrorNotice title="Couldn’t load this page" error={error} onRetry={retry} />
    </Page>
  );
}
