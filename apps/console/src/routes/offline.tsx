import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { EmptyState } from '../ui/notices/empty-state.js';
import { Page } from '../ui/layout/page.js';

/** A file that is on the server whenever the console is. */
const PROBE = '/favicon.svg';

/** Returns whether the server answers. */
export async function isReachable(): Promise<boolean> {
  return fetch(PROBE, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}

/** The page for a screen whose code could not be loaded, because there is no connection to the server. */
export function OfflineScreen() {
  const [isTrying, setTrying] = useState(false);
  const retry = async (): Promise<void> => {
    setTrying(true);
    if (await isReachable()) window.location.reload();
    else setTrying(false);
  };
  useEffect(() => {
    const onOnline = (): void => void retry();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  });
  return (
    <Page title="You’re offline">
      <EmptyState
        title="Can’t reach Rowhouse"
        action={
          <Button loading={isTrying} onClick={() => void retry()}>
            Try again
          </Button>
        }
      >
        This page opens by itself once you’re back online. Pages you’ve already opened still work.
      </EmptyState>
    </Page>
  );
}
