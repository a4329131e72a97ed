import { ok, type Handlers } from '@sluice/service-kit';
import type { operations } from '../../generated/api.ts';
import type { Summaries } from './summaries.service.ts';

export function summariesOperations(
  summaries: Summaries,
): Handlers<operations, 'getTenantSummary' | 'getDivisionSummary'> {
  return {
    getTenantSummary: async ({ principal, params }) =>
      ok(await summaries.of(principal, params.tenant_id, null)),
    getDivisionSummary: async ({ principal, params }) =>
      ok(await summaries.of(principal, params.tenant_id, params.division_id)),
  };
}
