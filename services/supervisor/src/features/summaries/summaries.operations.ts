import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { SummariesService } from './summaries.service.ts';

export const summariesOperations = (summary: SummariesService) =>
  ({
    getTenantSummary: async ({ caller, params }) => ok(await summary(caller, params)),
    getDivisionSummary: async ({ caller, params }) => ok(await summary(caller, params)),
  }) satisfies Partial<Handlers<operations>>;
