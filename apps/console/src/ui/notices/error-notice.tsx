import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { toApiError } from '../../data/client/api-error.js';
import { CopyButton } from '../code/copy-button.js';
import classes from './error-notice.module.css';

interface ErrorNoticeProps {
  readonly error: unknown;
  /** The failed action, such as `Couldn't create the key`. */
  readonly title: string;
  readonly onRetry?: (() => void) | undefined;
  /** Replaces the hint of the response. Null shows none. */
  readonly hint?: string | null;
  readonly children?: ReactNode;
}

interface QueryErrorNoticeProps {
  readonly query: { readonly isError: boolean; readonly error: unknown; readonly refetch: () => unknown };
  readonly title: string;
}

/** Reports a failed query and offers to repeat it. Renders nothing while the query has not failed. */
export function QueryErrorNotice({ query, title }: QueryErrorNoticeProps) {
  if (!query.isError) return null;
  return <ErrorNotice title={title} error={query.error} onRetry={() => void query.refetch()} />;
}

/** An error at the place where it occurred: what failed, why, what to do, and the id of the request. */
export function ErrorNotice({ error, title, onRetry, children, hint }: ErrorNoticeProps) {
  const { details, hint: sentHint, code, requestId } = toApiError(error);
  const shownHint = hint === undefined ? sentHint : hint;
  return (
    <div className={classes.notice} role="alert">
      <IconAlertTriangle size={18} aria-hidden className={classes.icon} />
      <div className={classes.text}>
        <strong>{title}</strong>
        {details.length === 1 ? (
          <p className={classes.detail}>{details[0]}</p>
        ) : (
          <ul>
            {details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        )}
        {shownHint === null ? null : <p className={classes.hint}>{shownHint}</p>}
        {children}
        <div className={classes.foot}>
          <code>{code}</code>
          {requestId === null ? null : (
            <span className={classes.request}>
              <span>Request</span> <code>{requestId}</code>{' '}
              <CopyButton text={requestId} label="Copy request ID" />
            </span>
          )}
          {onRetry === undefined ? null : (
            <Button size="compact-sm" variant="default" onClick={onRetry}>
              Try again
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
