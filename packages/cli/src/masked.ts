/** what servers show in the place of a secret */
const mask = '***';

/** fields of requests that hold a secret; below `headers` all values do */
const secretFields =
  /^(headers|.*password|.*passphrase|.*secret|.*token|secret_access_key|private_key|signing_key|authorization)$/i;

/** A value without its secrets: the text below fields that the API has for secrets, and below those of `keys`. */
export function masked(value: unknown, keys: ReadonlySet<string> = new Set(), isSecret = false): unknown {
  if (typeof value === 'string' || typeof value === 'number') return isSecret ? mask : value;
  if (Array.isArray(value)) return value.map((one) => masked(one, keys, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      masked(one, keys, isSecret || keys.has(key) || secretFields.test(key)),
    ]),
  );
}
