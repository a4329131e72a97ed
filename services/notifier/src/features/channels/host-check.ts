import type { TenantId } from '@sluice/contracts';
import { fieldProblem } from '@sluice/service';
import { DestinationRefused, type Destinations } from '@sluice/system/destinations';

/** Looks up the host of a destination before a channel has it. @throws Problem `invalid_request` where messages may not go there */
export async function checkHost(destinations: Destinations, tenantId: TenantId, host: string): Promise<void> {
  try {
    await destinations.of(`tenant ${tenantId}`).checkNow(host);
  } catch (error) {
    if (!(error instanceof DestinationRefused)) throw error;
    throw fieldProblem('destination', 'destination_not_allowed', 'must not be a private or internal address');
  }
}
