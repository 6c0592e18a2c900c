import type { Assignment } from './resolve/assign.js';
import type { Statement } from './types.js';

/** One statement that the question may mean; the lower the cost, the closer to its words. */
export interface Candidate extends Statement {
  readonly cost: number;
  readonly assignment: Assignment;
}

/** No reading has as many ways. */
const PLACES_MAX = 1_000;

/** `place`: of its first way. */
interface PlacedSource extends Source {
  readonly place: number;
}

interface Written {
  readonly key: string;
  /** Where the first way to take the question stands that comes to this statement: of equal costs, the earlier. */
  readonly place: number;
  readonly candidate: Candidate;
}

interface Way {
  readonly place: number;
  readonly assignment: Assignment;
}

/** A reading of the question, before it is looked up which ways there are to take its names. */
export interface Source {
  /** None of its ways costs less. */
  readonly floor: number;
  readonly list: () => readonly Assignment[];
}

/**
 * Statements that the question may mean, cheapest first, each once, by its cheapest way. A statement costs at least what its way of taking the
 * question does, and a way at least its reading's floor, so that readings are gone into and ways written as statements only as far as whoever asks
 * goes on: most cost too much to be looked at.
 */
export class RankedCandidates implements Iterable<Candidate> {
  /** Readings that nobody has gone into yet, that of the lowest floor last. */
  #sources: PlacedSource[];
  /** Ways that are not written yet, the cheapest last. */
  #ways: Way[] = [];
  readonly #write: (assignment: Assignment) => Candidate | null;
  readonly #written = new Map<string, Written>();
  readonly #told = new Set<string>();
  readonly #ranked: Candidate[] = [];
  #writes = 0;

  /** `write`: the statement of a way, which costs no less than the way; null where there is none. */
  constructor(sources: readonly Source[], write: (assignment: Assignment) => Candidate | null) {
    this.#sources = sources.map(({ floor, list }, at) => ({ floor, list, place: at * PLACES_MAX })).sort((a, b) => b.floor - a.floor);
    this.#write = write;
  }

  /** How many ways have been written as statements so far: what a question costs is mostly this. */
  get writes(): number {
    return this.#writes;
  }

  /** The candidate at a place of the ranking; undefined behind the last. */
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

  /** Writes on until nothing that is still to be written can be as cheap as the cheapest that is. */
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

  /** Goes into every reading that may have a way as cheap as a statement and as the cheapest way that is known. */
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

  /** Of statements that cost the same, the one comes first that some way comes to first, however much that way costs: those in front are written, too. Were there any? */
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
