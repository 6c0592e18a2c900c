import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';

interface DocsLinkProps {
  readonly database: Pick<DatabaseResponse, 'docs_url'>;
  readonly label: string;
}

/** Opens the interactive docs of a database in a new tab. */
export function DocsLink({ database, label }: DocsLinkProps) {
  return (
    <Button
      component="a"
      href={database.docs_url}
      target="_blank"
      rel="noreferrer"
      variant="default"
      rightSection={<IconExternalLink size={15} />}
    >
      {label}
    </Button>
  );
}
