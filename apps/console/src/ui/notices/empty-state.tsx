import type { ReactNode } from 'react';
import { BrandMark } from '../theme/house-glyph.js';
import classes from './empty-state.module.css';

/** A message in place of an empty list. It explains the purpose of the list and offers a first action. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes.empty}>
      <span className={classes.mark}>
        <BrandMark size={36} />
      </span>
      <h2>{title}</h2>
      {children === undefined ? null : <p>{children}</p>}
      {action}
    </div>
  );
}
