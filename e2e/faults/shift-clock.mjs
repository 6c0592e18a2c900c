// @ts-check
/**
 * Shifts the wall clock of a process into which it is loaded before the program (`NODE_OPTIONS=--import`).
 * The shift comes from a file, and the clock jumps when the file changes. Node programs read the wall clock
 * through Date alone. Timers and `performance.now` use the system's monotonic clock, so they are not shifted.
 *
 * `CLOCK_SHIFT_FILE` is JSON: milliseconds by a part of the program's path. `<file>.<pid>` holds the shift
 * that a process has applied.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const file = process.env['CLOCK_SHIFT_FILE'];
const program = process.argv[1] ?? '';
const RealDate = Date;
let shiftMs = 0;
let message = '';

function read() {
  try {
    const shifts = /** @type {Record<string, number>} */ (JSON.parse(readFileSync(file ?? '', 'utf8')));
    shiftMs = Object.entries(shifts).find(([part]) => program.includes(part))?.[1] ?? 0;
  } catch {
    shiftMs = 0;
  }
  if (message === String(shiftMs)) return;
  message = String(shiftMs);
  writeFileSync(`${file}.${process.pid}`, message);
}

if (file !== undefined) {
  read();
  setInterval(read, 100).unref();
  globalThis.Date = /** @type {DateConstructor} */ (
    /** @type {unknown} */ (
      class extends RealDate {
        /** @param {...any} args */
        constructor(...args) {
          if (args.length === 0) super(RealDate.now() + shiftMs);
          else super(.../** @type {[any]} */ (args));
        }

        /** @override */
        static now() {
          return RealDate.now() + shiftMs;
        }
      }
    )
  );
}
