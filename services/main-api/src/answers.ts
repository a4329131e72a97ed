import { listed, noContent, pageOf, type Page } from '@sluice/http';

/** 204 once the work is done. */
export async function done(work: Promise<unknown>) {
  await work;
  return noContent();
}

/** The page of rows that a request asks for, as the answer shows them. */
export async function paged<Row, View>(
  { query, url }: { query: Parameters<typeof pageOf>[0]; url: string },
  list: (page: Page) => Promise<[Row[], number]>,
  view: (row: Row) => View,
) {
  const page = pageOf(query);
  const [rows, total] = await list(page);
  return listed(
    url,
    page,
    rows.map((row) => view(row)),
    total,
  );
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
