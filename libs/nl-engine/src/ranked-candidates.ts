import type { Assignment } from './resolve/assign.js';
import type { Statement } from './types.js';

/** A statement that the question may mean. A lower cost means that it is closer to the words. */
export interface Candidate extends Statement {
  readonly cost: number;
  readonly assignment: Assignment;
}

/**
 * An upper bound on the number of assignments of an interpretation.
 * It separates the position ranges of two interpretations.
 */
const PLACES_MAX = 1_000;

/** `place` is the position of the first assignment of this source. */
interface PlacedSource extends Source {
  readonly place: number;
}

interface Written {
  readonly key: string;
  /**
   * The position of the first assignment that leads to this statement.
   * It decides between statements of equal cost.
   */
  readonly place: number;
  readonly candidate: Candidate;
}

interface Way {
  readonly place: number;
  readonly assignment: Assignment;
}

/** An interpretation of the question before its names are assigned. */
export interface Source {
  /** A lower bound on the cost of its assignments. */
  readonly floor: number;
  readonly list: () => readonly Assignment[];
}

/**
 * Iterates over the statements that a question may mean, cheapest first.
 * Each statement appears once, with its cheapest assignment.
 *
 * A statement costs at least as much as its assignment, and an assignment at least as much as the lower bound
 * of its interpretation. Interpretations are therefore expanded, and assignments written as SQL, only as far
 * as the caller iterates. Most of them cost too much to be needed.
 */
export class RankedCandidates implements Iterable<Candidate> {
  /** Interpretations that have not been expanded, in descending order of their lower bounds. */
  #sources: PlacedSource[];
  /** Assignments that have not been written as SQL, in descending order of cost. */
  #ways: Way[] = [];
  readonly #write: (assignment: Assignment) => Candidate | null;
  readonly #written = new Map<string, Written>();
  readonly #told = new Set<string>();
  readonly #ranked: Candidate[] = [];
  #writes = 0;

  /**
   * @param write Returns the statement of an assignment, or null if none exists. The statement costs no
   *   less than the assignment.
   */
  constructor(sources: readonly Source[], write: (assignment: Assignment) => Candidate | null) {
    this.#sources = sources.map(({ floor, list }, at) => ({ floor, list, place: at * PLACES_MAX })).sort((a, b) => b.floor - a.floor);
    this.#write = write;
  }

  /** The number of assignments written as statements so far. They make up most of the cost of a question. */
  get writes(): number {
    return this.#writes;
  }

  /** Returns the candidate at an index of the ranking, or undefined after the last one. */
  at(place: number): Candidate | undefined {
    while (this.#ranked.length <= place) {
      const next = this.#takeNext();
      if (next === null) return undefined;
      this.#ranked.push(next);
    }
    return this.#ranked[place];
  }

  *[Symbol.iterator](): Generator<Candidate, undefined> {
    for (let place = 0; ; place += 1) {
      const candidate = this.at(place);
      if (candidate === undefined) return undefined;
      yield candidate;
    }
  }

  /** Writes statements until no remaining assignment can be cheaper than the cheapest statement. */
  #takeNext(): Candidate | null {
    for (;;) {
      const best = this.#findBest();
      this.#goIntoCheap(best?.candidate.cost ?? Number.POSITIVE_INFINITY);
      const way = this.#ways.at(-1);
      if (way === undefined || (best !== null && best.candidate.cost < way.assignment.cost)) {
        if (best === null) return null;
        if (this.#isTied(best) && this.#writeEarlier(best.place)) continue;
        this.#written.delete(best.key);
        this.#told.add(best.key);
        return best.candidate;
      }
      this.#ways.pop();
      this.#add(way);
    }
  }

  /**
   * Expands every interpretation whose lower bound is at most
   * `cost` and at most the cost of the cheapest known assignment.
   */
  #goIntoCheap(cost: number): void {
    for (let source = this.#sources.at(-1); source !== undefined && source.floor <= Math.min(cost, this.#ways.at(-1)?.assignment.cost ?? cost); source = this.#sources.at(-1)) {
      this.#sources.pop();
      this.#goInto([source]);
    }
  }

  #goInto(sources: readonly PlacedSource[]): void {
    const ways = sources.flatMap((source) => source.list().map((assignment, at) => ({ place: source.place + at, assignment })));
    this.#ways = [...this.#ways, ...ways].sort((a, b) => b.assignment.cost - a.assignment.cost || b.place - a.place);
  }

  #isTied(best: Written): boolean {
    return [...this.#written.values()].some((other) => other !== best && other.candidate.cost === best.candidate.cost);
  }

  /**
   * Writes the remaining assignments that come before `place`, since they may lead to the
   * same statement. Among statements of equal cost, the one with the earliest assignment
   * comes first, even if that assignment is expensive. Returns whether there were any.
   */
  #writeEarlier(place: number): boolean {
    this.#goInto(this.#sources.filter((source) => source.place < place));
    this.#sources = this.#sources.filter((source) => source.place >= place);
    const earlier = this.#ways.filter((way) => way.place < place);
    this.#ways = this.#ways.filter((way) => way.place >= place);
    for (const way of earlier) this.#add(way);
    return earlier.length > 0;
  }

  #findBest(): Written | null {
    let best: Written | null = null;
    for (const written of this.#written.values()) {
      if (best === null || written.candidate.cost < best.candidate.cost || (written.candidate.cost === best.candidate.cost && written.place < best.place)) best = written;
    }
    return best;
  }

  #add({ place, assignment }: Way): void {
    this.#writes += 1;
    const candidate = this.#write(assignment);
    if (candidate === null) return;
    const key = `${candidate.sql}\u0000${JSON.stringify(candidate.params)}`;
    if (this.#told.has(key)) return;
    const known = this.#written.get(key);
    const isCloser = known === undefined || candidate.cost < known.candidate.cost || (candidate.cost === known.candidate.cost && place < known.place);
    this.#written.set(key, { key, place: Math.min(place, known?.place ?? place), candidate: isCloser ? candidate : known.candidate });
  }
}
