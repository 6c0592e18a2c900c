import type { SynonymAnswer } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useDeleteSynonym } from '../../data/words/mutations.js';
import { DataTable } from '../../ui/data-table.js';
import { ErrorNotice } from '../../ui/error-notice.js';
import { Tag } from '../../ui/tag.js';

/** The project's own words. One that means something no longer there is kept, and marked. */
export function SynonymList({ projectId, synonyms }: { projectId: string; synonyms: readonly SynonymAnswer[] }) {
  const remove = useDeleteSynonym(projectId);
  return (
    <>
      <DataTable
        label="Words"
        rows={synonyms}
        rowKey={(synonym) => synonym.id}
        columns={[
          { header: 'People say', isTitle: true, cell: (synonym) => synonym.phrase },
          { header: 'and mean', cell: (synonym) => <span className="rh-mono">{synonym.column === null ? synonym.table : `${synonym.table}.${synonym.column}`}</span> },
          { header: 'State', cell: (synonym) => (synonym.is_known ? <Tag>in use</Tag> : <Tag tone="ochre">not in the schema</Tag>) },
          {
            header: 'Actions', quietHeader: true, align: 'end',
            cell: (synonym) => (
              <Button size="compact-sm" variant="default" aria-label={`Take out ${synonym.phrase}`} loading={remove.isPending && remove.variables === synonym.id} onClick={() => remove.mutate(synonym.id)}>Take out</Button>
            ),
          },
        ]}
      />
      {remove.isError ? <ErrorNotice title="The word was not taken out" error={remove.error} /> : null}
    </>
  );
}
