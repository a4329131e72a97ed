import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { PreviewService } from './preview.service.ts';

export function previewOperations(previews: PreviewService) {
  return {
    async previewDeployment({ caller, params, body }) {
      return ok(await previews.preview(caller, params, body));
    },
  } satisfies Partial<Handlers<operations>>;
}
