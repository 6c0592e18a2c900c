import type { Rights } from '@rowhouse/schema-model';

/** The target versions. Debian 12 has Pydantic 1.10 and SQLAlchemy 1.4. */
export interface PythonOptions {
  readonly pydantic: '1' | '2';
  readonly sqlalchemy: '1.4' | '2.0';
  /** The columns by table that the data API never returns. Rows include them, but read schemas do not. */
  readonly hiddenColumns: Rights['hiddenColumns'];
  /** The TINYINT(1) columns by table that the data API treats as numbers. */
  readonly numberColumns?: Rights['numberColumns'];
}
/**
 * Returns a Python string literal.
 * Python supports all escapes of JSON, and allows the other characters in source files.
 */
export function toPythonString(text: string): string {
  return JSON.stringify(text);
}

/** Returns a call on one line, or with one argument per line when it is long. */
export function toCall(callee: string, args: readonly string[], indent: number): string {
  const line = `${callee}(${args.join(', ')})`;
  if (line.length + indent <= 118 || args.length < 2) return line;
  const pad = ' '.repeat(indent + 4);
  return `${callee}(\n${args.map((arg) => `${pad}${arg},\n`).join('')}${' '.repeat(indent)})`;
}

/** Collects the imports of a module while its lines are written. */
export class PythonImports {
  readonly #modules = new Set<string>();
  readonly #names = new Map<string, Set<string>>();

  /** Adds a statement such as `import datetime as dt`. */
  module(line: string): void {
    this.#modules.add(line);
  }

  /** Adds an import and returns its name, so that a call can be used in place of the name. */
  name(module: string, name: string): string {
    const names = this.#names.get(module) ?? new Set<string>();
    names.add(name);
    this.#names.set(module, names);
    return name;
  }

  /** Returns the imports: standard library first, then packages, then this package. */
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
