import { noContent } from '@sluice/http';
import type { Deployment } from '../stores/deployments.store.ts';

/** 204 once the work is done. */
export async function done(work: Promise<unknown>) {
  await work;
  return noContent();
}

type AsJson<Value> = Value extends Date ? string : Value;

/** These fields of a row as JSON has them: instants are text. */
export function shown<Row extends object, Field extends keyof Row>(row: Row, ...fields: Field[]) {
  const values = fields.map((field) => {
    const value = row[field];
    return [field, value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(values) as { [Name in Field]: AsJson<Row[Name]> };
}

/** The ids of a deployment and of what it is in. */
export const placeIn = ({ spec }: Deployment) => ({
  tenant_id: spec.tenant_id,
  division_id: spec.division.id,
  environment_id: spec.environment.id,
  deployment_id: spec.id,
});
