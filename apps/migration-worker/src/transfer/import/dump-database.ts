const SYSTEM: ReadonlySet<string> = new Set(['mysql', 'sys', 'information_schema', 'performance_schema']);

/** The database of a dump: the first that it uses or writes before a name. Others are left out. */
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

  /** Returns whether a name before a dot is the dump's own database. */
  adopt(name: string): boolean {
    if (this.home === null && !SYSTEM.has(name.toLowerCase())) this.home = name;
    // Dumps of Windows servers spell one database in several ways.
    return this.home?.toLowerCase() === name.toLowerCase();
  }

  /** Returns the current database for unqualified names if it is another one, or null in the dump's own. */
  findOther(): string | null {
    return this.current === null || this.current.toLowerCase() === this.home?.toLowerCase()
      ? null
      : this.current;
  }
}
