import { usageError } from '@sluice/terminal/errors';
import type { LabelFlags } from './labels.ts';

/** A text that an option sets, and its `--no-` form clears. */
type TextFlag = string | false;

export interface EditFlags extends LabelFlags {
  name?: string;
  description?: TextFlag;
  email?: TextFlag;
  emailSubdomain?: TextFlag;
  protected?: boolean;
}

type Changes = Partial<Record<'name' | 'description' | 'email' | 'email_subdomain', string | null>> & {
  protected?: boolean;
};

/** The changes that options ask for. @throws CliError 2 where there is none */
export function changesOf({
  name,
  description,
  email,
  emailSubdomain,
  protected: isProtected,
  ...flags
}: EditFlags): Changes {
  const texts = { name, description, email, email_subdomain: emailSubdomain };
  const given = Object.entries(texts).filter(([, text]) => text !== undefined);
  const changes: Changes = Object.fromEntries(
    given.map(([name, text]) => [name, text === false ? null : text]),
  );
  if (isProtected !== undefined) changes.protected = isProtected;
  if (Object.keys(changes).length === 0 && !flags.label && !flags.removeLabel)
    throw usageError('What shall change?', 'add --help to see the options');
  return changes;
}

/** Texts that are given, for what is created. */
export const textsOf = (texts: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
