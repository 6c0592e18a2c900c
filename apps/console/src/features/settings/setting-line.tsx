import type { ReactNode } from 'react';
import classes from './settings.module.css';

/** One setting: what it does on the left, the control on the right or, when it needs room, below. */
export function SettingLine({ title, text, control, children }: { title: string; text: ReactNode; control?: ReactNode; children?: ReactNode }) {
  return (
    <div className={classes.line}>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      {control === undefined ? null : <div className={classes.control}>{control}</div>}
      {children === undefined ? null : <div className={classes.wide}>{children}</div>}
    </div>
  );
}
