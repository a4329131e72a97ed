export interface Versioned<Value> {
  value: Value;
  /** for `If-Match` */
  version: string;
}

/** A query of what a form edits: as it was when the form was opened, so that another's change takes nothing away that is being edited. */
export const edited = <Value>(key: readonly unknown[], read: () => Promise<Versioned<Value>>) => ({
  queryKey: ['edited', ...key],
  queryFn: read,
  refetchInterval: false as const,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});

/** What an operation answers, with its version. */
export async function versioned<Value>(
  call: Promise<{ data: Value; response: Response }>,
): Promise<Versioned<Value>> {
  const { data, response } = await call;
  return { value: data, version: response.headers.get('etag') ?? '*' };
}
