import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { misspelledSettings } from './misspelled.ts';

/** The environment does not say what the program needs to know. The message names every problem, and no value. */
export class ConfigError extends Error {}

/**
 * Reads typed configuration from the environment. Empty variables count as absent. Instead of `NAME` there may be `NAME_FILE`, the
 * path of a file with the value, as Docker and Kubernetes hand secrets out; a line end after the value is no part of it.
 * @param options.refusesMisspelled also where the shape is all that the program reads, a variable that is almost called like a setting
 * @throws ConfigError that lists all problems at once, a line each, without any value
 */
export function readConfig<Shape extends z.ZodType>(
  shape: Shape,
  environment: Record<string, string | undefined> = process.env,
  { refusesMisspelled = false } = {},
): z.infer<Shape> {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const names = namesOf(shape);
  const { values, problems } = readFiles(names, present);
  if (refusesMisspelled)
    for (const [name, setting] of misspelledSettings(names, present))
      problems.set(name, `is no setting; ${setting} is one`);
  const result = shape.safeParse({ ...present, ...values });
  if (result.success && problems.size === 0) return result.data;
  const issues = (result.error?.issues ?? []).map((issue) => {
    const name = issue.path.join('.');
    return [name, (values[name] ?? present[name]) ? sentence(issue) : 'is missing'] as const;
  });
  const lines = [...new Map([...issues, ...problems])].map(([name, problem]) => `  ${name}: ${problem}`);
  throw new ConfigError(`The configuration is not usable:\n${lines.join('\n')}`);
}

/** The values that files hold, and what is wrong with the files, by the setting's name. */
function readFiles(names: ReadonlySet<string>, present: Record<string, string | undefined>) {
  const values: Record<string, string> = {};
  const problems = new Map<string, string>();
  for (const name of names) {
    const variable = `${name}_FILE`;
    const file = present[variable];
    if (file === undefined || names.has(variable)) continue;
    if (present[name] !== undefined) problems.set(name, `is given twice, also by ${variable}`);
    else
      try {
        values[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      } catch (error) {
        const { code = 'unreadable' } = error as NodeJS.ErrnoException;
        problems.set(name, `the file that ${variable} names cannot be read (${code})`);
      }
  }
  return { values, problems };
}

/** The settings that a shape reads: those of an object, or of all branches of a union. */
function namesOf(shape: z.core.$ZodType): Set<string> {
  if (shape instanceof z.ZodObject) return new Set(Object.keys(shape.shape));
  if (shape instanceof z.ZodUnion) return new Set(shape.options.flatMap((option) => [...namesOf(option)]));
  return new Set();
}

/** What is wrong with a value, without the value: it may be a secret. */
function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `has to be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `has to be at least ${issue.minimum}`;
    case 'too_big':
      return `has to be at most ${issue.maximum}`;
    case 'invalid_type':
      return `has to be a ${issue.expected}`;
    case 'invalid_format':
      return issue.format === 'regex' ? issue.message : `has to be a valid ${issue.format}`;
    case 'custom':
      return issue.message;
    default:
      return 'is not valid';
  }
}
