import type { TenantId } from '@sluice/contracts';
import type { SinkSettings } from '../sink-settings.ts';
import type { Destination } from './destination.ts';
import { httpsDestination } from './https-destination.ts';
import { s3Destination } from './s3-destination.ts';
import type { SinkAddresses } from '../sink-addresses.ts';

/** Opens what takes a tenant's entries; nothing is sent yet. */
export type OpenDestination = (settings: SinkSettings, tenant: TenantId) => Promise<Destination>;

export function openDestination(addresses: SinkAddresses, now: () => Date): OpenDestination {
  return async (settings, tenant) => {
    const route = addresses.of(tenant);
    return 'https' in settings
      ? httpsDestination(settings.https, { tenant, route, now })
      : await s3Destination(settings.s3, { route, now });
  };
}
