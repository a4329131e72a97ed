import { ok, type Handlers } from '@sluice/service-kit';
import type { operations } from '../../generated/api.ts';
import type { Summaries } from './summaries.service.ts';

export function summariesOperations(summaries: Summaries) {
  return {
    getTenantSummary: async ({ caller, params }) => ok(await summaries.of(caller, params.tenant_id, null)),
    getDivisionSummary: async ({ caller, params }) =>
      ok(await summaries.of(caller, params.tenant_id, params.division_id)),
  } satisfies Partial<Handlers<operations>>;
}
