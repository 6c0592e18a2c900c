import type { ProjectResponse, ShareResponse, ShareRequest } from '@rowhouse/contracts';
import { DAY_MS } from '@rowhouse/contracts/constants';
import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sortDatabases } from '../../../data/projects/queries.js';
import { useMay } from '../../shell/current-database.js';
import { useCreateShare, useRevokeShare } from '../../../data/shares/mutations.js';
import { sharesQuery } from '../../../data/shares/queries.js';
import { DialogActions } from '../../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../../ui/dialogs/dialog-frame.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { formatCountOf } from '../../../ui/formatting/format-number.js';
import { SecretBox } from '../../../ui/code/secret-box.js';
import { SureButton } from '../../../ui/controls/sure-button.js';
import { Tag } from '../../../ui/layout/tag.js';
import { TimeText } from '../../../ui/formatting/time-text.js';
import classes from '../schema.module.css';

interface ShareDialogProps {
  readonly project: ProjectResponse;
  readonly opened: boolean;
  readonly onClose: () => void;
}

const ENDS = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '', label: 'Never' },
];

/**
 * Creates a link with which others can copy this project's schema into a new project. An owner can include
 * the data.
 */
export function ShareDialog(props: ShareDialogProps) {
  return (
    <DialogFrame opened={props.opened} onClose={props.onClose} title="Share this project" size="lg">
      <ShareForm project={props.project} />
    </DialogFrame>
  );
}

function ShareForm({ project }: { project: ProjectResponse }) {
  const isOwner = useMay(project, 'owner');
  const create = useCreateShare(project.id);
  const databases = sortDatabases(project.databases).filter((database) => database.state === 'ready');
  const [source, setSource] = useState('');
  const [isWithRows, setWithRows] = useState(false);
  const [days, setDays] = useState('30');
  const submit = (): void => create.mutate(toRequest(source, isWithRows && source !== '', days));
  return (
    <div className={classes.form}>
      <p className={classes.done}>
        Anyone who opens this link and signs in can make a copy. The link doesn’t give access to your project.
      </p>
      <NativeSelect
        label="Share"
        data={[
          { value: '', label: 'The draft' },
          ...databases.map((database) => ({
            value: database.id,
            label: `Live schema of ${database.environment}`,
          })),
        ]}
        value={source}
        onChange={(event) => setSource(event.currentTarget.value)}
      />
      {isOwner && source !== '' ? (
        <Checkbox
          label="Include data"
          description="Values of write-only columns aren’t included."
          checked={isWithRows}
          onChange={(event) => setWithRows(event.currentTarget.checked)}
        />
      ) : null}
      <NativeSelect
        label="Link expires"
        data={ENDS}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      {create.isError ? <ErrorNotice title="Couldn’t create the link" error={create.error} /> : null}
      {create.data ? (
        <SecretBox
          secret={create.data.url}
          label="Share link"
          note="Copy it now. You won’t be able to see it again."
        />
      ) : null}
      <DialogActions>
        <Button loading={create.isPending} onClick={submit}>
          Create link
        </Button>
      </DialogActions>
      <ShareList projectId={project.id} />
    </div>
  );
}

function toRequest(source: string, data: boolean, days: string): ShareRequest {
  return {
    ...(source === '' ? {} : { database: source }),
    ...(data ? { data } : {}),
    ...(days === '' ? {} : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
  };
}

function ShareList({ projectId }: { projectId: string }) {
  const shares = useQuery(sharesQuery(projectId));
  const revoke = useRevokeShare(projectId);
  const open = shares.data?.filter((share) => share.revoked_at === null) ?? [];
  if (open.length === 0) return null;
  return (
    <section aria-label="Active links">
      <h3 className={classes.smallTitle}>Active links</h3>
      {revoke.isError ? <ErrorNotice title="Couldn’t revoke the link" error={revoke.error} /> : null}
      <ul className={classes.shares}>
        {open.map((share) => (
          <li key={share.id}>
            <span>
              {share.name}{' '}
              <Tag tone={share.state === 'failed' ? 'brick' : share.data ? 'ochre' : 'plain'}>
                {describe(share)}
              </Tag>{' '}
              <span className="rh-dim">
                created <TimeText iso={share.created_at} />, expires <TimeText iso={share.expires_at} />,
                copied {formatCountOf(share.clones, 'time')}
              </span>
            </span>
            <SureButton
              label="Revoke"
              sureLabel="Revoke link"
              isPending={revoke.isPending && revoke.variables === share.id}
              onSure={() => revoke.mutate(share.id)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function describe(share: ShareResponse): string {
  if (share.state !== 'ready') return share.state === 'writing' ? 'Creating' : 'failed';
  return share.data ? 'schema and rows' : 'schema';
}
