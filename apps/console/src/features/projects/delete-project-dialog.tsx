import type { ProjectResponse } from '@rowhouse/contracts';
import { useDeleteProject, useRestoreProject } from '../../data/projects/mutations.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { showToast } from '../../ui/notices/toasts.js';
import { resetAndClose } from '../../ui/dialogs/reset-and-close.js';

interface DeleteProjectDialogProps {
  readonly project: ProjectResponse | null;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

/**
 * Asks the user to type the name of the project before deleting it, because its keys and connections stop
 * working at once.
 */
export function DeleteProjectDialog({ project, onClose, onDeleted }: DeleteProjectDialogProps) {
  const remove = useDeleteProject(project?.id ?? '');
  const restore = useRestoreProject();
  const close = resetAndClose(remove, onClose);
  const confirm = (): void => {
    if (!project) return;
    remove.mutate(project.name, {
      onSuccess: () => {
        close();
        showToast({
          text: `${project.name} deleted. You can restore it for 7 days.`,
          undo: () => restore(project.id),
        });
        onDeleted?.();
      },
    });
  };
  return (
    <ConfirmDialog
      opened={project !== null}
      title="Delete project"
      actionLabel="Delete project"
      typedWord={project?.name ?? ''}
      isPending={remove.isPending}
      error={remove.error}
      errorTitle="Couldn’t delete the project"
      onConfirm={confirm}
      onClose={close}
    >
      All of its keys and connection strings stop working immediately, in{' '}
      {project?.databases.map((database) => database.environment).join(' and ')}. Data is kept for 7 days.
    </ConfirmDialog>
  );
}
