import { pino, type Logger as PinoLogger } from 'pino';
import { describeError } from './describe-error.js';
import { redactQuoted } from './redact-quoted.js';

export type Logger = PinoLogger;

/**
 * JSON lines on stdout. Members that could carry secrets are cut wherever they stand; of errors (`err`) and internal
 * texts (`internal`) only what cannot hold a user's value is written.
 */
export function createLogger(service: string, level = 'info', destination?: { write(line: string): void }): Logger {
  const options = {
    level,
    base: { service, pid: process.pid },
    timestamp: (): string => `,"time":"${new Date().toISOString()}"`,
    serializers: {
      err: (error: unknown) => describeError(error),
      internal: (text: unknown) => (typeof text === 'string' ? redactQuoted(text) : undefined),
    },
    redact: {
      paths: ['*.password', '*.secret', '*.token', '*.authorization', '*.cookie', 'headers.authorization', 'headers.cookie', 'headers["x-api-key"]'],
      censor: '[redacted]',
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
