import type { SharePreviewResponse } from '@rowhouse/contracts';
import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useCloneShare } from '../../data/shares/mutations.js';
import { sharePreviewQuery } from '../../data/shares/queries.js';
import { CodeBlock } from '../../ui/code/code-block.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { formatCount, formatCountOf } from '../../ui/formatting/format-number.js';
import { ButtonLink } from '../../ui/layout/links.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { NameField } from '../../ui/controls/name-field.js';

/** The page that a share link opens. It shows the shared content and creates a project from it. */
export function CloneScreen() {
  const { token } = useParams({ from: '/signed-in/clone/$token' });
  const preview = useQuery(sharePreviewQuery(token));
  return (
    <Page
      title={preview.data?.name ?? 'Shared project'}
      documentTitle="Copy a shared project"
      lead="Someone shared this project with you. Your copy is independent."
    >
      {preview.isPending ? <SkeletonRows rows={4} /> : null}
      {preview.isError ? (
        <>
          <ErrorNotice title="This link doesn’t work" error={preview.error} />
          <div>
            <ButtonLink variant="default" to="/projects">
              All projects
            </ButtonLink>
          </div>
        </>
      ) : null}
      {preview.data === undefined ? null : (
        <>
          <Panel title="Create your copy">
            <CloneForm token={token} preview={preview.data} />
          </Panel>
          <Panel title="Tables" note={describeTables(preview.data)}>
            <CodeBlock code={preview.data.sql} language="sql" label="the schema" heightMax={480} />
          </Panel>
        </>
      )}
    </Page>
  );
}

function describeTables({ data, tables }: SharePreviewResponse): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${formatCountOf(tables.length, 'table')}, ${data ? `${formatCount(rows)} rows` : 'no rows'}.`;
}

function CloneForm({ token, preview }: { readonly token: string; readonly preview: SharePreviewResponse }) {
  const navigate = useNavigate();
  const clone = useCloneShare(token);
  const [name, setName] = useState(preview.name);
  const [isWithRows, setWithRows] = useState(preview.data);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    clone.mutate(
      { name: name.trim(), ...(preview.data ? { data: isWithRows } : {}) },
      {
        onSuccess: (project) =>
          void navigate({ to: '/projects/$projectId', params: { projectId: project.id } }),
      },
    );
  };
  return (
    <form onSubmit={submit} style={{ display: 'grid', gap: 14, maxWidth: 420 }}>
      <NameField value={name} onChange={setName} />
      {preview.data ? (
        <Checkbox
          label="Copy the rows into development"
          checked={isWithRows}
          onChange={(event) => setWithRows(event.currentTarget.checked)}
        />
      ) : null}
      {clone.isError ? <ErrorNotice title="Couldn’t create the project" error={clone.error} /> : null}
      <div>
        <Button type="submit" loading={clone.isPending} disabled={name.trim() === ''}>
          Create project
        </Button>
      </div>
    </form>
  );
}
