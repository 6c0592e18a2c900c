import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ApiError } from '../data/client/api-error.js';
import { ErrorNotice } from '../ui/error-notice.js';
import { Page } from '../ui/page.js';
import { NotFoundScreen } from './not-found.js';

/** A screen that could not be shown: a refusal of the server, or a defect of ours. */
export function ScreenFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (error instanceof ApiError && error.status === 404) return <NotFoundScreen />;
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  return (
    <Page title="Something is wrong">
      <ErrorNotice title="This page could not be shown" error={error} onRetry={retry} />
    </Page>
  );
}
