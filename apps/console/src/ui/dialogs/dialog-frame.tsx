import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog-frame.module.css';

export interface DialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly size?: number | string;
  /** False while the dialog shows something that cannot be shown again. Only its button closes it then. */
  readonly closesLightly?: boolean;
  /** Shows the title to screen readers only, and the content without padding. */
  readonly isBare?: boolean;
  readonly children: ReactNode;
}

/**
 * A modal dialog. Composed of the library's parts, because its own header would be a second banner of the
 * page.
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
