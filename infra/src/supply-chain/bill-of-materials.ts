import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { foldersOf, type Image } from '../images/images.ts';
import { idOf, licenceOf, packagesOf, type InstalledPackage } from './installed-packages.ts';

/** What the command line as one file is made of, Node included. */
export async function billOfExecutable(version: string, node: string): Promise<string> {
  const ofNode = new Models.Component(Enums.ComponentType.Platform, 'node', {
    ...{ version: node, bomRef: `node@${node}` },
    licenses: new Models.LicenseRepository([new Models.SpdxLicense('MIT')]),
  });
  const cli = { name: 'cli', programs: ['packages/cli'] };
  return await billOfMaterials(cli, version, Enums.ComponentType.Application, ofNode);
}

/** What an image is made of besides its base, in CycloneDX's form (JSON, 1.6), the same for the same lock file. */
export async function billOfMaterials(
  image: Pick<Image, 'name' | 'programs' | 'webApps'>,
  version: string,
  type = Enums.ComponentType.Container,
  besides?: Models.Component,
): Promise<string> {
  const subject = new Models.Component(type, `sluice/${image.name}`, {
    version,
    bomRef: `sluice/${image.name}`,
  });
  const packages = await packagesOf(foldersOf(image));
  const components = new Map(packages.map((one) => [idOf(one.manifest), componentOf(one)]));
  for (const { manifest, dependsOn } of packages)
    for (const id of dependsOn) components.get(idOf(manifest))?.dependencies.add(refOf(components, id));
  for (const { manifest, own } of packages)
    if (own) subject.dependencies.add(refOf(components, idOf(manifest)));
  if (besides) {
    components.set('node', besides);
    subject.dependencies.add(besides.bomRef);
  }
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: subject }),
    components: new Models.ComponentRepository(components.values()),
  });
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 });
}

function componentOf({ manifest, own, integrity }: InstalledPackage): Models.Component {
  const [group, name] = manifest.name.startsWith('@') ? manifest.name.split('/') : [undefined, manifest.name];
  const { version } = manifest;
  const licence = licenceOf(manifest);
  const type = own ? Enums.ComponentType.Application : Enums.ComponentType.Library;
  const component = new Models.Component(type, name ?? manifest.name, {
    group,
    version,
    bomRef: idOf(manifest),
  });
  if (licence !== undefined) component.licenses.add(new Models.LicenseExpression(licence));
  if (own) return component;
  component.purl = `pkg:npm/${manifest.name.replace('@', '%40')}@${version}`;
  const [, digest] = /^sha512-(.+)$/.exec(integrity ?? '') ?? [];
  if (digest === undefined) throw new Error(`${idOf(manifest)} has no SHA-512 in the lock file`);
  component.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(digest, 'base64').toString('hex'));
  return component;
}

function refOf(components: ReadonlyMap<string, Models.Component>, id: string): Models.BomRef {
  const component = components.get(id);
  if (!component) throw new Error(`${id} is not among the packages`);
  return component.bomRef;
}
