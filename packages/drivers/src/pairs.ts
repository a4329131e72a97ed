import { z } from 'zod';

/** Reads a list of <name>=<value>, separated by commas. @param form what a person is to write, such as `<type>=<StorageClass>` */
export const pairsIn =
  <Entries extends z.ZodType>(entries: Entries, form: string) =>
  (text: string, context: z.core.$RefinementCtx<string>): z.infer<Entries> => {
    const pairs = text
      .split(',')
      .filter((entry) => entry.trim() !== '')
      .map((entry) => entry.split('=').map((part) => part.trim()));
    const read = entries.safeParse(Object.fromEntries(pairs));
    if (read.success && pairs.every(({ length }) => length === 2)) return read.data;
    const message = `has to be a list of ${form}, separated by commas`;
    context.issues.push({ code: 'custom', input: text, message });
    return z.NEVER;
  };
