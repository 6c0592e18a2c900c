import type { SynonymResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { afterChange } from '../../data/client/use-change.js';
import { useCreateSynonym, useDeleteSynonym } from '../../data/synonyms/mutations.js';
import { DataTable } from '../../ui/layout/data-table.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { Tag } from '../../ui/layout/tag.js';
import { showToast } from '../../ui/notices/toasts.js';

interface SynonymListProps {
  readonly projectId: string;
  readonly synonyms: readonly SynonymResponse[];
  /** Whether the caller may change the synonyms. Otherwise the list is read-only. */
  readonly mayChange: boolean;
}

/**
 * Lists the synonyms of the project. If the table or column of a synonym no longer exists, the synonym stays
 * in the list and is marked.
 */
export function SynonymList({ projectId, synonyms, mayChange }: SynonymListProps) {
  const remove = useDeleteSynonym(projectId);
  const create = useCreateSynonym(projectId);
  // If the last synonym is deleted, this list disappears. `afterChange` shows the notice even then.
  const take = ({ id, phrase, table, column }: SynonymResponse): void =>
    afterChange(remove.mutateAsync(id), () =>
      showToast({ text: `“${phrase}” removed.`, undo: () => create.mutateAsync({ phrase, table, column }) }),
    );
  return (
    <>
      <DataTable
        label="Synonyms"
        rows={synonyms}
        rowKey={(synonym) => synonym.id}
        columns={[
          { header: 'When people say', isTitle: true, cell: (synonym) => synonym.phrase },
          {
            header: 'They mean',
            cell: (synonym) => (
              <span className="rh-mono">
                {synonym.column === null ? synonym.table : `${synonym.table}.${synonym.column}`}
              </span>
            ),
          },
          {
            header: 'State',
            cell: (synonym) =>
              synonym.is_known ? <Tag>In use</Tag> : <Tag tone="ochre">Not in the schema</Tag>,
          },
          {
            header: 'Actions',
            quietHeader: true,
            align: 'end',
            cell: (synonym) =>
              !mayChange ? null : (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Remove ${synonym.phrase}`}
                  loading={remove.isPending && remove.variables === synonym.id}
                  onClick={() => take(synonym)}
                >
                  Remove
                </Button>
              ),
          },
        ]}
      />
      {remove.isError ? <ErrorNotice title="Couldn’t remove the synonym" error={remove.error} /> : null}
    </>
  );
}
