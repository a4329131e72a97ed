import { z } from 'zod';

/** Ports as a setting names them, such as `7700-7729`: the first and the last of them. */
export const portRangeSchema = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, 'has to be two ports, such as 7700-7729')
  .transform((text): [first: number, last: number] => {
    const [first = 0, last = 0] = text.split('-').map(Number);
    return [first, last];
  })
  .refine(([first, last]) => first >= 1 && first <= last && last <= 65_535, {
    error: 'has to be two ports from 1 to 65535, the first not after the last',
  });
