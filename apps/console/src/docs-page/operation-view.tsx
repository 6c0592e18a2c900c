import {
  listParameters,
  toFilterName,
  type ApiReference,
  type ReferenceOperation,
} from '@rowhouse/emitters/reference';
import { useEffect, useId, useRef, useState } from 'react';
import { readJsonBody } from '../ui/formatting/read-json-body.js';
import { PlainText } from './plain-text.js';
import { RequestSamples } from './request-samples.js';
import { TryIt } from './try-it.js';

interface OperationViewProps {
  readonly reference: ApiReference;
  readonly docsUrl: string;
  readonly operation: ReferenceOperation;
  /** Whether the URL leads to this operation. */
  readonly isTarget: boolean;
  readonly onNeedKey: () => void;
}

/** One operation, which can be opened. Its content is rendered once it is open. */
export function OperationView({ reference, docsUrl, operation, isTarget, onNeedKey }: OperationViewProps) {
  const [isOpen, setOpen] = useState(isTarget);
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    setOpen(true);
    element.current?.scrollIntoView({ block: 'start' });
    element.current?.querySelector('summary')?.focus({ preventScroll: true });
  }, [isTarget]);
  const { method, path, summary } = operation;
  return (
    <details
      ref={element}
      className="operation"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <span className={`method ${method.toLowerCase()}`}>{method}</span>
        <code className="path">{path}</code>
        <span className="summary">
          <PlainText text={summary} />
        </span>
      </summary>
      {isOpen ? (
        <OperationContent
          reference={reference}
          docsUrl={docsUrl}
          operation={operation}
          onNeedKey={onNeedKey}
        />
      ) : null}
    </details>
  );
}

function OperationContent({
  reference,
  docsUrl,
  operation,
  onNeedKey,
}: Omit<OperationViewProps, 'isTarget'>) {
  const id = useId();
  const { sample, description, responses, hasBody } = operation;
  const [path, setPath] = useState(sample.path);
  const [body, setBody] = useState(hasBody ? JSON.stringify(sample.body ?? {}, null, 2) : '');
  const parsed = readJsonBody(hasBody ? body : '');
  const request = { path, body: parsed.value };
  return (
    <div className="content">
      {description === '' ? null : (
        <p>
          <PlainText text={description} />
        </p>
      )}
      <Parameters reference={reference} operation={operation} />
      <h3>Example</h3>
      <label htmlFor={`${id}-path`}>Path and query</label>
      <input
        id={`${id}-path`}
        className="mono"
        value={path}
        spellCheck={false}
        onChange={(event) => setPath(event.currentTarget.value)}
      />
      {hasBody ? (
        <>
          <label htmlFor={`${id}-body`}>Body</label>
          <textarea
            id={`${id}-body`}
            className="mono"
            rows={Math.min(body.split('\n').length + 1, 14)}
            value={body}
            spellCheck={false}
            aria-invalid={parsed.fault !== null}
            aria-describedby={parsed.fault === null ? undefined : `${id}-fault`}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
          {parsed.fault === null ? null : (
            <p id={`${id}-fault`} className="fault">
              {parsed.fault}
            </p>
          )}
        </>
      ) : null}
      <RequestSamples
        id={id}
        baseUrl={reference.baseUrl}
        docsUrl={docsUrl}
        operation={operation}
        request={request}
      />
      <TryIt
        baseUrl={reference.baseUrl}
        operation={operation}
        request={request}
        isValid={parsed.fault === null}
        onNeedKey={onNeedKey}
      />
      <h3>Responses</h3>
      <ul className="responses">
        {responses.map(({ status, description: text }) => (
          <li key={status}>
            <code>{status}</code> <PlainText text={text} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Parameters({ reference, operation }: { reference: ApiReference; operation: ReferenceOperation }) {
  const parameters = listParameters(reference, operation);
  const filters = Object.entries(operation.filters);
  if (parameters.length + filters.length === 0) return null;
  return (
    <details className="parameters">
      <summary>
        Parameters <span className="dim">{parameters.length + filters.length}</span>
      </summary>
      <dl>
        {parameters.map((parameter) => (
          <div key={`${parameter.in} ${parameter.name}`}>
            <dt>
              <code>{parameter.name}</code>{' '}
              <span className="dim">{`${parameter.in}, ${parameter.type}`}</span>
              {parameter.isRequired ? <span className="tag">required</span> : null}
            </dt>
            <dd>
              <PlainText text={parameter.description} />
            </dd>
          </div>
        ))}
        {filters.map(([field, suffixes]) => (
          <div key={field}>
            <dt>
              <code>{field}</code> <span className="dim">filter</span>
            </dt>
            <dd className="filters">
              {suffixes.map((suffix) => (
                <code key={suffix}>{toFilterName(field, suffix)}</code>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
