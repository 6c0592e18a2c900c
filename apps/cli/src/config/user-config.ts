import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliError } from '../cli-error.js';
import type { CliEnvironment } from '../cli-environment.js';

export interface SignIn {
  readonly token: string;
  readonly tokenId: string;
  readonly email: string;
}

/**
 * The accounts with which the user is signed in, by the address of the control plane, and the address that
 * was used last.
 */
export interface UserConfig {
  readonly current?: string;
  readonly servers: Readonly<Record<string, SignIn | undefined>>;
}

type ConfigLocation = Pick<CliEnvironment, 'env'>;

export function findConfigFile({ env }: ConfigLocation): string {
  const home = env['HOME'] ?? homedir();
  const folder =
    env['ROWHOUSE_CONFIG_DIR'] ??
    (env['XDG_CONFIG_HOME'] === undefined
      ? join(home, '.config', 'rowhouse')
      : join(env['XDG_CONFIG_HOME'], 'rowhouse'));
  return join(folder, 'config.json');
}

export function readUserConfig(configLocation: ConfigLocation): UserConfig {
  const path = findConfigFile(configLocation);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return { servers: {} };
  }
  try {
    const found = JSON.parse(text) as Partial<UserConfig>;
    return {
      servers: found.servers ?? {},
      ...(found.current === undefined ? {} : { current: found.current }),
    };
  } catch {
    throw new CliError(`Couldn't read ${path}: it is not valid JSON.`, {
      next: `remove it and run rowhouse login`,
    });
  }
}

/** Writes the file atomically with permissions for the owner only. */
export function writeUserConfig(configLocation: ConfigLocation, config: UserConfig): void {
  const path = findConfigFile(configLocation);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporaryPath = `${path}.${process.pid}`;
  writeFileSync(temporaryPath, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  chmodSync(temporaryPath, 0o600);
  renameSync(temporaryPath, path);
}
