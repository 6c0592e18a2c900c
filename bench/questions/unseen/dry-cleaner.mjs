// @ts-check
import { dayBefore, fill, insert, pick } from '../invented/rows.mjs';

/**
 * A schema with abbreviated names.
 * @type {import('../invented/rows.mjs').InventedSet}
 */
export const DRY_CLEANER = {
  name: 'dry cleaner',
  statements: [
    'CREATE TABLE cust_mst (cust_no INT PRIMARY KEY, cust_nm VARCHAR(60) NOT NULL, tel_no VARCHAR(20) NULL, zip_cd VARCHAR(8) NOT NULL, vip_flg CHAR(1) NOT NULL)',
    'CREATE TABLE shop_brnch (brnch_cd CHAR(3) PRIMARY KEY, brnch_nm VARCHAR(40) NOT NULL, mgr_nm VARCHAR(60) NOT NULL, mthly_rent INT NOT NULL)',
    'CREATE TABLE svc_typ (svc_cd VARCHAR(4) PRIMARY KEY, svc_desc VARCHAR(40) NOT NULL, unit_prc DECIMAL(6,2) NOT NULL, days_req INT NOT NULL)',
    'CREATE TABLE cln_ord (ord_no INT PRIMARY KEY, cust_no INT NOT NULL, brnch_cd CHAR(3) NOT NULL, ord_dt DATE NOT NULL, tot_amt DECIMAL(7,2) NOT NULL, ord_sts VARCHAR(12) NOT NULL, FOREIGN KEY (cust_no) REFERENCES cust_mst (cust_no), FOREIGN KEY (brnch_cd) REFERENCES shop_brnch (brnch_cd))',
    'CREATE TABLE ord_ln (ord_no INT NOT NULL, ln_no INT NOT NULL, garment VARCHAR(20) NOT NULL, svc_cd VARCHAR(4) NOT NULL, qty INT NOT NULL, PRIMARY KEY (ord_no, ln_no), FOREIGN KEY (ord_no) REFERENCES cln_ord (ord_no), FOREIGN KEY (svc_cd) REFERENCES svc_typ (svc_cd))',
    insert('cust_mst', [
      [1, 'Beatrix Lloyd', '020 771', 'SW1', 'Y'],
      [2, 'Conrad Peel', null, 'SW3', 'N'],
      [3, 'Delphine Roy', '020 834', 'W8', 'N'],
      [4, 'Edmund Tsai', '020 115', 'SW1', 'N'],
      [5, 'Flora Nash', '020 907', 'W8', 'Y'],
      [6, 'Gregor Ball', null, 'NW6', 'N'],
      [7, 'Hester Cole', '020 662', 'SW3', 'N'],
      [8, 'Imran Dar', '020 348', 'SW1', 'N'],
    ]),
    insert('shop_brnch', [
      ['BKR', 'Baker Street', 'Anita Rao', 2_900],
      ['CHL', 'Chelsea', 'Guy Mercer', 4_100],
      ['HAM', 'Hampstead', 'Lydia Stone', 3_300],
      ['KEN', 'Kensington', 'Guy Mercer', 3_850],
    ]),
    insert('svc_typ', [
      ['DRY', 'dry cleaning', 9.5, 3],
      ['PRS', 'pressing only', 3.2, 1],
      ['WSH', 'wash and fold', 4.8, 2],
      ['LTH', 'leather care', 34, 10],
      ['ALT', 'alteration', 15, 5],
    ]),
    fill('cln_ord', 30, (index) => [
      pick([1, 3, 1, 4, 5, 1, 2, 5, 8], index),
      pick(['CHL', 'BKR', 'CHL', 'KEN', 'CHL', 'BKR'], index),
      dayBefore(1 + index * 7),
      6.4 + ((index * 71) % 131),
      index < 5
        ? pick(['open', 'ready'], index)
        : pick(['collected', 'collected', 'ready', 'lost', 'collected'], index),
    ]),
    insert(
      'ord_ln',
      Array.from({ length: 48 }, (_, index) => [
        1 + (index % 30),
        1 + Math.floor(index / 30),
        pick(['suit', 'shirt', 'coat', 'shirt', 'dress', 'jacket', 'shirt'], index),
        pick(['DRY', 'PRS', 'DRY', 'WSH', 'DRY', 'LTH', 'WSH', 'PRS'], index),
        1 + ((index * 5) % 9),
      ]),
    ),
  ],
  questions: [
    ['How many customers do we have?', 'SELECT COUNT(*) FROM cust_mst'],
    [
      'What does pressing only cost per unit?',
      "SELECT unit_prc FROM svc_typ WHERE svc_desc = 'pressing only'",
    ],
    ['List the names of the VIP customers (flag Y).', "SELECT cust_nm FROM cust_mst WHERE vip_flg = 'Y'"],
    [
      'What are the names and managers of branches with a monthly rent over 3500?',
      'SELECT brnch_nm, mgr_nm FROM shop_brnch WHERE mthly_rent > 3500',
    ],
    ['How many orders are there for each status?', 'SELECT ord_sts, COUNT(*) FROM cln_ord GROUP BY ord_sts'],
    [
      'Show order numbers and amounts of the five most expensive orders.',
      'SELECT ord_no, tot_amt FROM cln_ord ORDER BY tot_amt DESC LIMIT 5',
    ],
    [
      'Find the total turnover per branch name.',
      'SELECT b.brnch_nm, SUM(o.tot_amt) FROM shop_brnch b JOIN cln_ord o ON o.brnch_cd = b.brnch_cd GROUP BY b.brnch_cd',
      'SELECT b.brnch_nm, SUM(o.tot_amt) FROM shop_brnch b LEFT JOIN cln_ord o ON o.brnch_cd = b.brnch_cd GROUP BY b.brnch_cd',
    ],
    [
      'What were the dates of the orders placed by Flora Nash?',
      "SELECT o.ord_dt FROM cln_ord o JOIN cust_mst c ON c.cust_no = o.cust_no WHERE c.cust_nm = 'Flora Nash'",
    ],
    [
      'Which garments have ever been sent in for leather care?',
      "SELECT DISTINCT l.garment FROM ord_ln l JOIN svc_typ s ON s.svc_cd = l.svc_cd WHERE s.svc_desc = 'leather care'",
    ],
    [
      'Which service has never been ordered? Give its description.',
      'SELECT svc_desc FROM svc_typ WHERE svc_cd NOT IN (SELECT svc_cd FROM ord_ln)',
    ],
    [
      'What is the name of the customer with the most orders?',
      'SELECT c.cust_nm FROM cust_mst c JOIN cln_ord o ON o.cust_no = c.cust_no GROUP BY c.cust_no ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    [
      'Which managers run more than one branch?',
      'SELECT mgr_nm FROM shop_brnch GROUP BY mgr_nm HAVING COUNT(*) > 1',
    ],
    [
      'Give me the names of customers who had orders at Chelsea but none at Baker Street.',
      "SELECT c.cust_nm FROM cust_mst c JOIN cln_ord o ON o.cust_no = c.cust_no JOIN shop_brnch b ON b.brnch_cd = o.brnch_cd WHERE b.brnch_nm = 'Chelsea' EXCEPT SELECT c.cust_nm FROM cust_mst c JOIN cln_ord o ON o.cust_no = c.cust_no JOIN shop_brnch b ON b.brnch_cd = o.brnch_cd WHERE b.brnch_nm = 'Baker Street'",
    ],
  ],
};
