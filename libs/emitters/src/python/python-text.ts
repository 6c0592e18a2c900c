/** A string of Python. JSON's escapes are among Python's; what stays as it is may stand in a source file. */
export function toPythonString(text: string): string {
  return JSON.stringify(text);
}

/** Arguments over one line, or one line each where that would be long. */
export function toCall(callee: string, args: readonly string[], indent: number): string {
  const line = `${callee}(${args.join(', ')})`;
  if (line.length + indent <= 118 || args.length < 2) return line;
  const pad = ' '.repeat(indent + 4);
  return `${callee}(\n${args.map((arg) => `${pad}${arg},\n`).join('')}${' '.repeat(indent)})`;
}

/** The names that a module takes from others, as its lines come to need them. */
export class PythonImports {
  readonly #modules = new Set<string>();
  readonly #names = new Map<string, Set<string>>();

  /** `import datetime as dt` and the like. */
  module(line: string): void {
    this.#modules.add(line);
  }

  /** Answers the name, so that it can stand where it is used. */
  name(module: string, name: string): string {
    const names = this.#names.get(module) ?? new Set<string>();
    names.add(name);
    this.#names.set(module, names);
    return name;
  }

  /** Standard library first, then packages, then this package. */
  render(): string {
    const lines = [...this.#modules, ...[...this.#names].map(([module, names]) => `from ${module} import ${[...names].sort().join(', ')}`)];
    const rank = (line: string): number => (/^from \./.test(line) ? 2 : /^(?:import|from) (?:sqlalchemy|pydantic)/.test(line) ? 1 : 0);
    const groups = [0, 1, 2].map((wanted) => lines.filter((line) => rank(line) === wanted).sort());
    return groups.filter((group) => group.length > 0).map((group) => `${group.join('\n')}\n`).join('\n');
  }
}
