/** The position of a list by time: after the last returned entry. */
export interface PagePosition {
  readonly at: Date;
  readonly id: string;
}

export function writePageCursor(position: PagePosition | undefined): string | null {
  return position === undefined ? null : `${position.at.getTime()}.${position.id}`;
}

/** Returns null for the beginning. An invalid cursor leads beyond the end. */
export function readPageCursor(cursor: string | undefined): PagePosition | null {
  if (cursor === undefined) return null;
  const [, ms, id] = /^(\d{1,15})\.([a-z]+_\w{1,36})$/.exec(cursor) ?? [];
  return ms === undefined || id === undefined
    ? { at: new Date(0), id: '' }
    : { at: new Date(Number(ms)), id };
}
