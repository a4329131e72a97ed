const secretNames = /token|password|secret|authorization|external_id|identity|destination/i;

/** Texts of a body whose field is named like a secret, wherever they are, and the token in the command of an enrolment. */
export function secretsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') {
    if (name === 'command') return /SLUICE_TOKEN=(\S+)/.exec(value)?.slice(1) ?? [];
    return value.length >= 8 && secretNames.test(name) ? [value] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => secretsIn(each, Array.isArray(value) ? name : key));
}
