import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns the archive from which this Debian installs its own packages, and its codename. Returns null where
 * apt is not configured. Other suites (sid) are fetched from the same archive.
 * @returns {{uri: string, codename: string} | null}
 */
export function readDebianMirror() {
  try {
    const codename = /^VERSION_CODENAME=(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
    const targets = execFileSync(
      'apt-get',
      ['indextargets', '--format', '$(RELEASE) $(COMPONENT) $(REPO_URI)'],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const own = targets.split('\n').find((line) => line.startsWith(`${codename} main `));
    return own === undefined || codename === ''
      ? null
      : { uri: own.slice(codename.length + ' main '.length), codename };
  } catch {
    return null;
  }
}
