// @ts-check
const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
/** @type {Buffer} */
const NOTHING = Buffer.alloc(0);

/**
 * Creates a parser that finds the end of HTTP responses, with one request
 * in flight at a time. It parses the head and only counts the bytes of the body. A slower reader would limit
 * the measured rate of the target.
 * @param {boolean} keepsBody
 */
export function createResponseReader(keepsBody) {
  let head = NOTHING;
  /** @type {number | 'chunked' | null} */
  let length = null;
  let seen = 0;
  let isOk = false;
  let tail = NOTHING;
  /** @type {Buffer[]} */
  let parts = [];
  /** @type {string | null} */
  let lastBody = null;

  /**
   * @param {Buffer} chunk
   * @returns {Buffer | null} the bytes that belong to the body
   */
  function takeHead(chunk) {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const end = head.indexOf(HEAD_END);
    if (end < 0) return null;
    const text = head.toString('latin1', 0, end);
    isOk = text.charCodeAt(9) === 0x32;
    const counted = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
    length = counted !== undefined ? Number(counted) : /^HTTP\/1\.1 (204|304)/.test(text) ? 0 : 'chunked';
    return head.subarray(end + HEAD_END.length);
  }

  return {
    lastBody: () => lastBody,
    /**
     * @param {Buffer} chunk
     * @returns {{ isOk: boolean } | null} null until the response is complete
     */
    take(chunk) {
      const body = length === null ? takeHead(chunk) : chunk;
      if (body === null) return null;
      seen += body.length;
      if (keepsBody) parts.push(body);
      tail =
        body.length >= LAST_CHUNK.length
          ? body.subarray(-LAST_CHUNK.length)
          : Buffer.concat([tail, body]).subarray(-LAST_CHUNK.length);
      if (length === 'chunked' ? !tail.equals(LAST_CHUNK) : seen < (length ?? 0)) return null;
      lastBody = keepsBody ? Buffer.concat(parts).toString('utf8') : null;
      [head, length, seen, tail, parts] = [NOTHING, null, 0, NOTHING, []];
      return { isOk };
    },
  };
}
