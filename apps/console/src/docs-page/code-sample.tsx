import { useState } from 'react';
import { copyText } from '../ui/code/copy-text.js';
import { highlight, type CodeLanguage } from '../ui/formatting/highlight.js';

/** The maximum length of code that is highlighted, in characters. */
const HIGHLIGHTED_MAX = 20_000;

interface CodeSampleProps {
  readonly code: string;
  readonly language: CodeLanguage;
  /** The name for screen readers, such as `curl example`. */
  readonly label: string;
}

/** Code to read and copy. It scrolls on its own. */
export function CodeSample({ code, language, label }: CodeSampleProps) {
  const [message, setMessage] = useState('');
  const tokens = highlight(code, code.length > HIGHLIGHTED_MAX ? 'text' : language);
  const copy = async (): Promise<void> => {
    setMessage((await copyText(code)) ? 'Copied' : 'Couldn’t copy. Select the text and press Ctrl+C.');
    setTimeout(() => setMessage(''), 1_600);
  };
  return (
    <div className="code">
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>
          {tokens.map((token, index) =>
            token.kind === 'plain' ? (
              token.text
            ) : (
              <span key={index} className={`token-${token.kind}`}>
                {token.text}
              </span>
            ),
          )}
        </code>
      </pre>
      <button type="button" className="copy" aria-label={`Copy ${label}`} onClick={() => void copy()}>
        Copy
      </button>
      <span role="status" className={message === '' ? 'spoken' : 'copied'}>
        {message}
      </span>
    </div>
  );
}
