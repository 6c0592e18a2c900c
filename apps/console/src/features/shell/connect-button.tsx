import { IconPlugConnected } from '@tabler/icons-react';
import { ButtonLink, IconLink } from '../../ui/links.js';
import type { PageLocation } from './pages.js';

/** Opens the connection details from any page of a project: base URL, key and connection string. */
export function ConnectButton({ place: pageLocation, isNarrow }: { place: PageLocation; isNarrow: boolean }) {
  if (isNarrow) {
    return (
      <IconLink
        to="/projects/$projectId/$environment/connect"
        params={pageLocation}
        aria-label="Connect"
        variant="filled"
        color="pine"
        size="lg"
      >
        <IconPlugConnected size={18} />
      </IconLink>
    );
  }
  return (
    <ButtonLink
      to="/projects/$projectId/$environment/connect"
      params={pageLocation}
      size="xs"
      leftSection={<IconPlugConnected size={15} />}
    >
      Connect
    </ButtonLink>
  );
}
