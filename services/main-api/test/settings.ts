import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

export const catalogueFile = fileURLToPath(new URL('../../../infra/catalogue.yaml', import.meta.url));

/** what the notifier opens mails with */
export const mailKeys = `test:${randomBytes(32).toString('base64')}`;

/** what main-api needs to know beside its servers */
export const settings = {
  DATABASE_POOL_SIZE: '5',
  PUBLIC_URL: 'http://127.0.0.1',
  CATALOGUE_FILE: catalogueFile,
  MAIL_KEYS: mailKeys,
  PROTECTION_KEY: randomBytes(32).toString('base64'),
};
