import { ok, shown, type Handlers } from '@sluice/http';
import type { operations } from '../../../generated/api.ts';
import type { ContextService } from './context.service.ts';

export function contextOperations(context: ContextService) {
  return {
    async getContext({ caller, address }) {
      const { regions, ...found } = await context.get(caller);
      return ok({
        ...found,
        address,
        regions: regions.map((region) =>
          shown(region, 'cloud', 'region', 'name', 'supervisor_url', 'health', 'reported_at'),
        ),
      });
    },

    getTenantContext: async ({ caller, params }) => ok(await context.inTenant(caller, params)),
  } satisfies Partial<Handlers<operations>>;
}
