import type { DatabaseResponse, LoadResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { loadsQuery } from '../../data/backups/queries.js';
import { formatCountOf } from '../../ui/formatting/format-number.js';
import { Panel } from '../../ui/layout/panel.js';
import { Tag, type TagTone } from '../../ui/layout/tag.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import classes from './backups.module.css';
import { LoadNotes } from './restore-dialog.js';

const TONES: Readonly<Record<LoadResponse['state'], TagTone>> = {
  queued: 'ochre',
  running: 'ochre',
  verifying: 'ochre',
  done: 'pine',
  failed: 'brick',
  cancelled: 'ochre',
};

/**
 * Lists the files loaded into a database, and what each load changed or left out. Shows nothing if no file
 * was loaded.
 */
export function LoadsPanel({ database }: { readonly database: DatabaseResponse }) {
  const { data: loads = [] } = useQuery(loadsQuery(database.id));
  if (loads.length === 0) return null;
  return (
    <Panel title="Restores and imports" note={`Backups and dumps imported into ${database.environment}.`}>
      <ul className={classes.loads}>
        {loads.map((load) => (
          <li key={load.id}>
            <span className={classes.state}>
              <strong>{load.kind === 'restore' ? 'Restore' : 'Import'}</strong>{' '}
              <TimeText iso={load.created_at} />
              <Tag dot tone={TONES[load.state]}>
                {load.state}
              </Tag>{' '}
              {formatCountOf(load.rows_done, 'row')}
            </span>
            {load.error === null ? null : <p className={classes.error}>{load.error.detail}</p>}
            <LoadNotes notes={load.notes} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
