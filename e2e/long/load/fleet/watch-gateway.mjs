// @ts-check
/**
 * Poisons sessions in a gateway. It is loaded into every gateway before its own code (`node --import`). While
 * FLEET_WATCH_DIR has a file `poison`, each session is poisoned before it changes hands and inspected
 * afterwards. The results are in `<pid>.json` there.
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
  // A session that may write leaves rows, row locks and table locks. A read-only session leaves the other
  // kinds.
  const watch = watchTakeovers({
    compareEvery: 100,
    rightsOf: ({ user }, iteration) =>
      isOn
        ? { table: user.endsWith('r') ? 'own' : null, kind: iteration % 2 === 0 ? 'transaction' : 'locked' }
        : null,
  });
  const file = join(folder, `${process.pid}.json`);
  setInterval(() => {
    isOn = existsSync(join(folder, 'poison'));
    writeFileSync(`${file}.new`, JSON.stringify(watch.counts()));
    renameSync(`${file}.new`, file);
  }, WRITE_INTERVAL_MS).unref();
}
