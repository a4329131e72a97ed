import type { SecretBox } from '@sluice/system/secrets';

/** What a configuration says, as JSON has it. */
export type Values = Record<string, unknown>;

/** Configurations are stored encrypted (interface, 4.9). */
export const sealValues = (secrets: SecretBox, values: Values): Promise<string> =>
  secrets.seal(JSON.stringify(values));

/** @throws Error when they were changed, or their key is not among the configured ones */
export async function openValues(
  secrets: SecretBox,
  { sealed_values }: { sealed_values: string },
): Promise<Values> {
  return JSON.parse(await secrets.open(sealed_values)) as Values;
}
