import type { ProjectAnswer } from '@rowhouse/contracts';
import { useDeleteProject, useRestoreProject } from '../../data/projects/mutations.js';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { showToast } from '../../ui/toasts.js';

interface DeleteProjectDialogProps {
  readonly project: ProjectAnswer | null;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

/** Asks for the name of the project, because its keys and connections stop working at once. */
export function DeleteProjectDialog({ project, onClose, onDeleted }: DeleteProjectDialogProps) {
  const remove = useDeleteProject(project?.id ?? '');
  const restore = useRestoreProject();
  const close = (): void => {
    remove.reset();
    onClose();
  };
  const confirm = (): void => {
    if (!project) return;
    remove.mutate(project.name, {
      onSuccess: () => {
        close();
        showToast({ text: `${project.name} was deleted. It can be brought back for seven days.`, undo: () => restore(project.id) });
        onDeleted?.();
      },
    });
  };
  return (
    <ConfirmDialog opened={project !== null} title="Delete project" actionLabel="Delete project" typedWord={project?.name ?? ''} isPending={remove.isPending} error={remove.error} errorTitle="The project could not be deleted" onConfirm={confirm} onClose={close}>
      All of its keys and connection strings stop working at once, in {project?.databases.map((database) => database.environment).join(' and ')}. The rows are kept for seven days.
    </ConfirmDialog>
  );
}
