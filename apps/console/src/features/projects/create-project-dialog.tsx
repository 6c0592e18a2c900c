import type { ProjectAnswer } from '@rowhouse/contracts';
import { Button, Group, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useCreateProject } from '../../data/projects/mutations.js';
import { ChoiceCards } from '../../ui/choice-cards.js';
import { Dialog } from '../../ui/dialog.js';
import { ErrorNotice } from '../../ui/error-notice.js';
import { STARTER_CHOICES, type Starter } from './starters.js';

interface CreateProjectDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onCreated: (project: ProjectAnswer) => void;
}

export function CreateProjectDialog({ opened, onClose, onCreated }: CreateProjectDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="New project">
      <CreateProjectForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  );
}

function CreateProjectForm({ onClose, onCreated }: Omit<CreateProjectDialogProps, 'opened'>) {
  const create = useCreateProject();
  const [name, setName] = useState('');
  const [starter, setStarter] = useState<Starter>('blog');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate({ name: name.trim(), starter }, { onSuccess: onCreated });
  };
  return (
    <form onSubmit={submit} style={{ display: 'grid', gap: 14 }}>
      <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} maxLength={100} required data-autofocus autoComplete="off" />
      <ChoiceCards legend="Start with" choices={STARTER_CHOICES} value={starter} onChange={setStarter} />
      {create.isError ? <ErrorNotice title="The project could not be created" error={create.error} /> : null}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>Cancel</Button>
        <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>Create project</Button>
      </Group>
    </form>
  );
}
