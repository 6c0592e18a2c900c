import type { CreatedInvitationResponse, OrganizationResponse, Role } from '@rowhouse/contracts';
import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useInvite } from '../../data/team/mutations.js';
import { ChoiceCards } from '../../ui/controls/choice-cards.js';
import { DialogActions } from '../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../ui/dialogs/dialog-frame.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { SecretBox } from '../../ui/code/secret-box.js';
import { ROLE_CHOICES, rolesUpTo } from './describe-role.js';
import classes from './team.module.css';
import { resetAndClose } from '../../ui/dialogs/reset-and-close.js';

interface InviteDialogProps {
  readonly organization: OrganizationResponse;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/**
 * A dialog that invites an email address with a role. It then shows the invitation link, which cannot be
 * shown again.
 */
export function InviteDialog({ organization, opened, onClose }: InviteDialogProps) {
  const invite = useInvite(organization.id);
  const close = resetAndClose(invite, onClose);
  return (
    <DialogFrame
      opened={opened}
      onClose={close}
      size="lg"
      title={invite.data ? 'Invitation created' : `Invite to ${organization.name}`}
      closesLightly={!invite.data}
    >
      {invite.data ? (
        <MadeInvitation created={invite.data} onDone={close} />
      ) : (
        <InviteForm
          own={organization.role}
          isPending={invite.isPending}
          error={invite.error}
          onSubmit={(email, role) => invite.mutate({ email, role })}
          onCancel={close}
        />
      )}
    </DialogFrame>
  );
}

function MadeInvitation({ created, onDone }: { created: CreatedInvitationResponse; onDone: () => void }) {
  return (
    <div className={classes.form}>
      <p>
        {created.is_mailed
          ? `We’ve emailed this link to ${created.email}.`
          : `Email isn’t set up. Share this link with ${created.email}.`}{' '}
        It works only for that address and expires in 7 days.
      </p>
      <SecretBox
        secret={created.url}
        label="invitation link"
        note="Copy it now. You won’t be able to see it again."
      />
      <DialogActions>
        <Button onClick={onDone}>Done</Button>
      </DialogActions>
    </div>
  );
}

interface InviteFormProps {
  readonly own: Role;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onSubmit: (email: string, role: Role) => void;
  readonly onCancel: () => void;
}

function InviteForm({ own, isPending, error, onSubmit, onCancel }: InviteFormProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const choices = ROLE_CHOICES.filter((choice) => rolesUpTo(own).includes(choice.value));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (email.trim() !== '' && !isPending) onSubmit(email.trim(), role);
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <TextInput
        label="Email"
        type="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        maxLength={254}
        required
        autoComplete="off"
        data-autofocus
      />
      <ChoiceCards legend="Role" choices={choices} value={role} onChange={setRole} />
      {error === null ? null : <ErrorNotice title="Couldn’t create the invitation" error={error} />}
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending} disabled={email.trim() === ''}>
          Invite
        </Button>
      </DialogActions>
    </form>
  );
}
