const [QUOTE, BACKSLASH, SPACE] = [0x22, 0x5c, 0x20];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, COMMA, COLON] = [
  0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a,
];
const [MINUS, PLUS, POINT, ZERO, NINE] = [0x2d, 0x2b, 0x2e, 0x30, 0x39];

/** The state of the parser: which tokens the grammar allows next. */
type State =
  | 'value'
  | 'value_or_close'
  | 'name'
  | 'name_or_close'
  | 'colon'
  | 'after_value'
  | 'string'
  | 'escape'
  | 'hex'
  | 'word'
  | 'minus'
  | 'zero'
  | 'integer'
  | 'point'
  | 'fraction'
  | 'exponent'
  | 'exponent_sign'
  | 'exponent_digits';

/** States in which a number may end. */
const NUMBER_ENDS: ReadonlySet<State> = new Set<State>(['zero', 'integer', 'fraction', 'exponent_digits']);
const WORDS: ReadonlyMap<number, string> = new Map([
  [0x74, 'rue'],
  [0x66, 'alse'],
  [0x6e, 'ull'],
]);
const ESCAPES: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt', 'latin1'));

/** Checks incrementally whether bytes are JSON text, with the same result as `JSON.parse`. */
export class JsonChecker {
  #state: State = 'value';
  /** The arrays and objects that are open, innermost last. True means an object. */
  readonly #open: boolean[] = [];
  #isName = false;
  #word = '';
  #hexLeft = 0;
  #hasFailed = false;

  /** Checks the next bytes. Returns false once the text cannot become valid JSON. */
  feed(bytes: Buffer, start: number, end: number): boolean {
    for (let offset = start; offset < end && !this.#hasFailed; offset += 1) {
      if (this.#state === 'string') offset = skipPlain(bytes, offset, end);
      if (offset < end) this.#take(bytes[offset] as number);
    }
    return !this.#hasFailed;
  }

  /** Returns whether the bytes so far are one complete value. */
  isComplete(): boolean {
    return (
      !this.#hasFailed &&
      this.#open.length === 0 &&
      (this.#state === 'after_value' || NUMBER_ENDS.has(this.#state))
    );
  }

  #take(byte: number): void {
    switch (this.#state) {
      case 'string':
        return this.#takeInString(byte);
      case 'escape':
        return this.#takeEscape(byte);
      case 'hex':
        return this.#takeHex(byte);
      case 'word':
        return this.#takeWord(byte);
      case 'value':
      case 'value_or_close':
      case 'name':
      case 'name_or_close':
      case 'colon':
      case 'after_value':
        return this.#takeBetween(byte);
      default:
        return this.#takeNumber(byte);
    }
  }

  #takeInString(byte: number): void {
    if (byte === QUOTE) this.#state = this.#isName ? 'colon' : 'after_value';
    else if (byte === BACKSLASH) this.#state = 'escape';
    else this.#hasFailed = byte < SPACE;
  }

  #takeEscape(byte: number): void {
    if (byte === 0x75) [this.#state, this.#hexLeft] = ['hex', 4];
    else if (ESCAPES.has(byte)) this.#state = 'string';
    else this.#hasFailed = true;
  }

  #takeHex(byte: number): void {
    this.#hasFailed = !((byte >= ZERO && byte <= NINE) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66));
    this.#hexLeft -= 1;
    if (this.#hexLeft === 0) this.#state = 'string';
  }

  #takeWord(byte: number): void {
    this.#hasFailed = this.#word.charCodeAt(0) !== byte;
    this.#word = this.#word.slice(1);
    if (this.#word === '') this.#state = 'after_value';
  }

  #takeBetween(byte: number): void {
    if (byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09) return;
    switch (this.#state) {
      case 'colon':
        return this.#expect(byte === COLON, 'value');
      case 'name':
      case 'name_or_close':
        if (byte === CLOSE_OBJECT && this.#state === 'name_or_close') return this.#close(true);
        this.#isName = true;
        return this.#expect(byte === QUOTE, 'string');
      case 'after_value':
        if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) return this.#close(byte === CLOSE_OBJECT);
        return this.#expect(
          byte === COMMA && this.#open.length > 0,
          this.#open.at(-1) === true ? 'name' : 'value',
        );
      default:
        if (byte === CLOSE_ARRAY && this.#state === 'value_or_close') return this.#close(false);
        return this.#begin(byte);
    }
  }

  #expect(isRight: boolean, next: State): void {
    if (isRight) this.#state = next;
    else this.#hasFailed = true;
  }

  #close(isObject: boolean): void {
    this.#expect(this.#open.pop() === isObject, 'after_value');
  }

  #begin(byte: number): void {
    this.#isName = false;
    if (byte === QUOTE) this.#state = 'string';
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      this.#open.push(byte === OPEN_OBJECT);
      this.#state = byte === OPEN_OBJECT ? 'name_or_close' : 'value_or_close';
    } else if (byte === MINUS) this.#state = 'minus';
    else if (byte >= ZERO && byte <= NINE) this.#state = byte === ZERO ? 'zero' : 'integer';
    else {
      this.#word = WORDS.get(byte) ?? '';
      this.#expect(this.#word !== '', 'word');
    }
  }

  #takeNumber(byte: number): void {
    const state = this.#state;
    const isDigit = byte >= ZERO && byte <= NINE;
    if (isDigit && state !== 'zero') this.#state = followsDigit(state, byte);
    else if (byte === POINT && (state === 'zero' || state === 'integer')) this.#state = 'point';
    else if ((byte | 0x20) === 0x65 && (state === 'zero' || state === 'integer' || state === 'fraction'))
      this.#state = 'exponent';
    else if ((byte === PLUS || byte === MINUS) && state === 'exponent') this.#state = 'exponent_sign';
    else if (NUMBER_ENDS.has(state) && !isDigit) {
      this.#state = 'after_value';
      this.#takeBetween(byte);
    } else this.#hasFailed = true;
  }
}

function followsDigit(state: State, byte: number): State {
  switch (state) {
    case 'minus':
      return byte === ZERO ? 'zero' : 'integer';
    case 'point':
      return 'fraction';
    case 'exponent':
    case 'exponent_sign':
      return 'exponent_digits';
    default:
      return state;
  }
}

/**
 * Returns the position of the next byte that ends the string, starts an escape, or is not allowed in a
 * string.
 */
function skipPlain(bytes: Buffer, start: number, end: number): number {
  let offset = start;
  for (; offset < end; offset += 1) {
    const byte = bytes[offset] as number;
    if (byte === QUOTE || byte === BACKSLASH || byte < SPACE) break;
  }
  return offset;
}
