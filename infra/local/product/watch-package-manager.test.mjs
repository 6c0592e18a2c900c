import { describe, expect, it } from 'vitest';
import { listPackageManagers } from './watch-package-manager.mjs';

/** @param {readonly string[]} lines nearest first */
function list(lines) {
  return listPackageManagers(
    100,
    (pid) => ({ commandLine: lines[99 - pid] ?? '' }),
    (pid) => (100 - pid < lines.length ? pid - 1 : 0),
  );
}

describe('listPackageManagers', () => {
  it('listPackageManagers returns npx, its shell and pnpm', () => {
    expect(
      list([
        "sh -c trap 'x' INT; node infra/local/start.mjs",
        'pnpm start',
        "sh -c 'pnpm' start",
        'npm exec pnpm@12 start',
        '-bash',
        'sshd: somebody',
      ]),
    ).toEqual([99, 98, 97, 96]);
  });

  it('listPackageManagers omits the shell that the user works in', () => {
    expect(
      list([
        'sh -c node infra/local/start.mjs',
        '/usr/bin/pnpm start',
        'bash -c cd x && npx -y pnpm@12 start &',
        'systemd',
      ]),
    ).toEqual([99, 98]);
  });

  it('listPackageManagers recognizes a package manager that is a script', () => {
    expect(
      list(['sh -c node start.mjs', 'node /usr/lib/node_modules/npm/bin/npm-cli.js start', '/bin/zsh']),
    ).toEqual([99, 98]);
  });

  it('listPackageManagers returns an empty list when no package manager started the launcher', () => {
    expect(list(['-bash', 'login'])).toEqual([]);
    expect(list(['node something.mjs', 'npm start'])).toEqual([]);
  });
});
