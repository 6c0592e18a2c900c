import type { AdminConnection, AdminRow, AdminSession, AdminValue } from '@rowhouse/mysql';

type Outcome =
  | { readonly kind: 'done'; readonly result: Awaited<ReturnType<AdminSession['run']>> }
  | { readonly kind: 'rejected'; readonly error: unknown };

/**
 * The state of a database after a list of statements was run in it, and the results of reads in that state.
 * The database was empty at first.
 */
interface State {
  readonly next: Map<string, { readonly outcome: Outcome; readonly state: State }>;
  readonly reads: Map<string, readonly AdminRow[]>;
}

const newState = (): State => ({ next: new Map(), reads: new Map() });

/**
 * Stores the results of statements for all databases of one sequence. The same statements have the same
 * results in each empty database.
 */
export class SequenceMemory {
  #empty = newState();

  get empty(): State {
    return this.#empty;
  }

  clear(): void {
    this.#empty = newState();
  }
}

const DONE: Outcome = { kind: 'done', result: { affectedRows: 0, insertId: 0 } };
const OWN = '\u0000';

/**
 * A session with a database that is empty at first. If another database of the sequence has already run the
 * same statements, they are not run. If a result is missing for a statement or read, all statements
 * are run.
 */
export class RememberedSession {
  readonly #performed: string[] = [];
  #ranCount = 0;
  /** The current state; null at the start, because each sequence has its own first state. */
  #state: State | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly memory: SequenceMemory,
    private readonly connection: AdminConnection,
    private readonly schemaName: string,
  ) {}

  /**
   * Returns the session in the form that the worker's code expects. Results are stored only for the methods
   * that the worker's code calls here.
   */
  get session(): AdminConnection {
    return {
      ...this.connection,
      run: (sql, values = []) => this.#inOrder(() => this.#run(sql, values)),
      rows: <T>(sql: string, values: readonly AdminValue[] = []) =>
        this.#inOrder(() => this.#rows(sql, values)) as Promise<T[]>,
    };
  }

  /** Records a statement that other code has just run in the database. */
  add(sql: string): void {
    const before = this.#state ?? this.memory.empty;
    const known = before.next.get(sql) ?? { outcome: DONE, state: newState() };
    before.next.set(sql, known);
    this.#state = known.state;
    this.#performed.push(sql);
    this.#ranCount += 1;
  }

  /** Starts with an empty database again. `empty` drops the contents if there are any. */
  async reset(empty: () => Promise<void>): Promise<void> {
    await this.#queue;
    if (this.#ranCount > 0) await empty();
    this.#performed.length = 0;
    this.#ranCount = 0;
    this.#state = null;
  }

  /** Calls run in order, because the worker sends some reads in parallel. */
  #inOrder<T>(callback: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(callback);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #run(sql: string, values: readonly AdminValue[]): ReturnType<AdminSession['run']> {
    if (values.length > 0) throw new Error(`a statement with values cannot be remembered: ${sql}`);
    const before = this.#state ?? this.memory.empty;
    let known = before.next.get(sql);
    this.#performed.push(sql);
    if (known === undefined) {
      const outcome = await this.#catchUp();
      known = { outcome, state: newState() };
      before.next.set(sql, known);
    }
    this.#state = known.state;
    if (known.outcome.kind === 'rejected') throw known.outcome.error;
    return known.outcome.result;
  }

  async #rows(sql: string, values: readonly AdminValue[]): Promise<readonly AdminRow[]> {
    const key = JSON.stringify([sql, values]).replaceAll(this.schemaName, OWN);
    const { reads } = this.#state ?? this.memory.empty;
    const known = reads.get(key);
    if (known !== undefined) return structuredClone(known);
    await this.#catchUp();
    const rows = await this.connection.rows(sql, values);
    if (!showText(rows).includes(this.schemaName)) reads.set(key, structuredClone(rows));
    return rows;
  }

  /** Runs the statements that were only recorded, and returns the outcome of the last one. */
  async #catchUp(): Promise<Outcome> {
    let outcome: Outcome = { kind: 'rejected', error: new Error('nothing was run') };
    for (; this.#ranCount < this.#performed.length; this.#ranCount += 1) {
      try {
        const result = await this.connection.run(this.#performed[this.#ranCount] ?? '');
        outcome = { kind: 'done', result };
      } catch (error) {
        if (this.connection.isLost()) throw error;
        outcome = { kind: 'rejected', error };
      }
    }
    return outcome;
  }
}

function showText(rows: readonly AdminRow[]): string {
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
