import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { images } from '../images/images.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { idOf, licenceOf } from './installed-packages.ts';
import { foreignPackages, isAcceptable, mayBeCarried } from './licences.ts';

interface Bill {
  components?: { 'bom-ref': string; purl?: string; hashes?: { alg: string; content: string }[] }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

test.each(images.filter(({ programs }) => programs.length > 0))(
  'the bill of materials of $name is valid, names all that it needs, and by their digests',
  async (image) => {
    const text = await billOfMaterials(image, '1.2.3');
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
    const { components = [], dependencies } = JSON.parse(text) as Bill;
    const refs = new Set(components.map((component) => component['bom-ref']));
    const needed = dependencies.flatMap(({ dependsOn = [] }) => dependsOn);
    expect(needed.filter((ref) => !refs.has(ref))).toEqual([]);
    const bare = components.filter(
      ({ purl, hashes = [] }) => purl && !/^[0-9a-f]{128}$/.test(hashes[0]?.content ?? ''),
    );
    expect(bare).toEqual([]);
    expect(refs.size).toBeGreaterThan(50);
    expect(await billOfMaterials(image, '1.2.3')).toBe(text);
  },
);

test('what an image needs for tests, or to be built, is not in it', async () => {
  const names = (await foreignPackages()).map(({ manifest }) => manifest.name);
  expect(names).toEqual(expect.arrayContaining(['express', 'react']));
  for (const tool of ['jest', 'testcontainers', 'oxlint', 'typescript', 'vite', 'subset-font'])
    expect(names).not.toContain(tool);
});

test('every package that an image carries has a licence that asks for no more than to be named', async () => {
  const others = (await foreignPackages()).filter((one) => !mayBeCarried(one));
  expect(others.map(({ manifest }) => [idOf(manifest), licenceOf(manifest)])).toEqual([]);
});

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0)', true],
  ['MIT AND GPL-3.0', false],
  ['GPL-3.0', false],
  ['SEE LICENSE IN LICENSE', false],
  [undefined, false],
])('of licences, %s is acceptable: %s', (licence, expected) => {
  expect(isAcceptable(licence)).toBe(expected);
});
