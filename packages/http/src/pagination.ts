import type { Answer } from './typed.ts';

/** The slice of a list that a request asks for (interface, section 4, "Pagination"). */
export interface Page {
  page: number;
  results: number;
  /** rows to skip; stays an exact integer however large `page` is */
  offset: number;
}

/** Reads `page` (1-indexed, default 1) and `results` (default 10, at most 100) from a validated query. */
export function pageOf({ page = 1, results = 10 }: { page?: number; results?: number }): Page {
  return { page, results, offset: Math.min((page - 1) * results, Number.MAX_SAFE_INTEGER) };
}

export interface Listed<Item> {
  items: Item[];
  page: number;
  total_results: number;
  total_pages: number;
}

/** The answer of a paginated list, with RFC 8288 links to the first, previous, next and last page. */
export function listed<Item>(
  url: string,
  { page, results }: Page,
  items: Item[],
  total: number,
): Answer<200, Listed<Item>> {
  const last = Math.max(1, Math.ceil(total / results));
  const [path, query] = url.split('?', 2);
  const link = (number: number, relation: string) => {
    const parameters = new URLSearchParams(query);
    parameters.set('page', String(number));
    return `<${path}?${parameters.toString()}>; rel="${relation}"`;
  };
  const links = [
    link(1, 'first'),
    ...(page > 1 ? [link(Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next')] : []),
    link(last, 'last'),
  ];
  return {
    status: 200,
    body: { items, page, total_results: total, total_pages: Math.ceil(total / results) },
    headers: { link: links.join(', ') },
  };
}

/** The page of rows that a request asks for, as the answer shows them. */
export async function paged<Row, View>(
  { query, url }: { query: Parameters<typeof pageOf>[0]; url: string },
  list: (page: Page) => Promise<[Row[], number]>,
  view: (row: Row) => View,
): Promise<Answer<200, Listed<View>>> {
  const page = pageOf(query);
  const [rows, total] = await list(page);
  return listed(
    url,
    page,
    rows.map((row) => view(row)),
    total,
  );
}
