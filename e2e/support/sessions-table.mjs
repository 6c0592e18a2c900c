// @ts-check
export { SESSIONS } from '@rowhouse/local/sessions-table';
