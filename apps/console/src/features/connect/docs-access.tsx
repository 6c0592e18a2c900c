import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readSessionKey } from '../../data/gateway/session-keys.js';
import { useCurrentDatabase } from '../shell/current-database.js';
import { Page } from '../../ui/layout/page.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';

/**
 * Opens the public docs page of a database with a short-lived key of the signed-in member. The key is in the
 * fragment of the URL, which browsers do not send to servers, and the docs page removes it from the address.
 * It only goes to the address that the control plane names, so a link to this page cannot redirect it.
 */
export function DocsAccess() {
  const { database } = useCurrentDatabase();
  const isPublished = database.settings.docs_enabled;
  const key = useQuery({
    queryKey: ['docs-access', database.id],
    queryFn: () => readSessionKey(database.id),
    enabled: isPublished,
    gcTime: 0,
  });
  const secret = key.data?.secret;
  useEffect(() => {
    if (secret !== undefined) location.replace(`${database.docs_url}#key=${secret}`);
  }, [secret, database.docs_url]);
  return (
    <Page
      title={isPublished ? 'Opening the docs…' : 'The docs are turned off'}
      documentTitle="Docs access"
      lead={
        isPublished
          ? 'You can run requests on the docs page with your permissions for 15 minutes.'
          : 'Turn on Public docs in the settings to get a docs page.'
      }
    >
      <QueryErrorNotice query={key} title="Couldn’t create a key for the docs page" />
      {isPublished ? (
        <div>
          <Button component="a" href={database.docs_url} variant="default">
            Open without a key
          </Button>
        </div>
      ) : null}
    </Page>
  );
}
