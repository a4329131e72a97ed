import { z } from 'zod';

/** Labels of a division, an environment or a deployment, as events have them. Requests are bounded by the OpenAPI document. */
export const labelsSchema = z.record(z.string(), z.string());
export type Labels = z.infer<typeof labelsSchema>;
