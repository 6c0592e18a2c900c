import type { ReactNode } from 'react';
import classes from './settings.module.css';

/** One setting: its description on the left, and its control on the right or, if it needs space, below. */
export function SettingLine({
  title,
  text,
  control,
  children,
}: {
  title: string;
  text: ReactNode;
  control?: ReactNode;
  children?: ReactNode;
}) {
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
