import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog-frame.module.css';

export interface DialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly size?: number | string;
  /**
   * Whether Escape or a click outside closes the dialog. It is false while the dialog shows something that
   * cannot be shown again.
   */
  readonly closesLightly?: boolean;
  /** Whether the content has no padding, and the title is visible only to screen readers. */
  readonly isBare?: boolean;
  readonly children: ReactNode;
}

/**
 * A modal dialog. It is built from Mantine's parts, because the header of Mantine's own dialog would be a
 * second banner of the page.
 */
export function DialogFrame({
  opened,
  onClose,
  title,
  size = 'md',
  closesLightly = true,
  isBare = false,
  children,
}: DialogProps) {
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={size}
      centered={!isBare}
      yOffset="10vh"
      closeOnClickOutside={closesLightly}
      closeOnEscape={closesLightly}
      transitionProps={{ duration: 110 }}
      classNames={{ content: classes.content ?? '' }}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content>
        {isBare ? (
          <Modal.Title className="rh-spoken">{title}</Modal.Title>
        ) : (
          <div className={classes.head}>
            <Modal.Title className={classes.title}>{title}</Modal.Title>
            {closesLightly ? <Modal.CloseButton aria-label="Close" /> : null}
          </div>
        )}
        <Modal.Body p={isBare ? 0 : undefined}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
