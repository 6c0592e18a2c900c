import { describe, expect, it } from 'vitest';
import { diffGrants, parseGrants } from './diff-grants.js';

const ACCOUNT = "'pam'@'%'";
const WANTED = [
  { object: '`pa`.*', rights: 'SELECT, INSERT' },
  { object: '`pas`.`t`', rights: 'SELECT' },
];

describe('diffGrants', () => {
  it('diffGrants returns no change for an account with exactly the required rights', () => {
    const present = parseGrants([
      "GRANT USAGE ON *.* TO `pam`@`%` IDENTIFIED BY PASSWORD '*A' WITH MAX_USER_CONNECTIONS 3",
      'GRANT SELECT, INSERT ON `pa`.* TO `pam`@`%`',
      'GRANT SELECT ON `pas`.`t` TO `pam`@`%`',
    ]);
    expect(diffGrants(ACCOUNT, present, WANTED)).toEqual({ missing: [], extra: [] });
  });

  it('diffGrants grants missing rights and revokes all others', () => {
    const present = parseGrants([
      'GRANT RELOAD, FILE ON *.* TO `pam`@`%` WITH GRANT OPTION',
      'GRANT SELECT, DELETE ON `pa`.* TO `pam`@`%`',
      'GRANT SELECT (`a`, `b`), INSERT ON `other`.`t` TO `pam`@`%`',
      'GRANT EXECUTE ON PROCEDURE `other`.`p` TO `pam`@`%`',
      'GRANT `chief`@`%` TO `pam`@`%`',
    ]);
    expect(diffGrants(ACCOUNT, present, WANTED)).toEqual({
      missing: ["GRANT INSERT ON `pa`.* TO 'pam'@'%'", "GRANT SELECT ON `pas`.`t` TO 'pam'@'%'"],
      extra: [
        "REVOKE RELOAD, FILE ON *.* FROM 'pam'@'%'",
        "REVOKE DELETE ON `pa`.* FROM 'pam'@'%'",
        "REVOKE SELECT (`a`, `b`), INSERT ON `other`.`t` FROM 'pam'@'%'",
        "REVOKE EXECUTE ON PROCEDURE `other`.`p` FROM 'pam'@'%'",
        "REVOKE GRANT OPTION ON *.* FROM 'pam'@'%'",
        "REVOKE `chief`@`%` FROM 'pam'@'%'",
      ],
    });
  });

  it('diffGrants grants the required rights again after revoking ALL PRIVILEGES', () => {
    const present = parseGrants(['GRANT ALL PRIVILEGES ON `pa`.* TO `pam`@`%`']);
    expect(diffGrants(ACCOUNT, present, WANTED.slice(0, 1)).extra).toEqual([
      "REVOKE ALL PRIVILEGES ON `pa`.* FROM 'pam'@'%'",
      "GRANT SELECT, INSERT ON `pa`.* TO 'pam'@'%'",
    ]);
  });
});
