import type { DatabaseResponse, TransferFileResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { downloadPath } from '../../data/backups/queries.js';
import { describeBytes } from '../../data/rows/cell-text.js';
import { DataTable } from '../../ui/layout/data-table.js';
import { formatCount, formatCountOf } from '../../ui/formatting/format-number.js';
import { Tag, type TagTone } from '../../ui/layout/tag.js';
import { DateText } from '../../ui/formatting/date-text.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import classes from './backups.module.css';

interface BackupListProps {
  readonly projectId: string;
  readonly databases: readonly DatabaseResponse[];
  readonly files: readonly TransferFileResponse[];
  readonly canWrite: boolean;
  readonly onRestore: (file: TransferFileResponse) => void;
  readonly onDelete: (file: TransferFileResponse) => void;
}

const TONES: Readonly<Record<TransferFileResponse['state'], TagTone>> = {
  writing: 'ochre',
  ready: 'pine',
  failed: 'brick',
};

/** Lists the backups with their contents, their expiry and their actions. */
export function BackupList({ projectId, databases, files, canWrite, onRestore, onDelete }: BackupListProps) {
  const nameOf = (file: TransferFileResponse): string =>
    file.kind === 'import'
      ? 'Uploaded'
      : (databases.find((database) => database.id === file.database)?.environment ?? 'Deleted database');
  return (
    <DataTable
      label="Backups"
      rows={files}
      rowKey={(file) => file.id}
      columns={[
        { header: 'Created', isTitle: true, cell: (file) => <TimeText iso={file.created_at} /> },
        { header: 'Environment', cell: nameOf },
        {
          header: 'State',
          cell: (file) => (
            <span className={classes.state}>
              <Tag dot tone={TONES[file.state]}>
                {file.state === 'writing' ? 'In progress' : file.state}
              </Tag>
              {file.error === null ? null : <span className={classes.error}>{file.error.detail}</span>}
            </span>
          ),
        },
        {
          header: 'Contents',
          cell: (file) =>
            file.state === 'ready' ? (
              <span
                title={file.tables.map((table) => `${table.name}: ${formatCount(table.rows)}`).join('\n')}
              >
                {formatCountOf(file.tables.length, 'table')}, {formatCountOf(file.rows, 'row')}
              </span>
            ) : (
              ''
            ),
        },
        {
          header: 'Size',
          align: 'end',
          cell: (file) => (file.state === 'ready' ? describeBytes(file.bytes) : ''),
        },
        { header: 'Expires', cell: (file) => <DateText iso={file.expires_at} absent="Until deleted" /> },
        {
          header: 'Actions',
          quietHeader: true,
          align: 'end',
          cell: (file) => (
            <span className={classes.actions}>
              {canWrite && file.state === 'ready' ? (
                <>
                  <Button
                    component="a"
                    size="compact-sm"
                    variant="default"
                    leftSection={<IconDownload size={14} />}
                    href={downloadPath(projectId, file.id)}
                    download
                  >
                    Download
                  </Button>
                  <Button size="compact-sm" variant="default" onClick={() => onRestore(file)}>
                    Restore
                  </Button>
                </>
              ) : null}
              {canWrite && file.state !== 'writing' ? (
                <Button size="compact-sm" variant="subtle" color="brick" onClick={() => onDelete(file)}>
                  Delete
                </Button>
              ) : null}
            </span>
          ),
        },
      ]}
    />
  );
}
