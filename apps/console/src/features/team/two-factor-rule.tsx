import type { MemberResponse, OrganizationResponse } from '@rowhouse/contracts';
import { Switch } from '@mantine/core';
import { useState } from 'react';
import { useRequireTwoFactor } from '../../data/team/mutations.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { resetAndClose } from '../../ui/dialogs/reset-and-close.js';
import { formatCountOf } from '../../ui/formatting/format-number.js';
import { Panel } from '../../ui/layout/panel.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { showToast } from '../../ui/notices/toasts.js';

interface TwoFactorRuleProps {
  readonly organization: OrganizationResponse;
  readonly members: readonly MemberResponse[];
  /** Whether the owner has two-factor authentication, and so keeps access. */
  readonly hasTwoFactor: boolean;
}

/** Lets an owner decide whether members need two-factor authentication. */
export function TwoFactorRule({ organization, members, hasTwoFactor }: TwoFactorRuleProps) {
  const change = useRequireTwoFactor(organization.id);
  const [isAsking, setAsking] = useState(false);
  const close = resetAndClose(change, () => setAsking(false));
  const count = members.filter((member) => member.has_two_factor === false).length;
  const mayRequire = hasTwoFactor || organization.requires_two_factor;
  return (
    <Panel title="Security">
      <Switch
        label="Require two-factor authentication"
        description={
          mayRequire
            ? 'Members without it can open only their account page, to set it up. API keys keep working.'
            : 'Set it up in your own account first.'
        }
        checked={organization.requires_two_factor}
        disabled={!mayRequire || change.isPending}
        onChange={(event) => {
          if (event.currentTarget.checked) setAsking(true);
          else
            change.mutate(false, {
              onSuccess: () => showToast({ text: 'Two-factor authentication is optional.' }),
            });
        }}
      />
      {change.isError && !isAsking ? (
        <ErrorNotice title="Couldn’t change the setting" error={change.error} />
      ) : null}
      <ConfirmDialog
        opened={isAsking}
        title="Require two-factor authentication?"
        actionLabel="Require"
        isPending={change.isPending}
        error={change.error}
        errorTitle="Couldn’t change the setting"
        onClose={close}
        onConfirm={() =>
          change.mutate(true, {
            onSuccess: () => {
              showToast({ text: 'Two-factor authentication is required.' });
              close();
            },
          })
        }
      >
        <p>
          {count === 0
            ? 'All members already have it.'
            : `${formatCountOf(count, 'member')} without it will lose access until they set it up. Their access tokens stop working too.`}
        </p>
      </ConfirmDialog>
    </Panel>
  );
}
