import type { ReactNode } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  readonly title?: ReactNode;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Whether the content has no padding, as for tables and editors. */
  readonly flush?: boolean;
  readonly tone?: 'brick' | 'pine' | undefined;
  readonly label?: string;
}

/** A bordered block of a screen. If it has a title, it is a labelled section for screen readers. */
export function Panel({ title, note, actions, children, flush = false, tone, label }: PanelProps) {
  return (
    <section
      className={classes.panel}
      data-tone={tone}
      aria-label={label ?? (typeof title === 'string' ? title : undefined)}
    >
      {title === undefined && actions === undefined ? null : (
        <header className={classes.head}>
          <div>
            {title === undefined ? null : <h2>{title}</h2>}
            {note === undefined ? null : <p>{note}</p>}
          </div>
          {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
        </header>
      )}
      <div className={classes.body} data-flush={flush || undefined}>
        {children}
      </div>
    </section>
  );
}
