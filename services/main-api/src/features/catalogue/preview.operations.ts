import { ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { PreviewService } from './preview.service.ts';

export const previewOperations = (previews: PreviewService) =>
  ({
    previewDeployment: async ({ caller, params, body }) => ok(await previews.preview(caller, params, body)),
  }) satisfies Partial<Handlers<operations>>;
