import { useContext, type ReactNode } from 'react';
import type { SettingsTab } from './settings-search.js';
import { isShown, ShownSettingsContext } from './shown-settings.js';
import classes from './settings.module.css';

/**
 * A line for one setting. The description is on the left. The control is on the right, or below if it needs
 * more space.
 */
export function SettingLine({
  tab,
  title,
  text,
  terms = '',
  control,
  children,
}: {
  tab: SettingsTab;
  title: string;
  /** Other words by which a search finds the setting. */
  terms?: string;
  text: ReactNode;
  control?: ReactNode;
  children?: ReactNode;
}) {
  const shown = useContext(ShownSettingsContext);
  const searched = `${title} ${typeof text === 'string' ? text : ''} ${terms}`;
  if (!isShown(shown, tab, searched)) return null;
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
