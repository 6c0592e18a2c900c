import { memo, useMemo } from 'react';
import { CopyButton } from './copy-button.js';
import classes from './code-block.module.css';
import { highlight, type CodeLanguage } from '../formatting/highlight.js';

/**
 * The maximum length of code that is highlighted, in characters. For longer code, thousands of elements would
 * make the page slow.
 */
const COLOUR_CHARACTERS_MAX = 20_000;

interface CodeBlockProps {
  readonly code: string;
  readonly language: CodeLanguage;
  /** The name for screen readers and the copy button, such as `curl command`. */
  readonly label: string;
  readonly heightMax?: number;
  readonly wrap?: boolean;
  readonly copyable?: boolean;
}

/** A code sample that can be read and copied. It scrolls on its own and can have the focus. */
export const CodeBlock = memo(function CodeBlock({
  code,
  language,
  label,
  heightMax,
  wrap = false,
  copyable = true,
}: CodeBlockProps) {
  const tokens = useMemo(
    () => highlight(code, code.length > COLOUR_CHARACTERS_MAX ? 'text' : language),
    [code, language],
  );
  return (
    <div className={classes.frame} data-copyable={copyable || undefined}>
      <pre
        className={classes.code}
        data-wrap={wrap || undefined}
        style={heightMax === undefined ? undefined : { maxHeight: heightMax }}
        tabIndex={0}
        role="group"
        aria-label={label}
      >
        <code>
          {tokens.map((token, index) =>
            token.kind === 'plain' ? (
              token.text
            ) : (
              <span key={index} className={classes[token.kind]}>
                {token.text}
              </span>
            ),
          )}
        </code>
      </pre>
      {copyable ? <CopyButton className={classes.copy} text={code} label={`Copy ${label}`} /> : null}
    </div>
  );
});
