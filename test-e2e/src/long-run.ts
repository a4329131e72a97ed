import { client, type SeededTenant, type Stack } from '@sluice/testing';

/** What the programs of long runs have in common: settings, what they say, and how they end. */

export const numberSetting = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
export const seedSetting = (name: string) => numberSetting(name, Math.floor(Math.random() * 2 ** 31));

const began = Date.now();
/** Prints a line with the seconds since the start. */
export function say(line: string): void {
  console.log(`${((Date.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
}

export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** A tenant's key with an environment of its own. */
export async function teamOf(stack: Stack, tenant: SeededTenant, name: string) {
  const path = `/tenants/${tenant.tenant_id}/divisions/${tenant.division_id}/environments`;
  const { body } = await client(stack.base_url, tenant.api_key).post<{ id: number }>(path, { name });
  return { ...tenant, environment_id: body.id };
}

/** The value below which this share of the values lies; NaN without any. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** Prints what was wrong and ends the program, with exit code 1 then; the stack's folder is left for a look. */
export async function endRun(stack: Stack, wrong: readonly string[]): Promise<never> {
  for (const line of wrong) console.log(`- ${line}`);
  await (wrong.length === 0 ? stack.remove() : stack.stop());
  process.exit(wrong.length === 0 ? 0 : 1);
}
