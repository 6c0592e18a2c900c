import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './side-sheet.module.css';
import { useReturnFocus } from './use-return-focus.js';

interface SideSheetProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Content that stays visible below the scrolling content. */
  readonly foot?: ReactNode;
}

/**
 * A dialog at the right edge of the page for one item of a list. Its code is loaded together with the code
 * that shows it.
 */
export function SideSheet({ title, note, onClose, children, foot }: SideSheetProps) {
  useReturnFocus(true);
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size={470}
      transitionProps={{ duration: 110 }}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
    >
      <Drawer.Overlay backgroundOpacity={0.25} />
      <Drawer.Content>
        <div className={classes.head}>
          <div className={classes.words}>
            <Drawer.Title className={classes.title}>{title}</Drawer.Title>
            {note === undefined ? null : <div className={classes.note}>{note}</div>}
          </div>
          <Drawer.CloseButton aria-label="Close" />
        </div>
        <Drawer.Body>{children}</Drawer.Body>
        {foot === undefined ? null : <div className={classes.foot}>{foot}</div>}
      </Drawer.Content>
    </Drawer.Root>
  );
}
