import { describe, expect, it } from 'vitest';
import { splitOptions } from './diff-partitions.js';

describe('splitOptions', () => {
  it.each([
    [
      'ENGINE=InnoDB\n PARTITION BY HASH (`id`)\nPARTITIONS 4',
      'ENGINE=InnoDB',
      'PARTITION BY HASH (`id`)\nPARTITIONS 4',
    ],
    [
      "ENGINE=InnoDB COMMENT='PARTITION BY x'\n/*!50100 PARTITION BY KEY (id)\nPARTITIONS 2 */",
      "ENGINE=InnoDB COMMENT='PARTITION BY x'",
      'PARTITION BY KEY (id)\nPARTITIONS 2',
    ],
    [
      "ENGINE=InnoDB COMMENT='it''s PARTITION BY \\' x'",
      "ENGINE=InnoDB COMMENT='it''s PARTITION BY \\' x'",
      null,
    ],
  ])('splitOptions separates %j into options and partitions', (text, options, partitioning) => {
    expect(splitOptions(text)).toEqual({ options, partitioning });
  });
});
