import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

const SETTLED_MS = 350;

interface SettledInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string;
  /** Called when typing has paused, and on Enter. */
  readonly onSettle: (value: string) => void;
}

/**
 * A field that reports its text once typing pauses, so that URLs and queries do not follow each keystroke.
 */
export function SettledInput({ value, onSettle, ...rest }: SettledInputProps) {
  const [typed, setTyped] = useState(value);
  const reported = useRef(value);
  const settle = useRef(onSettle);
  settle.current = onSettle;
  useEffect(() => {
    reported.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === reported.current) return;
    const timer = setTimeout(() => {
      reported.current = typed;
      settle.current(typed);
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextInput
      {...rest}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
