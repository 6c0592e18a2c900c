import { IconPlugConnected } from '@tabler/icons-react';
import { ButtonLink, IconLink } from '../../ui/links.js';
import classes from './connect-button.module.css';
import type { Place } from './rooms.js';

/** The way in from anywhere in a project: base address, key, connection string. */
export function ConnectButton(place: Place) {
  return (
    <>
      <ButtonLink className={classes.wide ?? ''} to="/projects/$projectId/$environment/connect" params={place} size="xs" leftSection={<IconPlugConnected size={15} />}>
        Connect
      </ButtonLink>
      <IconLink className={classes.narrow ?? ''} to="/projects/$projectId/$environment/connect" params={place} aria-label="Connect" variant="filled" color="pine" size="lg">
        <IconPlugConnected size={18} />
      </IconLink>
    </>
  );
}
