import { useState } from 'react';

/** Text that survives leaving the page, kept in this browser until it is emptied. */
export function useKeptDraft(name: string): [string, (text: string) => void] {
  const key = `rowhouse-draft-${name}`;
  const [text, setText] = useState(() => read(key));
  const keep = (next: string): void => {
    setText(next);
    write(key, next);
  };
  return [text, keep];
}

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function write(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Storage is full or switched off: the text lives as long as the page.
  }
}
