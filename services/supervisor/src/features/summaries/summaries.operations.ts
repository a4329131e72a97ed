import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { SummariesService } from './summaries.service.ts';

export function summariesOperations(summaries: SummariesService) {
  return {
    getTenantSummary: async ({ caller, params }) => ok(await summaries.ofTenant(caller, params)),
    getDivisionSummary: async ({ caller, params }) => ok(await summaries.ofDivision(caller, params)),
  } satisfies Partial<Handlers<operations>>;
}
