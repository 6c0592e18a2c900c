import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The archive that this Debian takes its own packages from, and its codename; null where apt names none.
 * Other suites (sid) are taken from the same place.
 *
 * @returns {{uri: string, codename: string} | null}
 */
export function readDebianMirror() {
  try {
    const codename = /^VERSION_CODENAME=(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
    const targets = execFileSync('apt-get', ['indextargets', '--format', '$(RELEASE) $(COMPONENT) $(REPO_URI)'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const own = targets.split('\n').find((line) => line.startsWith(`${codename} main `));
    return own === undefined || codename === '' ? null : { uri: own.slice(codename.length + ' main '.length), codename };
  } catch {
    return null;
  }
}
