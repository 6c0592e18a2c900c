import type { ReactNode } from 'react';
import { useHeldSecret } from '../../data/keys/key-vault.js';
import { Panel } from '../../ui/panel.js';
import { SecretBox } from '../../ui/secret-box.js';
import { useCurrentDatabase } from '../shell/current-database.js';
import { useMay } from '../shell/use-role.js';
import classes from './connect.module.css';

/** Shows the key whose secret this tab holds, or the ways to create one. */
export function HeldKeyPanel({
  databaseId,
  note,
  children,
}: {
  databaseId: string;
  note: string;
  children: ReactNode;
}) {
  const { project } = useCurrentDatabase();
  const canCreate = useMay(project, 'developer');
  const held = useHeldSecret(databaseId);
  return (
    <Panel title="API key" note={held === null ? note : undefined}>
      {held !== null ? (
        <SecretBox
          secret={held.secret}
          label="API key"
          note={`${held.name}: shown once, in this tab only.`}
        />
      ) : canCreate ? (
        <div className={classes.ask}>{children}</div>
      ) : (
        <p className={classes.note}>Ask a developer of this project to create a key for you.</p>
      )}
    </Panel>
  );
}
