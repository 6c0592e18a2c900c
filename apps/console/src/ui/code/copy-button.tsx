import { ActionIcon, Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { copyText } from './copy-text.js';

const SAID_MS = 1_600;

interface CopyButtonProps {
  readonly text: string;
  /** The name of the button for screen readers, such as `Copy API key`. */
  readonly label: string;
  /** The text next to the icon. Without it, the button shows only the icon. */
  readonly caption?: string;
  readonly className?: string | undefined;
}

/**
 * A button that copies a text. The icon and a message for screen readers confirm this. The button's name for
 * screen readers stays the same.
 */
export function CopyButton({ text, label, caption, className }: CopyButtonProps) {
  const [message, setSaid] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (message === null) return;
    const timer = setTimeout(() => setSaid(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = async (): Promise<void> => setSaid((await copyText(text)) ? 'copied' : 'refused');
  const icon = message === 'copied' ? <IconCheck size={16} /> : <IconCopy size={16} />;
  const spoken = (
    <span role="status" className="rh-spoken">
      {message === 'copied'
        ? 'Copied'
        : message === 'refused'
          ? 'Couldn’t copy. Select the text and press Ctrl+C.'
          : ''}
    </span>
  );
  if (caption !== undefined) {
    return (
      <>
        <Button
          className={className}
          variant="default"
          size="xs"
          leftSection={icon}
          aria-label={label}
          onClick={() => void copy()}
        >
          {caption}
        </Button>
        {spoken}
      </>
    );
  }
  return (
    <span className={className}>
      <ActionIcon aria-label={label} title={label} variant="default" onClick={() => void copy()}>
        {icon}
      </ActionIcon>
      {spoken}
    </span>
  );
}
