import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { SummariesService } from './summaries.service.ts';

export function summariesOperations(summaries: SummariesService) {
  return {
    async getTenantSummary({ caller, params }) {
      return ok(await summaries.ofTenant(caller, params));
    },
    async getDivisionSummary({ caller, params }) {
      return ok(await summaries.ofDivision(caller, params));
    },
  } satisfies Partial<Handlers<operations>>;
}
