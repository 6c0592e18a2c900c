import type { DatabaseResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { runQuery } from '../../data/query-runs/run-query.js';
import { CodeBlock } from '../../ui/code/code-block.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { formatCountOf } from '../../ui/formatting/format-number.js';
import { toApiError } from '../../data/client/api-error.js';
import { adaptHint } from './adapt-hint.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';

/** The maximum number of rows that one statement may change on this page. */
export const AFFECTED_MAX = 10_000;

const ATTEMPTS_MAX = 15;

interface ConfirmWriteProps {
  readonly database: DatabaseResponse;
  readonly text: string | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/**
 * Asks for confirmation before a statement writes. A trial run, which is rolled back, shows how many rows
 * would change.
 */
export function ConfirmWrite({ database, text, onConfirm, onClose }: ConfirmWriteProps) {
  const trial = useQuery({
    queryKey: ['queries', database.id, 'trial', text],
    queryFn: ({ signal }) =>
      runQuery(
        database,
        { text: text ?? '', mode: 'sql', limit: 1, write: { dryRun: true, affectedMax: AFFECTED_MAX } },
        signal,
      ),
    enabled: text !== null,
    // The database account with write access is created when it is first needed.
    retry: (failures, error) => failures < ATTEMPTS_MAX && toApiError(error).code === 'db.provisioning',
    retryDelay: 1_000,
    gcTime: 0,
    staleTime: 0,
  });
  const count = trial.data?.affected_rows;
  return (
    <ConfirmDialog
      opened={text !== null}
      title={`Run this on ${database.environment}?`}
      actionLabel="Run"
      {...(database.environment === 'production' ? { typedWord: 'production' } : {})}
      isComplete={!trial.isError}
      isPending={trial.isPending}
      error={null}
      errorTitle=""
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <CodeBlock code={text ?? ''} language="sql" label="Statement" wrap copyable={false} heightMax={180} />
      {trial.isError ? (
        <ErrorNotice
          title="This won’t run"
          error={trial.error}
          hint={adaptHint(toApiError(trial.error).hint)}
        />
      ) : (
        <p role="status">
          {trial.isPending ? (
            'Checking…'
          ) : (
            <>
              This changes <strong>{formatCountOf(count ?? 0, 'row')}</strong> and can’t be undone.
            </>
          )}
        </p>
      )}
    </ConfirmDialog>
  );
}
