import { z } from 'zod';

/** The environment does not say what the program needs to know. The message names every problem, and no value. */
export class ConfigError extends Error {}

/**
 * Reads typed configuration from the environment. Empty variables count as absent.
 * @throws ConfigError that lists all problems at once, a line each, without any value
 */
export function readConfig<Shape extends z.ZodType>(
  shape: Shape,
  environment: Record<string, string | undefined> = process.env,
): z.infer<Shape> {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = shape.safeParse(present);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const name = issue.path.join('.');
    return `  ${name}: ${present[name] === undefined ? 'is missing' : sentence(issue)}`;
  });
  throw new ConfigError(`The configuration is not usable:\n${lines.join('\n')}`);
}

/** What is wrong with a value, told without the value: it may be a secret. */
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
