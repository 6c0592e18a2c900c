import { Button } from '@mantine/core';
import { isRecord, toApiError } from '../../../data/client/api-error.js';
import type { QueryParam } from '../../../data/query-runs/run-query.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { LogLink } from '../../logs/log-link.js';
import { adaptHint } from '../adapt-hint.js';
import { fillParams } from '../sql/fill-params.js';
import classes from '../query.module.css';

interface QueryRefusalProps {
  readonly error: unknown;
  readonly onTake: (text: string, mode: 'sql' | 'question') => void;
  readonly onRetry: () => void;
}

/**
 * Explains why a query failed. Depending on the error, it offers possible interpretations, questions that
 * work, or similar names.
 */
export function QueryRejection({ error, onTake, onRetry }: QueryRefusalProps) {
  const { code, extra, hint, requestId } = toApiError(error);
  const choices =
    code === 'query.ambiguous' && Array.isArray(extra['choices']) ? extra['choices'].filter(isRecord) : [];
  const samples = Array.isArray(extra['samples']) ? extra['samples'].map(String) : [];
  const title =
    code === 'query.ambiguous'
      ? 'Which of these do you mean?'
      : code === 'query.not_understood'
        ? 'I couldn’t work out this question'
        : 'Query failed';
  return (
    <ErrorNotice
      title={title}
      error={error}
      hint={samples.length > 0 ? 'Try one of these:' : adaptHint(hint)}
      onRetry={choices.length > 0 ? undefined : onRetry}
    >
      {choices.length > 0 ? (
        <ul className={classes.choices} aria-label="Interpretations">
          {choices.map((choice) => {
            const sql = fillParams({
              sql: String(choice['sql']),
              params: Array.isArray(choice['params']) ? (choice['params'] as QueryParam[]) : [],
            });
            return (
              <li key={sql}>
                <button type="button" className={classes.choice} onClick={() => onTake(sql, 'sql')}>
                  <span>{String(choice['explanation'])}</span>
                  <code>{sql}</code>
                </button>
              </li>
            );
          })}
        </ul>
      ) : null}
      {samples.length > 0 ? (
        <div className={classes.saidActions}>
          {samples.map((sample) => (
            <Button
              key={sample}
              size="compact-sm"
              variant="default"
              onClick={() => onTake(sample, 'question')}
            >
              {sample}
            </Button>
          ))}
        </div>
      ) : null}
      <LogLink requestId={requestId} />
    </ErrorNotice>
  );
}
