import type { ReactNode } from 'react';
import classes from './settings.module.css';

/**
 * A line for one setting. The description is on the left. The control is on the right, or below if it needs
 * more space.
 */
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
