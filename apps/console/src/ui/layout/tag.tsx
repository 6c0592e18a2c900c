import type { ReactNode } from 'react';
import classes from './tag.module.css';

export type TagTone = 'plain' | 'pine' | 'brick' | 'harbour' | 'ochre';

/** A label of more characters may wrap, because it contains the name of a table or a column. */
const UNBROKEN_MAX = 24;

/** A short label for a state, a scope, a method or the like. */
export function Tag({
  tone = 'plain',
  mono = false,
  dot = false,
  children,
}: {
  tone?: TagTone;
  mono?: boolean;
  dot?: boolean;
  children: ReactNode;
}) {
  return (
    <span
      className={classes.tag}
      data-tone={tone}
      data-mono={mono || undefined}
      data-long={(typeof children === 'string' && children.length > UNBROKEN_MAX) || undefined}
    >
      {dot ? <span className={classes.dot} aria-hidden="true" /> : null}
      {children}
    </span>
  );
}
