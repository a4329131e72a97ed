import { z } from 'zod';

/**
 * Checks what comes like `schema`, and answers it as it came: fields that only a newer release knows stay in it, for the reader that it is
 * stored for or passed on to. For schemas that change nothing of what they check.
 */
export function whole<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema>> {
  return z.unknown().transform((input, context) => {
    for (const { path, message } of schema.safeParse(input).error?.issues ?? [])
      context.issues.push({ code: 'custom', path: [...path], message, input });
    return input as z.output<Schema>;
  });
}
