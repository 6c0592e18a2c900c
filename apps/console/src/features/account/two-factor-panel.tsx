import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { twoFactorQuery } from '../../data/account/security.js';
import { lazyDialog } from '../../ui/dialogs/lazy-dialog.js';
import { formatCountOf } from '../../ui/formatting/format-number.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import { Panel } from '../../ui/layout/panel.js';
import { Tag } from '../../ui/layout/tag.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';
import classes from './account.module.css';

const SetUpDialog = lazyDialog(() => import('./two-factor-dialogs.js').then((module) => module.SetUpDialog));
const RenewDialog = lazyDialog(() => import('./two-factor-dialogs.js').then((module) => module.RenewDialog));
const TurnOffDialog = lazyDialog(() =>
  import('./two-factor-dialogs.js').then((module) => module.TurnOffDialog),
);

type OpenDialog = 'set_up' | 'renew' | 'turn_off' | null;

/** Shows whether sign-in needs a code, and opens the dialogs that change it. */
export function TwoFactorPanel({ email }: { email: string }) {
  const state = useQuery(twoFactorQuery);
  const [open, setOpen] = useState<OpenDialog>(null);
  const close = (): void => setOpen(null);
  return (
    <Panel
      title="Two-factor authentication"
      note="Signing in also asks for a code from an authenticator app on your phone."
    >
      {state.isPending ? <SkeletonRows rows={1} /> : null}
      <QueryErrorNotice title="Couldn’t load two-factor authentication" query={state} />
      {state.data === undefined ? null : state.data.enabled_at === null ? (
        <div className={classes.danger}>
          <p className={classes.note}>Off. Your password alone signs you in.</p>
          <Button variant="default" onClick={() => setOpen('set_up')}>
            Set up
          </Button>
        </div>
      ) : (
        <div className={classes.danger}>
          <div>
            <span className={classes.value}>
              <Tag tone="pine">On</Tag>
              <span>
                Turned on <TimeText iso={state.data.enabled_at} />
              </span>
            </span>
            <p className={classes.note}>{describeCodes(state.data.recovery_codes_left)}</p>
          </div>
          <span className={classes.acts}>
            <Button variant="default" onClick={() => setOpen('renew')}>
              New recovery codes
            </Button>
            <Button color="brick" variant="outline" onClick={() => setOpen('turn_off')}>
              Turn off
            </Button>
          </span>
        </div>
      )}
      <SetUpDialog opened={open === 'set_up'} email={email} onClose={close} />
      <RenewDialog opened={open === 'renew'} email={email} onClose={close} />
      <TurnOffDialog opened={open === 'turn_off'} email={email} onClose={close} />
    </Panel>
  );
}

function describeCodes(left: number): string {
  if (left === 0) return 'No recovery codes left. Create new ones, in case you lose your phone.';
  return `${formatCountOf(left, 'recovery code')} left, in case you lose your phone.`;
}
