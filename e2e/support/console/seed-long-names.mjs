// @ts-check
import { createConnection, createKey, deploy, signUp } from '../control.mjs';
import { openApi } from '../http.mjs';

/**
 * Names of the maximum length, without and with places for a line break. MySQL allows 64 characters, and
 * about 45 if each takes five bytes in the name of a file.
 */
const UNBROKEN = 'w'.repeat(64);
const LONG = `${'reservation_of_a_seat_'.repeat(3)}`.slice(0, 62);
const CJK = '予約管理台帳座席割当顧客名簿'.repeat(4).slice(0, 45);
const RTL = 'حجوزات_المقاعد_في_القاعة_الكبيرة_'.repeat(2).slice(0, 45);
const LABEL_MAX = 60;

/**
 * Creates a project whose name, tables, columns, keys and saved queries all have names of the maximum length,
 * in Latin, Chinese and Arabic letters.
 * @param {{ control: string, gateways: readonly string[] }} product
 */
export async function seedLongNames(product) {
  const owner = await signUp(product.control, {
    name: 'wolfeschlegelsteinhausenbergerdorff',
    starter: 'empty',
    project: `${'Wolfeschlegel'.repeat(4)} 予約管理台帳`.slice(0, LABEL_MAX),
  });
  const columns = [LONG, CJK, RTL].map((name) => `\`${name}\` varchar(200) NULL`).join(', ');
  for (const [index, table] of [UNBROKEN, LONG, CJK, RTL].entries())
    await deploy(
      owner,
      `CREATE TABLE \`${table}\` (id int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, ${columns}` +
        (index === 0
          ? ')'
          : `, \`${'r'.repeat(64)}\` int unsigned NULL, CONSTRAINT \`${'f'.repeat(63)}${index}\` FOREIGN KEY (\`${'r'.repeat(64)}\`) REFERENCES \`${UNBROKEN}\` (id))`),
    );
  const api = openApi(product.gateways[0] ?? '', owner.key);
  const values = { [LONG]: UNBROKEN, [CJK]: CJK, [RTL]: RTL };
  for (let row = 0; row < 3; row += 1) await api.post(`/${UNBROKEN}`, values);
  await api.get(`/${UNBROKEN}?limit=2`);
  await api.get(`/${UNBROKEN}/999999`);
  for (const name of [UNBROKEN, CJK, RTL]) {
    await createKey(owner, { name: name.slice(0, LABEL_MAX), scopes: ['read'] });
    await createConnection(owner, { name: name.slice(0, LABEL_MAX), role: 'read-only' });
    await owner.control.call('POST', `/api/databases/${owner.development.id}/saved-queries`, {
      name: name.slice(0, LABEL_MAX),
      query: `SELECT * FROM \`${name}\``,
      kind: 'sql',
    });
    await owner.control.call('POST', `/api/projects/${owner.projectId}/synonyms`, {
      phrase: name.slice(0, LABEL_MAX),
      table: name,
    });
  }
  await owner.control.call('POST', `/api/databases/${owner.development.id}/export`, {});
  await owner.control.call('POST', `/api/organizations/${owner.answer.organization.id}/invitations`, {
    email: `${'w'.repeat(60)}@${'example'.repeat(6)}.test`,
    role: 'viewer',
  });
  await owner.control.call('PUT', `/api/projects/${owner.projectId}/schema`, {
    sql: `ALTER TABLE \`${LONG}\` ADD COLUMN \`${'n'.repeat(64)}\` varchar(50) NULL;`,
    mode: 'apply',
  });
  return { owner, table: UNBROKEN, environmentPath: `/projects/${owner.projectId}/development` };
}
