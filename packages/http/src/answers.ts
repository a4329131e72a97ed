import type { Answer } from './typed.ts';

export function ok<Body>(body: Body): Answer<200, Body> {
  return { status: 200, body };
}

/** 201 with the created object, its address and its id in the `svc-…` header of its kind. */
export function created<Body extends { id: number }>(
  kind: string,
  location: string,
  body: Body,
): Answer<201, Body> {
  return { status: 201, body, headers: createdHeaders(kind, body.id, location) };
}

/** 202: accepted, and completed asynchronously. */
export function accepted<Body = undefined>(headers: Record<string, string>, body: Body): Answer<202, Body> {
  return { status: 202, body, headers };
}

export function noContent(): Answer<204, undefined> {
  return { status: 204, body: undefined };
}

/** 204 once the work is done. */
export async function done(work: Promise<unknown>): Promise<Answer<204, undefined>> {
  await work;
  return noContent();
}

/** `Location` and the id header of a created resource: `svc-division: 7`. */
export function createdHeaders(kind: string, id: number, location: string): Record<string, string> {
  return { location, [`svc-${kind.replaceAll('_', '-')}`]: String(id) };
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
