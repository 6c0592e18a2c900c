import type { Rights } from '@rowhouse/schema-model';

/** The library versions for which code is generated. Debian 12 has Pydantic 1.10 and SQLAlchemy 1.4. */
export interface PythonOptions {
  readonly pydantic: '1' | '2';
  readonly sqlalchemy: '1.4' | '2.0';
  /**
   * The columns that the data API never returns, by table. The SQLAlchemy classes contain them, but the
   * Pydantic classes for reading do not.
   */
  readonly hiddenColumns: Rights['hiddenColumns'];
  /** The TINYINT(1) columns that the data API treats as numbers instead of booleans, by table. */
  readonly numberColumns?: Rights['numberColumns'];
}
/**
 * Returns a Python string literal. Python supports all escapes of JSON, and allows all other characters in
 * source files.
 */
export function toPythonString(text: string): string {
  return JSON.stringify(text);
}

/** Returns a function call on one line. If the line would be too long, each argument has its own line. */
export function toCall(callee: string, args: readonly string[], indent: number): string {
  const line = `${callee}(${args.join(', ')})`;
  if (line.length + indent <= 118 || args.length < 2) return line;
  const pad = ' '.repeat(indent + 4);
  return `${callee}(\n${args.map((arg) => `${pad}${arg},\n`).join('')}${' '.repeat(indent)})`;
}

/** Collects the imports of a module while the module's lines are written. */
export class PythonImports {
  readonly #modules = new Set<string>();
  readonly #names = new Map<string, Set<string>>();

  /** Adds a statement such as `import datetime as dt`. */
  module(line: string): void {
    this.#modules.add(line);
  }

  /** Adds an import and returns the imported name, so that the call can be used in the place of the name. */
  name(module: string, name: string): string {
    const names = this.#names.get(module) ?? new Set<string>();
    names.add(name);
    this.#names.set(module, names);
    return name;
  }

  /**
   * Returns the lines with imports: first those from the standard library, then from other packages, then
   * from this package.
   */
  render(): string {
    const lines = [
      ...this.#modules,
      ...[...this.#names].map(([module, names]) => `from ${module} import ${[...names].sort().join(', ')}`),
    ];
    const rank = (line: string): number =>
      /^from \./.test(line) ? 2 : /^(?:import|from) (?:sqlalchemy|pydantic)/.test(line) ? 1 : 0;
    const groups = [0, 1, 2].map((requestedCount) =>
      lines.filter((line) => rank(line) === requestedCount).sort(),
    );
    return groups
      .filter((group) => group.length > 0)
      .map((group) => `${group.join('\n')}\n`)
      .join('\n');
  }
}
