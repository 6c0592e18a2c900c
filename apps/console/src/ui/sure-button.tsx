import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';

const ASKED_MS = 5_000;

interface SureButtonProps {
  readonly label: string;
  /** What the second press does, said between the two. */
  readonly sureLabel: string;
  readonly isPending: boolean;
  readonly onSure: () => void;
}

/** Asks in its own place whether it is meant, where another dialog would be one too many. Left alone it is as before. */
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
  return <Button size="compact-xs" variant={isAsked ? 'filled' : 'default'} {...(isAsked ? { color: 'brick' } : {})} loading={isPending} onClick={press} onBlur={() => setAsked(false)}>{isAsked ? sureLabel : label}</Button>;
}
