import { makeTransportCall, type ReferenceOperation } from '@rowhouse/emitters/reference';
import { makeCallSample, makeClientSample, type SampleLanguage } from '@rowhouse/emitters/samples';
import { useSyncExternalStore, type KeyboardEvent } from 'react';
import type { CodeLanguage } from '../ui/formatting/highlight.js';
import { CodeSample } from './code-sample.js';

interface Language {
  readonly value: SampleLanguage;
  readonly label: string;
  readonly code: CodeLanguage;
  /** How to run the sample. `{docs}` is the URL of the docs page. */
  readonly run: string;
}

const LANGUAGES: readonly Language[] = [
  { value: 'curl', label: 'curl', code: 'bash', run: 'export ROWHOUSE_KEY=…' },
  { value: 'javascript', label: 'JavaScript', code: 'javascript', run: 'node sample.mjs' },
  {
    value: 'typescript',
    label: 'TypeScript',
    code: 'javascript',
    run: "curl --create-dirs --output-dir client -O '{docs}/client/{client,runtime,types}.ts' && npx tsx sample.mts",
  },
  { value: 'python', label: 'Python', code: 'python', run: 'pip install requests && python sample.py' },
  { value: 'php', label: 'PHP', code: 'javascript', run: 'php sample.php' },
  { value: 'go', label: 'Go', code: 'javascript', run: 'go run sample.go' },
];

/** The language that the reader selected. It applies to all operations. */
let selected: SampleLanguage = 'curl';
const listeners = new Set<() => void>();

function useLanguage(): Language {
  const value = useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    () => selected,
  );
  return LANGUAGES.find((language) => language.value === value) ?? (LANGUAGES[0] as Language);
}

function select(value: SampleLanguage): void {
  selected = value;
  for (const listener of listeners) listener();
}

export interface EditedRequest {
  readonly path: string;
  readonly body: unknown;
}

interface RequestSamplesProps {
  readonly id: string;
  readonly baseUrl: string;
  /** The absolute URL of the docs page. */
  readonly docsUrl: string;
  readonly operation: ReferenceOperation;
  readonly request: EditedRequest;
}

/** Shows a request as a program in six languages. */
export function RequestSamples({ id, baseUrl, docsUrl, operation, request }: RequestSamplesProps) {
  const language = useLanguage();
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? LANGUAGES.length - 1 : 0;
    if (step === 0) return;
    const next = (LANGUAGES.indexOf(language) + step) % LANGUAGES.length;
    select(LANGUAGES[next]?.value ?? 'curl');
    (event.currentTarget.children[next] as HTMLElement | undefined)?.focus();
    event.preventDefault();
  };
  return (
    <div className="samples">
      <div role="tablist" aria-label="Language" className="tabs" onKeyDown={move}>
        {LANGUAGES.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            role="tab"
            id={`${id}-${value}`}
            aria-selected={value === language.value}
            aria-controls={`${id}-sample`}
            tabIndex={value === language.value ? 0 : -1}
            onClick={() => select(value)}
          >
            {label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-sample`} aria-labelledby={`${id}-${language.value}`}>
        <CodeSample
          code={writeSample(language.value, baseUrl, operation, request)}
          language={language.code}
          label={`${language.label} example`}
        />
        <p className="dim">
          {language.value === 'curl'
            ? 'Set your key first: '
            : 'Reads the key from ROWHOUSE_KEY. Run it with '}
          <code>{language.run.replace('{docs}', docsUrl)}</code>
        </p>
      </div>
    </div>
  );
}

function writeSample(
  language: SampleLanguage,
  baseUrl: string,
  { method, sample }: ReferenceOperation,
  { path, body }: EditedRequest,
): string {
  if (language !== 'typescript')
    return makeCallSample(language, { method, address: baseUrl + path, body }, null);
  const isEdited = path !== sample.path || JSON.stringify(body) !== JSON.stringify(sample.body);
  const call = isEdited ? makeTransportCall(method, path, body) : sample.client;
  return makeClientSample(baseUrl.replace(/\/v1\/-$/, ''), call);
}
