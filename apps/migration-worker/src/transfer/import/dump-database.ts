const SYSTEM: ReadonlySet<string> = new Set(['mysql', 'sys', 'information_schema', 'performance_schema']);

/**
 * The database that a dump belongs to. It is the first one that the dump selects with USE or writes before a
 * name. Statements for other databases are left out.
 */
export class DumpDatabase {
  private home: string | null = null;
  private current: string | null = null;

  get name(): string | null {
    return this.home;
  }

  /** Handles `USE name`. */
  enter(name: string): void {
    this.current = name;
    this.adopt(name);
  }

  /**
   * Returns whether a name before a dot is the dump's own database. The first such name becomes the dump's
   * database.
   */
  adopt(name: string): boolean {
    if (this.home === null && !SYSTEM.has(name.toLowerCase())) this.home = name;
    // Dumps of Windows servers may write the name of one database in upper and lower case.
    return this.home?.toLowerCase() === name.toLowerCase();
  }

  /** Returns the current database of unqualified names if it is not the dump's own; otherwise null. */
  findOther(): string | null {
    return this.current === null || this.current.toLowerCase() === this.home?.toLowerCase()
      ? null
      : this.current;
  }
}
