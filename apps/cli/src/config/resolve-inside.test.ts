import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveInside, staysWithin } from './resolve-inside.js';

describe('a path in rowhouse.json', () => {
  let location: string;
  let folder: string;
  beforeEach(() => {
    location = mkdtempSync(join(tmpdir(), 'rowhouse-inside-'));
    folder = join(location, 'work', 'api');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(location, 'secret'), 'of the person');
  });
  afterEach(() => rmSync(location, { recursive: true, force: true }));

  it('a path in rowhouse.json is resolved from its folder, whether or not it exists', () => {
    expect(resolveInside(folder, 'schema.sql')).toBe(join(folder, 'schema.sql'));
    expect(resolveInside(folder, './db/../models/x')).toBe(join(folder, 'models', 'x'));
    expect(resolveInside(folder, '/etc/passwd')).toBe(join(folder, 'etc', 'passwd'));
  });

  it('a path in rowhouse.json outside the repository is rejected, or outside its folder without one', () => {
    expect(() => resolveInside(folder, '../web/src')).toThrow(/is outside/);
    mkdirSync(join(location, 'work', '.git'));
    expect(resolveInside(folder, '../web/src')).toBe(join(location, 'work', 'web', 'src'));
    for (const path of ['../../secret', '../..', '../../secret/../elsewhere', '../../work-of-another/x'])
      expect(() => resolveInside(folder, path), path).toThrow(/is outside/);
  });

  it('a path in rowhouse.json that leaves the repository through a symbolic link is rejected', () => {
    symlinkSync(join(location, 'secret'), join(folder, 'file.sql'));
    symlinkSync(location, join(folder, 'out'));
    symlinkSync(join(location, 'not-yet'), join(folder, 'later.sql'));
    symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
    for (const path of ['file.sql', 'out/secret', 'out/new', 'later.sql', 'loop'])
      expect(() => resolveInside(folder, path), path).toThrow(/is outside/);
    symlinkSync('kept', join(folder, 'models'));
    mkdirSync(join(folder, 'kept'));
    expect(resolveInside(folder, 'models')).toBe(join(folder, 'models'));
    expect([
      staysWithin(folder, join(folder, 'models', 'a.py')),
      staysWithin(folder, join(folder, 'out', 'a.py')),
      staysWithin(join(folder, 'new'), join(folder, 'new', 'a.py')),
    ]).toEqual([true, false, true]);
  });
});
