/** The position of a list by time: after the last returned entry. */
export interface PagePlace {
  readonly at: Date;
  readonly id: string;
}

export function writePageCursor(place: PagePlace | undefined): string | null {
  return place === undefined ? null : `${place.at.getTime()}.${place.id}`;
}

/** Returns null for the beginning. An invalid cursor leads beyond the end. */
export function readPageCursor(cursor: string | undefined): PagePlace | null {
  if (cursor === undefined) return null;
  const [, ms, id] = /^(\d{1,15})\.([a-z]+_\w{1,36})$/.exec(cursor) ?? [];
  return ms === undefined || id === undefined ? { at: new Date(0), id: '' } : { at: new Date(Number(ms)), id };
}
