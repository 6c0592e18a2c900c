/** Returns an own member of a record. A table may be named `constructor`, which every object inherits. */
export function ownMember<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
