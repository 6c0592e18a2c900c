import type { ProjectResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useApplyStarter } from '../../../data/schema/mutations.js';
import type { WorkingSchema } from '../../../data/schema/queries.js';
import { ChoiceCards } from '../../../ui/controls/choice-cards.js';
import { DialogActions } from '../../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../../ui/dialogs/dialog-frame.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { STARTER_CHOICES } from '../../projects/beginnings.js';
import classes from '../schema.module.css';
import { useSchemaLocation } from '../schema-search.js';

interface StarterDialogProps {
  readonly project: ProjectResponse;
  readonly schema: WorkingSchema;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Adds a ready-made set of tables to the draft. */
export function StarterDialog(props: StarterDialogProps) {
  return (
    <DialogFrame opened={props.opened} onClose={props.onClose} title="Add a starter">
      <StarterForm {...props} />
    </DialogFrame>
  );
}

function StarterForm({ project, schema, onClose }: StarterDialogProps) {
  const { goTo } = useSchemaLocation();
  const [starter, setStarter] = useState<'blog' | 'shop'>('blog');
  const apply = useApplyStarter(project.id);
  const add = (): void =>
    apply.mutate(
      { starter, mode: 'apply', base_revision: schema.revision },
      {
        onSuccess: () => {
          onClose();
          goTo({ view: 'deploy' });
        },
      },
    );
  return (
    <div className={classes.form}>
      <ChoiceCards
        legend="Tables for"
        choices={STARTER_CHOICES.flatMap((choice) =>
          choice.value === 'empty' ? [] : [{ ...choice, value: choice.value }],
        )}
        value={starter}
        onChange={setStarter}
      />
      <p className={classes.done}>Adds the tables to your draft. Nothing is live until you deploy.</p>
      {apply.isError ? <ErrorNotice title="Couldn’t add the starter" error={apply.error} /> : null}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={apply.isPending} onClick={add}>
          Add to draft
        </Button>
      </DialogActions>
    </div>
  );
}
