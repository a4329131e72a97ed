import type { Caller } from '@sluice/grants';
import type { BodyOf } from '@sluice/http';
import { fieldProblem } from '@sluice/service';
import { featuresOf, requireCapability } from '@sluice/catalogue/features';
import type { Core } from '../../core.ts';
import type { components, operations } from '../../generated/api.ts';
import type { EnvironmentPath } from '@sluice/main-store/environments.store';
import { findRegion } from '../regions/regions.store.ts';
import { getTerms } from '@sluice/main-store/tenants.store';
import { getVisibleEnvironment } from '../access/visibility.ts';
import { identityIn } from './byoc-access.ts';
import { byocClouds } from './byoc-clouds.ts';

type SetupInput = BodyOf<operations['setUpByoc']>;
export type ByocService = ReturnType<typeof byocService>;

/** What has to be prepared in a tenant's cloud account (interface, 4.4). */
export function byocService({ database, catalogue }: Pick<Core, 'database' | 'catalogue'>) {
  return {
    async setup(
      caller: Caller,
      path: EnvironmentPath,
      { cloud, region }: SetupInput,
    ): Promise<components['schemas']['ByocSetup']> {
      const tenant = await getTerms(database, path.tenant_id);
      requireCapability(featuresOf(catalogue, tenant), 'byoc_enabled');
      const identity = identityIn(catalogue, cloud);
      if (identity === undefined)
        throw fieldProblem('cloud', 'not_allowed', 'takes no deployments in accounts of tenants');
      const supervisor_url = (await findRegion(database, { cloud, region }))?.supervisor_url;
      if (supervisor_url === undefined)
        throw fieldProblem('region', 'unknown', 'is not a region of this cloud that takes deployments');
      await getVisibleEnvironment(database, caller, path);
      const terms = { tenant, region, supervisor_url, identity };
      return byocClouds[cloud].setup(terms);
    },
  };
}
