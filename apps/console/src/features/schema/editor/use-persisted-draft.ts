import { useState } from 'react';
import { readText, writeText } from '../../../ui/controls/use-persisted-state.js';

/**
 * Returns a text that the browser stores until it is cleared, so that the text is still there after the user
 * has left the page.
 */
export function usePersistedDraft(name: string): [string, (text: string) => void] {
  const key = toKey(name);
  const [text, setText] = useState(() => read(key));
  const keep = (next: string): void => {
    setText(next);
    write(key, next);
  };
  return [text, keep];
}

/** Appends a text to the stored draft of the field with this name. */
export function addToDraft(name: string, text: string): void {
  const before = read(toKey(name)).trimEnd();
  write(toKey(name), before === '' ? text : `${before}\n${text}`);
}

/** Replaces the stored draft of the field with this name. */
export function keepDraft(name: string, text: string): void {
  write(toKey(name), text);
}

function toKey(name: string): string {
  return `rowhouse-draft-${name}`;
}

function read(key: string): string {
  return readText(key) ?? '';
}

function write(key: string, text: string): void {
  writeText(key, text === '' ? null : text);
}
