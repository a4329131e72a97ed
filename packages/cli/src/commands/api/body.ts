import { parse } from 'yaml';
import { usageError } from '@sluice/terminal/errors';

/** A body of JSON or YAML, with fields over it. @returns undefined without either @throws CliError 2 */
export function bodyOf(text: string | undefined, fields: readonly string[] = []): unknown {
  const body = text === undefined ? undefined : parsed(text);
  if (fields.length === 0) return body;
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw usageError('--field sets fields of an object, which --body is not.');
  const result: Record<string, unknown> = { ...body };
  for (const field of fields) set(result, field);
  return result;
}

function parsed(text: string): unknown {
  try {
    return parse(text) as unknown;
  } catch (error) {
    throw usageError(`--body is neither JSON nor YAML: ${(error as Error).message}`);
  }
}

function set(target: Record<string, unknown>, field: string): void {
  const at = field.indexOf('=');
  if (at < 1) throw usageError(`--field ${field}: it has to be name=value.`);
  const names = field.slice(0, at).split('.');
  const last = names.pop() ?? '';
  let within = target;
  for (const name of names) {
    const next = Object.hasOwn(within, name) ? within[name] : undefined;
    const object = typeof next === 'object' && next !== null && !Array.isArray(next) ? { ...next } : {};
    Object.defineProperty(within, name, {
      value: object,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    within = object;
  }
  Object.defineProperty(within, last, {
    value: valueOf(field.slice(at + 1)),
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** JSON is read as such; anything else is text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
