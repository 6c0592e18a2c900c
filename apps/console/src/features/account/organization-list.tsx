import type { OrganizationResponse } from '@rowhouse/contracts';
import { isRoleAtLeast } from '@rowhouse/contracts/roles';
import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import {
  useCreateOrganization,
  useDeleteOrganization,
  useRenameOrganization,
} from '../../data/organizations/mutations.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { DataTable } from '../../ui/layout/data-table.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { Panel } from '../../ui/layout/panel.js';
import { RenameDialog } from '../../ui/dialogs/rename-dialog.js';
import { showToast } from '../../ui/notices/toasts.js';
import { LeaveDialog } from '../team/leave-dialog.js';
import classes from './account.module.css';
import { resetAndClose } from '../../ui/dialogs/reset-and-close.js';

/**
 * Lists the person's organizations, with or without projects. They can be created, renamed, left and deleted
 * here.
 */
export function OrganizationList({
  organizations,
  accountId,
}: {
  organizations: readonly OrganizationResponse[];
  accountId: string;
}) {
  const [renaming, setRenaming] = useState<OrganizationResponse | null>(null);
  const [leaving, setLeaving] = useState<OrganizationResponse | null>(null);
  const [deleting, setDeleting] = useState<OrganizationResponse | null>(null);
  return (
    <Panel
      title="Organizations"
      note="Each organization has projects and members. Invite people from a project’s Team page."
    >
      <NewOrganization />
      {organizations.length === 0 ? (
        <p className={classes.note}>You aren’t in any organization. Create one to add projects.</p>
      ) : (
        <div className={classes.edge}>
          <DataTable
            label="Organizations"
            rows={organizations}
            rowKey={(organization) => organization.id}
            columns={[
              { header: 'Name', isTitle: true, cell: (organization) => organization.name },
              { header: 'Your role', cell: (organization) => organization.role },
              {
                header: 'Actions',
                quietHeader: true,
                align: 'end',
                cell: (organization) => (
                  <span className={classes.acts}>
                    {isRoleAtLeast(organization.role, 'admin') ? (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={`Rename ${organization.name}`}
                        onClick={() => setRenaming(organization)}
                      >
                        Rename
                      </Button>
                    ) : null}
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Leave ${organization.name}`}
                      onClick={() => setLeaving(organization)}
                    >
                      Leave
                    </Button>
                    {organization.role === 'owner' ? (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={`Delete ${organization.name}`}
                        onClick={() => setDeleting(organization)}
                      >
                        Delete
                      </Button>
                    ) : null}
                  </span>
                ),
              },
            ]}
          />
        </div>
      )}
      <RenameOrganization organization={renaming} onClose={() => setRenaming(null)} />
      <LeaveDialog organization={leaving} accountId={accountId} onClose={() => setLeaving(null)} />
      <DeleteOrganization organization={deleting} onClose={() => setDeleting(null)} />
    </Panel>
  );
}

function NewOrganization() {
  const create = useCreateOrganization();
  const [name, setName] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate(name.trim(), {
      onSuccess: (created) => {
        setName('');
        showToast({ text: `${created.name} created.` });
      },
    });
  };
  return (
    <>
      <form onSubmit={submit} className={classes.inline}>
        <TextInput
          label="New organization name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          required
          autoComplete="off"
        />
        <Button type="submit" variant="default" loading={create.isPending} disabled={name.trim() === ''}>
          Create organization
        </Button>
      </form>
      {create.isError ? <ErrorNotice title="Couldn’t create the organization" error={create.error} /> : null}
    </>
  );
}

interface OrganizationDialogProps {
  readonly organization: OrganizationResponse | null;
  readonly onClose: () => void;
}

function RenameOrganization({ organization, onClose }: OrganizationDialogProps) {
  const rename = useRenameOrganization(organization?.id ?? '');
  const close = resetAndClose(rename, onClose);
  return (
    <RenameDialog
      subject="organization"
      name={organization?.name ?? null}
      isPending={rename.isPending}
      error={rename.error}
      onRename={(name) => rename.mutate(name, { onSuccess: close })}
      onClose={close}
    />
  );
}

/**
 * Asks for the organization's name before deleting it. If the organization has projects, the server rejects
 * the deletion and lists them.
 */
function DeleteOrganization({ organization, onClose }: OrganizationDialogProps) {
  const remove = useDeleteOrganization(organization?.id ?? '');
  const close = resetAndClose(remove, onClose);
  return (
    <ConfirmDialog
      opened={organization !== null}
      title="Delete organization"
      actionLabel="Delete organization"
      typedWord={organization?.name ?? ''}
      isPending={remove.isPending}
      error={remove.error}
      errorTitle="Couldn’t delete the organization"
      onClose={close}
      onConfirm={() => {
        if (organization)
          remove.mutate(organization.name, {
            onSuccess: () => {
              close();
              showToast({ text: `${organization.name} deleted.` });
            },
          });
      }}
    >
      This is immediate and permanent for all members. The organization must have no projects. Projects
      deleted in the last 7 days can’t be restored afterwards.
    </ConfirmDialog>
  );
}
