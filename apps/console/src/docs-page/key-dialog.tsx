import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { forgetApiKey, setApiKey, useApiKey } from './api-key.js';
import type { DocsData } from './docs-data.js';

/** A dialog for the key with which this page sends requests. */
export function KeyDialog({ data, onClose }: { data: DocsData; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const key = useApiKey();
  const [secret, setSecret] = useState('');
  const [isStored, setStored] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const close = (): void => dialog.current?.close();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (secret.trim() === '') return;
    setApiKey(data.docs, secret.trim(), isStored);
    close();
  };
  return (
    <dialog ref={dialog} className="key" aria-labelledby={`${id}-title`} onClose={onClose} closedby="any">
      <form onSubmit={submit}>
        <h2 id={`${id}-title`}>API key</h2>
        <p className="dim">
          {key === null
            ? 'The key is used only for requests you run on this page.'
            : key.source === 'member'
              ? 'Requests run with your Rowhouse account. The key expires 15 minutes after it was created.'
              : 'Requests on this page use your key. Enter another one to replace it.'}
        </p>
        <label htmlFor={`${id}-key`}>Key</label>
        <input
          id={`${id}-key`}
          type="password"
          autoComplete="off"
          className="mono"
          value={secret}
          autoFocus
          onChange={(event) => setSecret(event.currentTarget.value)}
        />
        <label className="check">
          <input
            type="checkbox"
            checked={isStored}
            onChange={(event) => setStored(event.currentTarget.checked)}
          />
          Keep it for this tab. Otherwise it’s gone when you reload.
        </label>
        <div className="buttons">
          {key === null ? null : (
            <button
              type="button"
              onClick={() => {
                forgetApiKey(data.docs);
                close();
              }}
            >
              Remove key
            </button>
          )}
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={secret.trim() === ''}>
            Use key
          </button>
        </div>
        {data.access === '' ? null : (
          <p>
            Member of this project? <a href={data.access}>Use your Rowhouse account</a>
          </p>
        )}
      </form>
    </dialog>
  );
}
