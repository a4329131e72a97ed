import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../../generated/api.ts';
import type { StructureService } from './structure.service.ts';

export function structureOperations(structure: StructureService) {
  return {
    async getStructure({ caller, params }) {
      return ok(await structure.get(caller, params));
    },

    async getSummary({ caller, params }) {
      return ok(await structure.summary(caller, params));
    },
  } satisfies Partial<Handlers<operations>>;
}
