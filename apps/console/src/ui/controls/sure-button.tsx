import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';

const ASKED_MS = 5_000;

interface SureButtonProps {
  readonly label: string;
  /** The label before the second press. */
  readonly sureLabel: string;
  readonly isPending: boolean;
  readonly onSure: () => void;
}

/**
 * A button that asks for a second press as confirmation, instead of opening another dialog. After a while
 * without a second press, it returns to its first state.
 */
export function SureButton({ label, sureLabel, isPending, onSure }: SureButtonProps) {
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isAsked) return undefined;
    const timer = setTimeout(() => setAsked(false), ASKED_MS);
    return () => clearTimeout(timer);
  }, [isAsked]);
  const press = (): void => {
    setAsked(!isAsked);
    if (isAsked) onSure();
  };
  return (
    <Button
      size="compact-xs"
      variant={isAsked ? 'filled' : 'default'}
      {...(isAsked ? { color: 'brick' } : {})}
      loading={isPending}
      onClick={press}
      onBlur={() => setAsked(false)}
    >
      {isAsked ? sureLabel : label}
    </Button>
  );
}
