import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../../generated/api.ts';
import type { StructureService } from './structure.service.ts';

export const structureOperations = (structure: StructureService) =>
  ({
    getStructure: async ({ caller, params }) => ok(await structure.get(caller, params)),
    getSummary: async ({ caller, params }) => ok(await structure.summary(caller, params)),
  }) satisfies Partial<Handlers<operations>>;
