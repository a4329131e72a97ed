import { usageError } from '@sluice/terminal/errors';

/** A text that an option sets, and its `--no-` form clears. */
type TextFlag = string | false;

export interface EditFlags {
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
export function changesOf({ emailSubdomain, ...flags }: EditFlags): Changes {
  const { protected: isProtected, ...texts } = { ...flags, email_subdomain: emailSubdomain };
  const given = Object.entries(texts).filter(([, text]) => text !== undefined);
  const changes: Changes = Object.fromEntries(
    given.map(([name, text]) => [name, text === false ? null : text]),
  );
  if (isProtected !== undefined) changes.protected = isProtected;
  if (Object.keys(changes).length === 0)
    throw usageError('What shall change?', 'add --help to see the options');
  return changes;
}

/** Texts that are given, for what is created. */
export const textsOf = (texts: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
