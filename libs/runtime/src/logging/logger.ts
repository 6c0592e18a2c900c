import { pino, type Logger as PinoLogger } from 'pino';
import { describeError, redactQuoted } from './describe-error.js';

export type Logger = PinoLogger;

/**
 * Creates a logger that writes JSON lines to stdout. Members that may contain secrets are removed at any
 * depth. From errors (`err`) and internal texts (`internal`), only parts that cannot contain a user's value
 * are written.
 */
export function createLogger(
  service: string,
  level = 'info',
  destination?: { write(line: string): void },
): Logger {
  const options = {
    level,
    base: { service, pid: process.pid },
    timestamp: (): string => `,"time":"${new Date().toISOString()}"`,
    serializers: {
      err: (error: unknown) => describeError(error),
      internal: (text: unknown) => (typeof text === 'string' ? redactQuoted(text) : undefined),
    },
    redact: {
      paths: [
        '*.password',
        '*.secret',
        '*.token',
        '*.authorization',
        '*.cookie',
        'headers.authorization',
        'headers.cookie',
        'headers["x-api-key"]',
      ],
      censor: '[redacted]',
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
