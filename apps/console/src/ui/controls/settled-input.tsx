import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

const SETTLED_MS = 350;

interface SettledInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string;
  /** Called when the user pauses typing, and on Enter. */
  readonly onSettle: (value: string) => void;
}

/**
 * A text field that reports its value once the user pauses typing, so that URLs and queries do not change
 * with each keystroke.
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
