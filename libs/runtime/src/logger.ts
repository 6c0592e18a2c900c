import { pino, type Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** JSON lines on stdout. Members that could carry secrets are cut wherever they stand. */
export function createLogger(service: string, level = 'info'): Logger {
  return pino({
    level,
    base: { service, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: {
      paths: ['*.password', '*.secret', '*.token', '*.authorization', '*.cookie', 'headers.authorization', 'headers.cookie', 'headers["x-api-key"]'],
      censor: '[redacted]',
    },
  });
}
