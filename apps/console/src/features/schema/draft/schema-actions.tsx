import { Button } from '@mantine/core';
import { IconDownload, IconFileImport, IconShare, IconTemplate, IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../../shell/current-database.js';
import { Dropdown, DropdownItem } from '../../../ui/controls/dropdown.js';
import { lazyDialog } from '../../../ui/dialogs/lazy-dialog.js';
import { saveFile } from '../../../ui/code/save-file.js';
import classes from '../schema.module.css';
import type { DraftProps } from './draft-bar.js';

const ImportDialog = lazyDialog(() => import('./import-dialog.js').then((module) => module.ImportDialog));
const ShareDialog = lazyDialog(() => import('./share-dialog.js').then((module) => module.ShareDialog));
const StarterDialog = lazyDialog(() => import('./starter-dialog.js').then((module) => module.StarterDialog));

type Opened = 'starter' | 'import' | 'share' | null;

/** The menu of less frequent actions on the whole schema. */
export function SchemaActions({ project, schema, canEdit }: DraftProps) {
  const [opened, setOpened] = useState<Opened>(null);
  const close = (): void => setOpened(null);
  const canShare = useMay(project, 'admin');
  return (
    <>
      {canShare ? (
        <Button variant="default" leftSection={<IconShare size={15} />} onClick={() => setOpened('share')}>
          Share
        </Button>
      ) : null}
      <Dropdown
        label="More actions"
        align="end"
        triggerClassName={classes.more}
        trigger={<IconDots size={17} />}
      >
        {canEdit ? (
          <DropdownItem icon={<IconTemplate size={16} />} onSelect={() => setOpened('starter')}>
            Add a starter
          </DropdownItem>
        ) : null}
        {canEdit ? (
          <DropdownItem icon={<IconFileImport size={16} />} onSelect={() => setOpened('import')}>
            Import a dump
          </DropdownItem>
        ) : null}
        <DropdownItem
          icon={<IconDownload size={16} />}
          onSelect={() =>
            saveFile(
              new Blob([schema.file], { type: 'application/sql' }),
              `${project.name} schema, revision ${schema.revision}.sql`,
            )
          }
        >
          Download as SQL
        </DropdownItem>
      </Dropdown>
      <StarterDialog project={project} schema={schema} opened={opened === 'starter'} onClose={close} />
      <ImportDialog project={project} opened={opened === 'import'} onClose={close} />
      <ShareDialog project={project} opened={opened === 'share'} onClose={close} />
    </>
  );
}
