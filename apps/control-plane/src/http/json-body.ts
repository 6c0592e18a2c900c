import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, faultAt, validationError } from '@rowhouse/errors';
import { createByteChunks, networkOf } from '@rowhouse/runtime';
import { createFairByteBudget, openReservation } from '@rowhouse/admission';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isContinueExpected, type RejectEarly } from './reject-early.js';

export const BODY_BYTES_MAX = 2 * 1024 * 1024;
/**
 * The maximum number of JSON values in a body. The largest valid body grants a key rights to ten thousand
 * tables and has half this number of values. Parsing and checking more values would take time that other
 * requests need.
 */
const VALUES_MAX = 100_000;
/** The maximum number of members of one object or array. A key has rights to at most ten thousand tables. */
const MEMBERS_MAX = 20_000;
const DEPTH_MAX = 64;
/** Matches a part of an escaped surrogate. Text with half of a surrogate pair cannot be stored. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;
const NO_BYTES = Buffer.alloc(0);
/**
 * The byte budget of all bodies that are being received or processed. It exists because the session is only
 * checked once the body has arrived. One client address may use half of the budget.
 */
const BODIES_BYTES_MAX = 96 * 1024 * 1024;

/** The number of bytes of each body that are not counted, so that a short body is always accepted. */
const FREE_BYTES = 16 * 1024;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Reserves bytes for a body that has grown to `length`. Returns false when the budget has no space for it.
 */
type GrowBody = (length: number) => boolean;

/**
 * Accepts only uncompressed JSON bodies in UTF-8. An empty body counts as a missing body, whatever its
 * Content-Type is.
 */
export function acceptJsonBodies(
  fastify: FastifyInstance,
  rejectEarly: RejectEarly,
  bodiesBytesMax = BODIES_BYTES_MAX,
): void {
  const responses = storeResponses(fastify);
  const reserve = createReservations(bodiesBytesMax, responses);
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', (req, payload, done) =>
    receive(payload, reserve(req), toEarlyCheck(req, responses, rejectEarly), (fault, bytes) => {
      if (fault !== null || bytes.length === 0) {
        done(fault, undefined);
        return;
      }
      const rejection = findRejection(req.headers['content-encoding'], bytes);
      if (rejection !== null) {
        done(rejection);
        return;
      }
      const text = bytes.toString('utf8');
      // Fastify's default parser reports its result only through the callback.
      void parse(req, text, (error, value) => {
        if (error) done(new AppError('request.malformed_json', { cause: error }));
        else if (SURROGATE_ESCAPE.test(text) && !isWellFormed(value))
          done(
            invalidBody(
              'The body contains half of a surrogate pair, which is not a valid character.',
              'string_unicode',
            ),
          );
        else done(null, value);
      });
    }),
  );
}

/** Maps each request to its response for as long as both exist. */
function storeResponses(fastify: FastifyInstance): WeakMap<FastifyRequest, ServerResponse> {
  const responses = new WeakMap<FastifyRequest, ServerResponse>();
  fastify.addHook('onRequest', (req, reply, done) => {
    responses.set(req, reply.raw);
    done();
  });
  return responses;
}

/** Sends 100 Continue to a client that waits for it, once the headers are valid. */
function toEarlyCheck(
  req: FastifyRequest,
  responses: WeakMap<FastifyRequest, ServerResponse>,
  rejectEarly: RejectEarly,
): () => Promise<AppError | null> {
  return async () => {
    const rejection = await rejectEarly(req);
    if (rejection === null && isContinueExpected(req)) responses.get(req)?.writeContinue();
    return rejection;
  };
}

/**
 * Tracks the bytes of bodies by client address. The bytes are released when the response was sent or the
 * client has disconnected.
 */
function createReservations(
  bytesMax: number,
  responses: WeakMap<FastifyRequest, ServerResponse>,
): (req: FastifyRequest) => GrowBody {
  const byteBudget = createFairByteBudget(bytesMax);
  return (req) => {
    const reservation = openReservation(byteBudget, networkOf(req.ip), FREE_BYTES);
    responses.get(req)?.once('close', () => reservation.end());
    return (length) => reservation.resize(length);
  };
}

/**
 * Receives a body and calls back once. Unlike Fastify, it does not hold one buffer for each tiny chunk.
 * `checkEarly` is called if the body did not arrive together with the headers.
 */
function receive(
  payload: IncomingMessage,
  grow: GrowBody,
  checkEarly: () => Promise<AppError | null>,
  done: (fault: Error | null, bytes: Buffer) => void,
): void {
  const byteChunks = createByteChunks();
  let length = 0;
  let isSettled = false;
  const settle = (fault: Error | null): void => {
    isSettled = true;
    payload.removeListener('data', onData).removeListener('end', onEnd).removeListener('error', onError);
    done(fault, fault === null ? byteChunks.join() : NO_BYTES);
  };
  const onEnd = (): void => settle(null);
  const onError = (error: Error): void =>
    settle(new AppError('request.malformed', { internal: error.message }));
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) settle(new AppError('request.body_too_large'));
    else if (grow(length)) byteChunks.add(chunk);
    else
      settle(
        new AppError('limit.busy', {
          retryAfterSeconds: 1,
          detail: 'This IP address has reached its memory limit for request bodies.',
          hint: 'Send fewer large bodies at once.',
          internal: 'bodies',
        }),
      );
  };
  if (Number(payload.headers['content-length']) > BODY_BYTES_MAX)
    return done(new AppError('request.body_too_large'), NO_BYTES);
  payload.on('data', onData).on('end', onEnd).on('error', onError).resume();
  setImmediate(() => {
    if (!isSettled)
      void checkEarly().then((rejection) => void (rejection !== null && !isSettled && settle(rejection)));
  });
}

/**
 * Returns why a body is too large to be parsed, or null. The bytes are scanned once, because parsing a deep
 * or wide body takes time that other requests need.
 */
function findExcess(bytes: Buffer): AppError | null {
  const members = new Uint32Array(DEPTH_MAX + 1);
  let [depth, values, isText] = [0, 0, false];
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (isText) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
      if (depth > DEPTH_MAX)
        return invalidBody(`A body can be nested at most ${DEPTH_MAX} levels deep.`, 'too_deep');
      members[depth] = 1;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth = Math.max(0, depth - 1);
    else if (byte === COMMA) {
      values += 1;
      members[depth] = (members[depth] ?? 0) + 1;
      if (values > VALUES_MAX || (members[depth] ?? 0) > MEMBERS_MAX)
        return invalidBody(
          `A body can contain at most ${VALUES_MAX.toLocaleString('en')} JSON values, and each object or list ${MEMBERS_MAX.toLocaleString('en')}.`,
          'too_many_values',
        );
    }
  }
  return null;
}

/** Returns whether all strings and member names are free of unpaired surrogates. */
function isWellFormed(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && !value.isWellFormed()) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, item] of Object.entries(value)) {
      if (!name.isWellFormed()) return false;
      open.push(item);
    }
  }
  return true;
}

function invalidBody(msg: string, type: string): AppError {
  return validationError('body.invalid', [faultAt(['body'], msg, type)]);
}

function findRejection(encoding: string | undefined, bytes: Buffer): AppError | null {
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') {
    return new AppError('request.unsupported_type', { detail: 'Send the body uncompressed.' });
  }
  return isUtf8(bytes) ? findExcess(bytes) : new AppError('request.invalid_utf8');
}
