import { join } from 'node:path';
import type { GeneratedFile } from '../generated-file.ts';
import { foldersOf, images } from '../images/images.ts';
import { markdownFile, table } from '../markdown.ts';
import { repository } from '../settings.ts';
import { idOf, licenceOf, packagesOf, type InstalledPackage } from './installed-packages.ts';

/** Licences that ask for no more than to be named. A package with another one is looked at before it gets in. */
const acceptable = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'],
  ...['CC0-1.0', 'Unlicense', 'Python-2.0', 'PSF-2.0'],
]);

/**
 * Packages with another licence, or none in their manifest, that were looked at. MPL-2.0 asks that recipients can get the source of the package
 * itself: it is not changed, and is at the registry under the name and version in docs/licences.md. Fonts under the OFL may be carried with
 * software. `png-js` has the text of the MIT licence in a file.
 */
const examined: Readonly<Record<string, string | undefined>> = {
  '@jmespath-community/jmespath': 'MPL-2.0',
  '@fontsource-variable/inter': 'OFL-1.1',
  '@fontsource-variable/noto-sans-kr': 'OFL-1.1',
  '@fontsource-variable/noto-sans-sc': 'OFL-1.1',
  '@fontsource/dejavu-sans': 'OFL-1.1',
  '@fontsource/jetbrains-mono': 'OFL-1.1',
  'png-js': undefined,
};

/** Whether a package may be in an image. */
export const mayBeCarried = ({ manifest }: InstalledPackage): boolean =>
  isAcceptable(licenceOf(manifest)) ||
  (manifest.name in examined && examined[manifest.name] === licenceOf(manifest));

/** Whether an SPDX expression leaves a choice of which all parts are acceptable. */
export function isAcceptable(licence: string | undefined): boolean {
  const choices = (licence ?? '').replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((part) => acceptable.has(part.trim())));
}

/** The packages of others that images carry. */
export async function foreignPackages(): Promise<InstalledPackage[]> {
  const folders = new Set(images.flatMap(foldersOf));
  return (await packagesOf([...folders])).filter(({ own }) => !own);
}

/** `docs/licences.md`: under which licence each of them is. */
export async function licences(): Promise<GeneratedFile> {
  const rows = (await foreignPackages()).map(({ manifest }) => [
    idOf(manifest),
    licenceOf(manifest) ?? 'none',
  ]);
  return await markdownFile(join(repository, 'docs/licences.md'), [
    '# Licences',
    'The packages of others that the images carry, with the licences that they name. What an image has of Debian besides, its base and the programs of the ' +
      'node image, is listed in itself, in `/usr/share/doc`.',
    table(['package', 'licence'], rows),
  ]);
}
