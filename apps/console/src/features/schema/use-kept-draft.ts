import { useState } from 'react';
import { readText, writeText } from '../../ui/use-kept.js';

/** Text that survives leaving the page, kept in this browser until it is emptied. */
export function useKeptDraft(name: string): [string, (text: string) => void] {
  const key = toKey(name);
  const [text, setText] = useState(() => read(key));
  const keep = (next: string): void => {
    setText(next);
    write(key, next);
  };
  return [text, keep];
}

/** Puts a text behind the one that the field of this name has. */
export function addToDraft(name: string, text: string): void {
  const before = read(toKey(name)).trimEnd();
  write(toKey(name), before === '' ? text : `${before}\n${text}`);
}

/** Puts a text where the field of this name will find it. */
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
