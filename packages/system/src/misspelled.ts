import leven from 'leven';

/**
 * What an environment has besides settings: Kubernetes puts the addresses of Services there, and programs have variables of their own.
 * So a variable is a misspelled setting only where it is hardly different from one.
 */
const serviceLink = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP)(_(ADDR|PORT|PROTO))?)?)$/;
/** of proxies, which all programs share */
const foreign = new Set(['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY']);
/** shorter names are like many words */
const shortest = 7;
/** from this length on two letters may be wrong */
const long = 8;

/**
 * The variables that look like a setting and are none, with the setting that they look like.
 * @param settings all that the program reads, also by `<name>_FILE`
 */
export function misspelledSettings(
  settings: ReadonlySet<string>,
  environment: Record<string, string | undefined>,
): Map<string, string> {
  const isKnown = (name: string) => settings.has(name) || settings.has(name.replace(/_FILE$/, ''));
  const found = new Map<string, string>();
  const names = [...settings].flatMap((name) => [name, `${name}_FILE`]);
  for (const name of Object.keys(environment)) {
    if (isKnown(name) || foreign.has(name) || name.length < shortest || serviceLink.test(name)) continue;
    const most = name.length < long ? 1 : 2;
    const [nearest] = names
      .map((setting) => ({ setting, letters: leven(name, setting, { maxDistance: most + 1 }) }))
      .toSorted((one, other) => one.letters - other.letters);
    if (nearest && nearest.letters <= most) found.set(name, nearest.setting);
  }
  return found;
}
