const secretField =
  /(^|[_-])(password|passwd|secret|token|authorization|cookie|credentials?|private_key|api[_-]?key)$/i;
/** the private parts of a JSON Web Key (RFC 7518, 6) */
const privateParts = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];
const secretText: [RegExp, string][] = [
  [/\bsvc_[0-9A-Za-z]{20,}\b/g, 'svc_***'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+(\.[\w-]+\.[\w-]+)?/g, '***'],
  [/(\w+:\/\/[^\s:/@]+):[^\s@/]+@/g, '$1:***@'],
];

/** what each of them has: most texts have nothing of it */
const suspicious = /svc_|eyJ|:\/\//;

/** `value` with everything taken out that must not be read in a log: named secrets, tokens, keys, passwords in addresses. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    if (!suspicious.test(value)) return value;
    return secretText.reduce((text, [shape, mask]) => text.replace(shape, mask), value);
  }
  if (value instanceof Error) return redact(fieldsOf(value), depth);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth > 6) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const isKey = 'kty' in value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const secret = secretField.test(key) || (isKey && privateParts.includes(key));
      return [key, secret && typeof item === 'string' ? '***' : redact(item, depth + 1)];
    }),
  );
}

/** What there is to read of an error, with what caused it. */
function fieldsOf({ name, message, stack, cause, errors }: Error & { errors?: unknown }): object {
  return {
    name,
    message,
    stack,
    ...(cause !== undefined && { cause }),
    ...(errors !== undefined && { errors }),
  };
}
