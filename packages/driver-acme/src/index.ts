import { defineDriver } from '@sluice/drivers';
import { acmeSettings, requireAcme } from './acme-settings.ts';

export type { AcmeTables } from './tables.ts';

export const drivers = [
  defineDriver({
    name: 'acme',
    settings: acmeSettings,
    certificates: {
      check: requireAcme,
      async create(host, settings) {
        // its HTTP client costs a start that does not need it
        const { createPublicAuthority } = await import('./public-authority.ts');
        return createPublicAuthority(host, settings);
      },
    },
  }),
];
