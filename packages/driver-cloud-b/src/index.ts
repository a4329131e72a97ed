import { defineDriver } from '@sluice/drivers';
import { cloudBSettings } from './settings.ts';

export const drivers = [
  defineDriver({
    name: 'cloud_b',
    cloud: 'cloud_b',
    settings: cloudBSettings,
    network: {
      async create({ region }, { CLOUD_B_API_URL: apiUrl, CLOUD_B_NAT_RANGE: natRange }) {
        const { cloudBDriver } = await import('./driver.ts');
        return cloudBDriver({ region, apiUrl, natRange });
      },
    },
  }),
];
