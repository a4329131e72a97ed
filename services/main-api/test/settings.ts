import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

export const catalogueFile = fileURLToPath(new URL('../../../infra/catalogue.yaml', import.meta.url));

/** what the notifier opens mails with */
export const mailKeys = `test:${randomBytes(32).toString('base64')}`;

/** what main-api needs to know beside its servers */
export const settings = {
  DATABASE_POOL_SIZE: '5',
  // tests have several changes of one tenant wait for a lock at the same time
  DATABASE_TENANT_CONNECTIONS: '3',
  PUBLIC_URL: 'http://127.0.0.1',
  CATALOGUE_FILE: catalogueFile,
  SECRETS_KEYS: `test:${randomBytes(32).toString('base64')}`,
  MAIL_KEYS: mailKeys,
  PROTECTION_KEY: randomBytes(32).toString('base64'),
};
