// @ts-check
import { fill, FIRST_NAMES, insert, LAST_NAMES, momentBefore, pick } from './rows.mjs';

/** @type {import('./rows.mjs').InventedSet} */
export const HELP_DESK = {
  name: 'help desk',
  statements: [
    'CREATE TABLE teams (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL)',
    'CREATE TABLE agents (id INT PRIMARY KEY, name VARCHAR(80) NOT NULL, team_id INT NOT NULL, languages VARCHAR(60) NOT NULL, FOREIGN KEY (team_id) REFERENCES teams (id))',
    'CREATE TABLE companies (id INT PRIMARY KEY, name VARCHAR(80) NOT NULL, industry VARCHAR(40) NOT NULL, employee_count INT NOT NULL)',
    'CREATE TABLE contacts (id INT PRIMARY KEY, company_id INT NOT NULL, name VARCHAR(80) NOT NULL, email VARCHAR(120) NOT NULL, FOREIGN KEY (company_id) REFERENCES companies (id))',
    "CREATE TABLE tickets (id INT PRIMARY KEY, subject VARCHAR(120) NOT NULL, contact_id INT NOT NULL, agent_id INT NULL, priority ENUM('low', 'normal', 'high', 'urgent') NOT NULL, status ENUM('open', 'pending', 'solved', 'closed') NOT NULL, opened_at DATETIME NOT NULL, closed_at DATETIME NULL, FOREIGN KEY (contact_id) REFERENCES contacts (id), FOREIGN KEY (agent_id) REFERENCES agents (id))",
    'CREATE TABLE replies (id INT PRIMARY KEY, ticket_id INT NOT NULL, agent_id INT NOT NULL, body TEXT NOT NULL, sent_at DATETIME NOT NULL, FOREIGN KEY (ticket_id) REFERENCES tickets (id), FOREIGN KEY (agent_id) REFERENCES agents (id))',
    insert('teams', [
      [1, 'Billing'],
      [2, 'Technical'],
      [3, 'Onboarding'],
    ]),
    insert(
      'agents',
      [
        ['Ana Cruz', 1, 'Spanish'],
        ['Ben Dorn', 2, 'English'],
        ['Cleo Eder', 2, 'German'],
        ['Dan Frey', 2, 'English'],
        ['Eva Gold', 1, 'French'],
        ['Finn Hale', 2, 'German'],
      ].map((row, index) => [index + 1, ...row]),
    ),
    insert(
      'companies',
      [
        ['Bright Foods', 'retail', 240],
        ['Northwind Air', 'transport', 1800],
        ['Kappa Labs', 'pharma', 95],
        ['Delta Rail', 'transport', 5200],
        ['Pine Books', 'retail', 12],
        ['Orion Bank', 'finance', 830],
      ].map((row, index) => [index + 1, ...row]),
    ),
    fill('contacts', 12, (index) => [
      pick([1, 2, 3, 1, 4, 2, 1], index),
      `${pick(FIRST_NAMES, index)} ${pick(LAST_NAMES, index * 2 + 5)}`,
      `${pick(FIRST_NAMES, index).toLowerCase()}@desk.test`,
    ]),
    fill('tickets', 42, (index) => [
      `${pick(['Cannot log in', 'Invoice is wrong', 'Slow pages', 'Export fails', 'Password reset'], index)} ${index}`,
      1 + ([0, 1, 2, 0, 3, 4, 0, 5, 6, 1, 8][index % 11] ?? 0),
      index % 9 === 4 ? null : pick([1, 2, 3, 2, 5, 2, 4], index),
      pick(['normal', 'low', 'high', 'normal', 'urgent'], index),
      index < 12 ? pick(['open', 'pending', 'open'], index) : pick(['solved', 'closed', 'closed'], index),
      momentBefore(1 + index * 6, index),
      index < 12 ? null : momentBefore(index * 6 - (index % 5), index),
    ]),
    fill('replies', 60, (index) => [
      1 + ((index * 5 + (index % 3)) % 37),
      pick([1, 2, 3, 2, 5, 4], index),
      'Please try again.',
      momentBefore(1 + index * 4, index),
    ]),
  ],
  questions: [
    ['How many open tickets are there?', "SELECT COUNT(*) FROM tickets WHERE status = 'open'"],
    ['subjects of urgent tickets', "SELECT subject FROM tickets WHERE priority = 'urgent'"],
    [
      'Which agent has the most tickets?',
      'SELECT a.name FROM agents a JOIN tickets t ON t.agent_id = a.id GROUP BY a.id ORDER BY COUNT(*) DESC LIMIT 1',
    ],
    ['number of tickets by priority', 'SELECT priority, COUNT(*) FROM tickets GROUP BY priority'],
    [
      'tickets that have no agent',
      'SELECT subject FROM tickets WHERE agent_id IS NULL',
      'SELECT * FROM tickets WHERE agent_id IS NULL',
    ],
    [
      'how many tickets were opened in September 2026?',
      "SELECT COUNT(*) FROM tickets WHERE opened_at >= '2026-09-01' AND opened_at < '2026-10-01'",
    ],
    [
      'agents in the Billing team',
      "SELECT a.name FROM agents a JOIN teams t ON t.id = a.team_id WHERE t.name = 'Billing'",
    ],
    [
      'How many agents does each team have?',
      'SELECT t.name, COUNT(*) FROM teams t JOIN agents a ON a.team_id = t.id GROUP BY t.id',
      'SELECT t.name, COUNT(a.id) FROM teams t LEFT JOIN agents a ON a.team_id = t.id GROUP BY t.id',
    ],
    ['companies with more than 500 employees', 'SELECT name FROM companies WHERE employee_count > 500'],
    [
      'Which companies have never opened a ticket?',
      'SELECT name FROM companies WHERE id NOT IN (SELECT c.company_id FROM contacts c JOIN tickets t ON t.contact_id = c.id)',
    ],
    [
      'tickets per company',
      'SELECT co.name, COUNT(*) FROM companies co JOIN contacts c ON c.company_id = co.id JOIN tickets t ON t.contact_id = c.id GROUP BY co.id',
    ],
    [
      'agents who speak German',
      "SELECT name FROM agents WHERE languages = 'German'",
      "SELECT name FROM agents WHERE languages LIKE '%German%'",
    ],
    [
      'name and email of all contacts of Bright Foods',
      "SELECT c.name, c.email FROM contacts c JOIN companies co ON co.id = c.company_id WHERE co.name = 'Bright Foods'",
    ],
    [
      'the 5 most recent tickets',
      'SELECT subject FROM tickets ORDER BY opened_at DESC LIMIT 5',
      'SELECT * FROM tickets ORDER BY opened_at DESC LIMIT 5',
    ],
    [
      'tickets without replies',
      'SELECT subject FROM tickets WHERE id NOT IN (SELECT ticket_id FROM replies)',
      'SELECT * FROM tickets WHERE id NOT IN (SELECT ticket_id FROM replies)',
    ],
    [
      'How many replies did Ben Dorn send?',
      "SELECT COUNT(*) FROM replies r JOIN agents a ON a.id = r.agent_id WHERE a.name = 'Ben Dorn'",
    ],
    ['teams without agents', 'SELECT name FROM teams WHERE id NOT IN (SELECT team_id FROM agents)'],
    ['largest company by employee count', 'SELECT name FROM companies ORDER BY employee_count DESC LIMIT 1'],
    [
      'how many high or urgent tickets are still open?',
      "SELECT COUNT(*) FROM tickets WHERE priority IN ('high', 'urgent') AND status = 'open'",
    ],
    [
      'tickets whose subject contains "Invoice"',
      "SELECT subject FROM tickets WHERE subject LIKE '%Invoice%'",
      "SELECT * FROM tickets WHERE subject LIKE '%Invoice%'",
    ],
  ],
};
