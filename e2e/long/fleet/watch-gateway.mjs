// @ts-check
/**
 * Loaded into every gateway before its own code (`node --import`): while the file `poison` stands in FLEET_WATCH_DIR, each session is
 * poisoned by hand before it changes hands, and looked at after. What was found stands in `<pid>.json` there.
 */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchTakeovers } from '@rowhouse/mysql/testing';

const WRITE_INTERVAL_MS = 250;

const dir = process.env['FLEET_WATCH_DIR'];
if (dir !== undefined && process.argv[1]?.includes(join('apps', 'gateway')) === true) startWatch(dir);

/** @param {string} folder */
function startWatch(folder) {
  let isOn = false;
  // Who may write leaves rows, locks of rows and locks of tables; who may only read leaves the rest.
  const watch = watchTakeovers({
    compareEvery: 100,
    rightsOf: ({ user }, turn) => (isOn ? { table: user.endsWith('r') ? 'own' : null, kind: turn % 2 === 0 ? 'transaction' : 'locked' } : null),
  });
  const file = join(folder, `${process.pid}.json`);
  setInterval(() => {
    isOn = existsSync(join(folder, 'poison'));
    writeFileSync(`${file}.new`, JSON.stringify(watch.counts()));
    renameSync(`${file}.new`, file);
  }, WRITE_INTERVAL_MS).unref();
}
