import type { ProjectResponse } from '@rowhouse/contracts';
import { useRenameProject } from '../../data/projects/mutations.js';
import { RenameDialog } from '../../ui/dialogs/rename-dialog.js';
import { resetAndClose } from '../../ui/dialogs/reset-and-close.js';

export function RenameProjectDialog({
  project,
  onClose,
}: {
  project: ProjectResponse | null;
  onClose: () => void;
}) {
  const rename = useRenameProject(project?.id ?? '');
  const close = resetAndClose(rename, onClose);
  return (
    <RenameDialog
      subject="project"
      name={project?.name ?? null}
      isPending={rename.isPending}
      error={rename.error}
      onRename={(name) => rename.mutate(name, { onSuccess: close })}
      onClose={close}
    />
  );
}
