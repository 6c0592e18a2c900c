import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { SqlEditorProps } from './sql-editor.js';

const SqlEditor = lazy(() => import('./sql-editor.js').then((module) => ({ default: module.SqlEditor })));

/** The editor is a large chunk of its own: the rest of the screen does not wait for it. */
export function LazySqlEditor(props: SqlEditorProps) {
  return (
    <Suspense fallback={<Skeleton height={(props.heightMin ?? 90) + 2} radius="md" />}>
      <SqlEditor {...props} />
    </Suspense>
  );
}
