import type { ApiReference } from '@rowhouse/emitters/reference';
import { useCallback, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { startApiKey } from './api-key.js';
import { applyAccent } from './color-scheme.js';
import { DocsApp } from './docs-app.js';
import { loadReference, readDocsData, type DocsData } from './docs-data.js';
import './docs-page.css';

/** Loads the reference, and shows the error if it cannot be loaded. */
function DocsPage({ data }: { data: DocsData }) {
  const [reference, setReference] = useState<ApiReference | null>(null);
  const [fault, setFault] = useState('');
  const load = useCallback((): void => {
    setFault('');
    loadReference(data).then(setReference, (error: unknown) =>
      setFault(error instanceof Error ? error.message : String(error)),
    );
  }, [data]);
  useEffect(load, [load]);
  if (reference !== null) return <DocsApp reference={reference} data={data} />;
  return (
    <main className="missing" aria-busy={fault === ''}>
      <h1>{fault === '' ? data.title : 'Couldn’t load the docs'}</h1>
      <p role="status">{fault === '' ? 'Loading…' : fault}</p>
      {fault === '' ? null : (
        <button type="button" onClick={load}>
          Try again
        </button>
      )}
    </main>
  );
}

const element = document.getElementById('docs');
if (element !== null) {
  const data = readDocsData(element);
  startApiKey(data.docs);
  applyAccent(data.accent);
  createRoot(element).render(<DocsPage data={data} />);
}
