import type { ApiReference } from '@rowhouse/emitters/reference';
import { useEffect, useRef, useState } from 'react';
import { useApiKey } from './api-key.js';
import { useColorScheme } from './color-scheme.js';
import type { DocsData } from './docs-data.js';
import { GroupView } from './group-view.js';
import { KeyDialog } from './key-dialog.js';
import { Overview } from './overview.js';
import { toHash, usePageRoute } from './page-route.js';
import { SearchDialog } from './search-dialog.js';

type Dialog = 'search' | 'key' | null;

/** The docs page: a header, the list of tables, and the selected part of the reference. */
export function DocsApp({ reference, data }: { reference: ApiReference; data: DocsData }) {
  const route = usePageRoute();
  const [dialog, setDialog] = useState<Dialog>(null);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const group = reference.groups.find(({ name }) => name === route.group);
  const docsUrl = `${location.origin}${data.docs}`;
  useEffect(() => {
    document.title = group === undefined ? data.title : `${group.name} - ${data.title}`;
    // The focus moves to the heading of another part, so that screen readers announce it.
    if (!isFirst.current && route.operation === null)
      main.current?.querySelector('h1')?.focus({ preventScroll: route.field !== null });
    isFirst.current = false;
  }, [group, data.title, route.operation, route.field]);
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea');
      const isShortcut =
        (event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !isTyping);
      if (!isShortcut || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      setDialog('search');
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  const needKey = (): void => setDialog('key');
  return (
    <>
      <Header data={data} onSearch={() => setDialog('search')} onKey={needKey} />
      <div className="layout">
        <nav aria-label="Tables">
          <TableLinks reference={reference} current={route.group} />
        </nav>
        <main ref={main} id="content" tabIndex={-1}>
          {route.group !== null && group === undefined ? (
            <UnknownGroup name={route.group} />
          ) : group === undefined ? (
            <Overview reference={reference} data={data} docsUrl={docsUrl} onNeedKey={needKey} />
          ) : (
            <GroupView
              key={group.name}
              reference={reference}
              docsUrl={docsUrl}
              group={group}
              route={route}
              onNeedKey={needKey}
            />
          )}
        </main>
      </div>
      {dialog === 'search' ? <SearchDialog reference={reference} onClose={() => setDialog(null)} /> : null}
      {dialog === 'key' ? <KeyDialog data={data} onClose={() => setDialog(null)} /> : null}
    </>
  );
}

interface HeaderProps {
  readonly data: DocsData;
  readonly onSearch: () => void;
  readonly onKey: () => void;
}

function Header({ data, onSearch, onKey }: HeaderProps) {
  const { scheme, toggle } = useColorScheme();
  const key = useApiKey();
  return (
    <header>
      <a
        className="skip"
        href="#content"
        onClick={(event) => {
          // The fragment of the URL names the shown part of the reference, so it is not changed.
          event.preventDefault();
          document.getElementById('content')?.focus();
        }}
      >
        Skip to content
      </a>
      <a href="#/" className="brand">
        {data.logo === '' ? null : <img src={data.logo} alt="" />}
        <span>{data.title}</span>
      </a>
      <button type="button" className="search-button" onClick={onSearch}>
        Search <kbd>/</kbd>
      </button>
      <button type="button" onClick={onKey}>
        {key === null ? 'Add key' : 'Key set'}
      </button>
      <button type="button" onClick={toggle} aria-pressed={scheme === 'dark'}>
        Dark mode
      </button>
    </header>
  );
}

function TableLinks({ reference, current }: { reference: ApiReference; current: string | null }) {
  return (
    <ul>
      <li>
        <a href="#/" aria-current={current === null ? 'page' : undefined}>
          Overview
        </a>
      </li>
      {reference.groups.map(({ name }) => (
        <li key={name}>
          <a href={toHash({ group: name })} aria-current={name === current ? 'page' : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

function UnknownGroup({ name }: { name: string }) {
  return (
    <>
      <h1 tabIndex={-1}>No table “{name}”</h1>
      <p>
        It may have been renamed or deleted. <a href="#/">See all tables</a>
      </p>
    </>
  );
}
