import type { ReferenceOperation } from '@rowhouse/emitters/reference';
import { useState } from 'react';
import { useApiKey } from './api-key.js';
import { CodeSample } from './code-sample.js';
import type { EditedRequest } from './request-samples.js';

interface Result {
  readonly status: string;
  readonly isGood: boolean;
  readonly tookMs: number;
  readonly text: string;
  readonly requestId: string | null;
}

interface TryItProps {
  readonly baseUrl: string;
  readonly operation: ReferenceOperation;
  readonly request: EditedRequest;
  /** Whether the body is valid JSON. */
  readonly isValid: boolean;
  readonly onNeedKey: () => void;
}

/** Sends the request with the reader's key and shows the response. */
export function TryIt({ baseUrl, operation, request, isValid, onNeedKey }: TryItProps) {
  const key = useApiKey();
  const [isRunning, setRunning] = useState(false);
  const [result, setResult] = useState<Result | null>(null);
  const [fault, setFault] = useState('');
  const run = async (secret: string): Promise<void> => {
    setRunning(true);
    setFault('');
    try {
      setResult(await sendRequest(baseUrl, secret, operation.method, request));
    } catch {
      setResult(null);
      setFault(`Can’t reach ${baseUrl}. Check your connection and try again.`);
    }
    setRunning(false);
  };
  return (
    <div className="try">
      <button
        type="button"
        className="primary"
        disabled={isRunning || !isValid}
        onClick={() => (key === null ? onNeedKey() : void run(key.secret))}
      >
        {key === null ? 'Add a key to run this' : operation.sample.writes ? 'Run (changes data)' : 'Run'}
      </button>
      {fault === '' ? null : (
        <p role="alert" className="fault">
          {fault}
        </p>
      )}
      {result === null ? null : (
        <div role="status" aria-label="Response" className="response">
          <p>
            <strong className={result.isGood ? 'good' : 'fault'}>{result.status}</strong>{' '}
            <span className="dim">{result.tookMs} ms</span>{' '}
            {result.requestId === null ? null : <code className="dim">{result.requestId}</code>}
          </p>
          <CodeSample code={result.text} language="json" label="Response body" />
        </div>
      )}
    </div>
  );
}

async function sendRequest(
  baseUrl: string,
  secret: string,
  method: string,
  { path, body }: EditedRequest,
): Promise<Result> {
  const startedAt = performance.now();
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      Authorization: `Bearer ${secret}`,
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    isGood: response.ok,
    tookMs: Math.max(1, Math.round(performance.now() - startedAt)),
    text: text === '' ? '(empty body)' : indentJson(text),
    requestId: response.headers.get('x-request-id'),
  };
}

/** Indents JSON. A text with long numbers is not changed, because parsing would lose their digits. */
function indentJson(text: string): string {
  if (/\d{16}/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
