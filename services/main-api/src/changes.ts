import { isUniqueViolation, problem, type Caller } from '@sluice/service-kit';

/** Rules that several resources share. */

/** Refuses to delete a protected resource without its one-time code (interface, section 3). */
export function requireCode(resource: { protected: boolean }, code: string | undefined): void {
  if (!resource.protected) return;
  // no code can be asked for yet, so none is right
  throw problem(code === undefined ? 'protection_code_required' : 'protection_code_invalid');
}

/** Refuses to lower the protection of a resource to everybody but the tenant's owner (interface, section 3). */
export function requireMayProtect(
  caller: Caller,
  resource: { protected: boolean },
  wanted: boolean | null | undefined,
): void {
  if (resource.protected && wanted === false && !caller.owner) throw problem('owner_only');
}

/** Runs a statement that breaks `constraint` when the name is in use. @throws Problem `name_taken` */
export async function uniquely<T>(constraint: string, statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw isUniqueViolation(error, constraint) ? problem('name_taken') : error;
  }
}

/** The fields of `wanted` that differ from those of `row`; null means absent. */
export function changesTo<Fields extends object>(
  row: Fields,
  wanted: { [F in keyof Fields]?: Fields[F] | null },
): Partial<Fields> {
  const changes: Partial<Fields> = {};
  for (const field in wanted) {
    const value = wanted[field];
    if (value !== undefined && value !== null && value !== row[field]) changes[field] = value;
  }
  return changes;
}
