export interface Versioned<Value> {
  value: Value;
  /** for `If-Match` */
  version: string;
}

/** What an operation answers, with its version. */
export async function versioned<Value>(
  call: Promise<{ data: Value; response: Response }>,
): Promise<Versioned<Value>> {
  const { data, response } = await call;
  return { value: data, version: response.headers.get('etag') ?? '*' };
}
