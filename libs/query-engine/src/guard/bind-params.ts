import { faultAt, validationError, type AppError } from '@rowhouse/errors';
import { ExactDecimal } from '../lexer/exact-decimal.js';
import { findLoneSurrogate } from '../lexer/scan-text.js';
import type { QueryParams, QueryValue, SqlToken } from '../types.js';

/**
 * Returns the values of a statement's placeholders in order. A list contains the values of `?`. An object
 * contains those of `:name`, which may occur several times.
 *
 * @throws AppError 422 `body.invalid` for a wrong count, for missing or unused names, or for both forms at
 *   once
 */
export function bindParams(placeholders: readonly SqlToken[], params: QueryParams | undefined): QueryValue[] {
  const named = placeholders.filter((token) => token.text !== '?');
  if (named.length > 0 && named.length < placeholders.length) {
    throw paramsFault('The statement mixes ? and :name. Use one form.', 'params.mixed');
  }
  if (named.length > 0) return bindNamed(named, params);
  if (params === undefined) {
    if (placeholders.length > 0) throw countFault(placeholders.length, 0);
    return [];
  }
  if (!isList(params)) {
    if (Object.keys(params).length === 0 && placeholders.length === 0) return [];
    throw paramsFault('The statement has no :name parameters. Send params as a list.', 'params.form');
  }
  if (params.length !== placeholders.length) throw countFault(placeholders.length, params.length);
  return params.map((value, index) => checkValue(value, index));
}

function bindNamed(named: readonly SqlToken[], params: QueryParams | undefined): QueryValue[] {
  if (params === undefined || isList(params)) {
    throw paramsFault('The statement has :name parameters. Send params as an object.', 'params.form');
  }
  const used = new Set(named.map((token) => token.value));
  for (const name of Object.keys(params)) {
    if (!used.has(name)) throw paramsFault(`Unknown parameter :${name}.`, 'params.unused', name);
  }
  return named.map((token) => {
    if (!Object.hasOwn(params, token.value))
      throw paramsFault(`Missing value for the parameter :${token.value}.`, 'params.missing', token.value);
    return checkValue(params[token.value], token.value);
  });
}

/** Checks the type of a value. It comes from JSON, so its static type cannot be trusted. */
function checkValue(value: unknown, at: string | number): QueryValue {
  switch (typeof value) {
    case 'string':
      if (findLoneSurrogate(value) !== -1)
        throw paramsFault('The text is not valid Unicode.', 'params.value', at);
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw paramsFault('The number is not finite.', 'params.value', at);
      return value;
    case 'boolean':
    case 'bigint':
      return value;
    default:
      if (value === null || value instanceof ExactDecimal) return value;
      throw paramsFault('A parameter must be a string, a number, a boolean or null.', 'params.value', at);
  }
}

function isList(params: QueryParams): params is readonly QueryValue[] {
  return Array.isArray(params);
}

function countFault(expected: number, provided: number): AppError {
  return paramsFault(
    `The statement has ${expected} placeholders, but params has ${provided} values.`,
    'params.count',
  );
}

function paramsFault(message: string, type: string, at?: string | number): AppError {
  return validationError('body.invalid', [
    faultAt(['body', 'params', ...(at === undefined ? [] : [at])], message, type),
  ]);
}
