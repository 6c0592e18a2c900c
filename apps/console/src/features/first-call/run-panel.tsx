import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { runCall, type GatewayResponse, type GatewayCall } from '../../data/gateway/run-call.js';
import { CodeBlock } from '../../ui/code/code-block.js';
import { CopyButton } from '../../ui/code/copy-button.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { Tag } from '../../ui/layout/tag.js';
import { LogLink } from '../logs/log-link.js';
import classes from './run-panel.module.css';

interface RunPanelProps {
  readonly baseUrl: string;
  /** The secret of a key, or a function that creates a key and returns its secret. */
  readonly secret: string | (() => Promise<string>);
  readonly request: GatewayCall;
  readonly caption?: string;
  readonly variant?: 'filled' | 'default';
  /** Content that is shown below a response if it is an empty list. */
  readonly whenEmpty?: ReactNode;
}

/** Sends the API call from this browser and shows the response. */
export function RunPanel({
  baseUrl,
  secret,
  request,
  caption = 'Run',
  variant = 'filled',
  whenEmpty,
}: RunPanelProps) {
  const run = useMutation({
    mutationFn: async () => runCall(baseUrl, typeof secret === 'string' ? secret : await secret(), request),
  });
  return (
    <div className={classes.panel}>
      <div>
        <Button
          leftSection={<IconPlayerPlay size={16} />}
          variant={variant}
          loading={run.isPending}
          onClick={() => run.mutate()}
        >
          {caption}
        </Button>
      </div>
      {run.isError ? <ErrorNotice title="Couldn’t send the request" error={run.error} /> : null}
      {run.data ? <ResponseView response={run.data} /> : null}
      {run.data?.text === '[]' ? whenEmpty : null}
    </div>
  );
}

/** Shows the status, the time and the body of a response. */
function ResponseView({ response }: { response: GatewayResponse }) {
  const isGood = response.status < 400;
  const text = response.text === '' ? '(empty body)' : response.text;
  return (
    <div className={classes.answer} role="status" aria-label="Response">
      <div className={classes.line}>
        <Tag tone={isGood ? 'pine' : 'brick'} mono>
          {`${response.status} ${response.statusText}`.trim()}
        </Tag>
        <span className="rh-dim">{Math.max(1, Math.round(response.tookMs))} ms</span>
        {response.requestId === null ? null : (
          <span className={classes.request}>
            <code>{response.requestId}</code> <CopyButton text={response.requestId} label="Copy request ID" />{' '}
            <LogLink requestId={response.requestId} />
          </span>
        )}
      </div>
      <CodeBlock code={text} language="json" label="Response body" heightMax={320} />
    </div>
  );
}
